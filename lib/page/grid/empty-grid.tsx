// What a tab without panels says.
import type { PageState } from '../state/page-state.js';
import { KindButtons } from '../widgets/kind-buttons.js';

const MOST_KINDS = 6;

export function EmptyGrid({ state }: { readonly state: PageState }) {
  return (
    <div class="welcome">
      <h2>Nothing on this tab yet</h2>
      <p>
        Drag variables here from the list on the left, or press <kbd>/</kbd>, find one, and <kbd>Enter</kbd>.
      </p>
      <KindButtons
        class="welcome-kinds"
        kinds={state.offeredKinds.slice(0, MOST_KINDS)}
        onChoose={(kind) => void state.addPanel(kind)}
      />
    </div>
  );
}
