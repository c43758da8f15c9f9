// The menu of panels.
import type { PageState } from '../state/page-state.js';
import { DialogView } from '../widgets/dialog.js';

export function PanelsDialog({ state, onClose }: { readonly state: PageState; onClose(): void }) {
  const offered = state.kinds.filter((kind) => kind.isOffered?.(state.server) ?? true);
  return (
    <DialogView title="Add a panel" onClose={onClose} isWide>
      <div class="kinds">
        {offered.map((kind) => (
          <button
            key={kind.type}
            type="button"
            class="kind"
            onClick={() => {
              state.addPanel(kind);
              onClose();
            }}
          >
            <svg class="icon" viewBox="0 0 16 16" width="20" height="20" aria-hidden="true">
              <path d={kind.icon} />
            </svg>
            <strong>{kind.name}</strong>
            <span>{kind.about}</span>
          </button>
        ))}
      </div>
    </DialogView>
  );
}
