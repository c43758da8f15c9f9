// The menu of panels.
import type { PageState } from '../state/page-state.js';
import { DialogView } from '../widgets/dialog.js';
import { KindButtons } from '../widgets/kind-buttons.js';

export function PanelsDialog({ state, onClose }: { readonly state: PageState; onClose(): void }) {
  return (
    <DialogView title="Add a panel" onClose={onClose} isWide>
      <KindButtons
        class="kinds"
        kinds={state.offeredKinds}
        onChoose={(kind) => {
          state.addPanel(kind);
          onClose();
        }}
      />
    </DialogView>
  );
}
