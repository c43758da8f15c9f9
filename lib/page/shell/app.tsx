// The whole page: header, variables, tabs, panels, and what lies above them.
import { useLayoutEffect } from 'preact/hooks';
import { ControlBar } from '../control/control-bar.js';
import { keyOf, needsOf } from '../control/keys.js';
import { PlaybackBar } from '../control/playback-bar.js';
import { PanelGrid } from '../grid/panel-grid.js';
import type { Layout } from '../layout/layout.js';
import type { SimulationControl } from '../state/control.js';
import type { PageState } from '../state/page-state.js';
import type { Playback } from '../state/playback.js';
import type { TreeState } from '../tree/tree-state.js';
import { VariableTree } from '../tree/variable-tree.js';
import { ConnectDialog } from './connect-dialog.js';
import { LoadCheckpointDialog, SaveCheckpointDialog, TerminateDialog } from './control-dialogs.js';
import { HelpDialog } from './help-dialog.js';
import { LayoutsDialog } from './layouts-dialog.js';
import { LimitsDialog } from './limits-dialog.js';
import { PanelsDialog } from './panels-dialog.js';
import { Tabs } from './tabs.js';
import { LostView, ToldView } from './told-view.js';

export interface AppParts {
  readonly state: PageState;
  readonly control: SimulationControl;
  readonly playback: Playback;
  readonly tree: TreeState;
  readonly shipped: Layout | undefined;
}

export function App(parts: AppParts) {
  const { state, control, playback, tree } = parts;
  // Keys are heard from the moment at which the page shows.
  useLayoutEffect(() => hearKeys(state, control), [state, control]);
  const isTreeShown = state.isTreeShown.value;
  return (
    <div class={`app ${isTreeShown ? '' : 'no-tree'} ${state.server.isStale.value ? 'is-stale' : ''}`}>
      <ControlBar state={state} control={control} />
      <LostView state={state} />
      <div class="below">
        {isTreeShown && <VariableTree state={state} tree={tree} />}
        {isTreeShown && (
          // biome-ignore lint/a11y/noStaticElementInteractions: on a phone, a press beside the list closes it; so does its button.
          // biome-ignore lint/a11y/useKeyWithClickEvents: the key v does the same.
          <div class="shade" onClick={() => state.showTree(false)} />
        )}
        <main class="main">
          <Tabs state={state} />
          <PanelGrid state={state} />
        </main>
      </div>
      <PlaybackBar state={state} control={control} playback={playback} />
      <OpenDialog {...parts} />
      <ToldView state={state} />
    </div>
  );
}

function OpenDialog({ state, control, shipped }: AppParts) {
  const onClose = (): void => state.open(undefined);
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

const FIELDS = 'input, textarea, select, [contenteditable]';

function hearKeys(state: PageState, control: SimulationControl): () => void {
  const meets = needsOf({ state, control });
  const press = (event: KeyboardEvent): void => {
    const { activeElement } = document;
    const focus = {
      isField: activeElement?.matches(FIELDS) ?? false,
      isButton: activeElement?.matches('button, a, [role=tab]') ?? false,
      isDialogOpen: state.dialog.peek() !== undefined,
    };
    const key = event.defaultPrevented ? undefined : keyOf(event, focus, meets);
    if (key) {
      event.preventDefault();
      key.press({ state, control });
    } else if (event.key === 'Escape') {
      state.enlarged.value = undefined;
    }
  };
  document.addEventListener('keydown', press);
  return () => document.removeEventListener('keydown', press);
}
