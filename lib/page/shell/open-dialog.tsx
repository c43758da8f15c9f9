// The dialog that is open.
import { useEffect } from 'preact/hooks';
import type { Layout } from '../layout/layout.js';
import type { SimulationControl } from '../state/control.js';
import type { PageState } from '../state/page-state.js';
import { ConnectDialog } from './connect-dialog.js';
import { LoadCheckpointDialog, SaveCheckpointDialog, TerminateDialog } from './control-dialogs.js';
import { HelpDialog } from './help-dialog.js';
import { LayoutsDialog, opened } from './layouts-dialog.js';
import { LimitsDialog } from './limits-dialog.js';
import { PanelsDialog } from './panels-dialog.js';

interface Props {
  readonly state: PageState;
  readonly control: SimulationControl;
  readonly shipped: Layout | undefined;
}

export function OpenDialog({ state, control, shipped }: Props) {
  const onClose = (): void => state.open(undefined);
  useEffect(() => openDropped(state), [state]);
  const parts = { state, control, onClose };
  switch (state.dialog.value) {
    case 'help':
      return <HelpDialog {...parts} />;
    case 'panels':
      return <PanelsDialog {...parts} />;
    case 'save-checkpoint':
      return <SaveCheckpointDialog {...parts} />;
    case 'load-checkpoint':
      return <LoadCheckpointDialog {...parts} />;
    case 'terminate':
      return <TerminateDialog {...parts} />;
    case 'layouts':
      return <LayoutsDialog state={state} shipped={shipped} onClose={onClose} />;
    case 'limits':
      return <LimitsDialog state={state} onClose={onClose} />;
    case 'connect':
      return <ConnectDialog {...parts} />;
    default:
      return null;
  }
}

/** Opens layout files that are dropped anywhere on the page, until the returned function is called. */
function openDropped(state: PageState): () => void {
  const ends = new AbortController();
  const { signal } = ends;
  const hasFile = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') ?? false;
  const over = (event: DragEvent): void => {
    if (hasFile(event)) event.preventDefault();
  };
  const drop = (event: DragEvent): void => {
    const file = event.dataTransfer?.files[0];
    if (!file) return;
    event.preventDefault();
    void state.attempt(async () => {
      const layout = await opened(state, file);
      state.change(() => layout);
    });
  };
  addEventListener('dragover', over, { signal });
  addEventListener('drop', drop, { signal });
  return () => ends.abort();
}
