// What a tab without panels says.
import type { PageState } from '../state/page-state.js';

export function EmptyGrid({ state }: { readonly state: PageState }) {
  return (
    <div class="welcome">
      <h2>Nothing on this tab yet</h2>
      <p>
        Drag variables here from the list on the left, or press <kbd>/</kbd>, find one, and <kbd>Enter</kbd>.
      </p>
      <div class="welcome-kinds">
        {state.kinds
          .filter((kind) => kind.isOffered?.(state.server) ?? true)
          .slice(0, 6)
          .map((kind) => (
            <button key={kind.type} type="button" class="kind" onClick={() => void state.addPanel(kind)}>
              <svg class="icon" viewBox="0 0 16 16" width="20" height="20" aria-hidden="true">
                <path d={kind.icon} />
              </svg>
              <strong>{kind.name}</strong>
              <span>{kind.about}</span>
            </button>
          ))}
      </div>
    </div>
  );
}
