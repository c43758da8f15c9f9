// The whole page: header, variables, tabs, panels, and what lies above them.
import type { ReadonlySignal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import { ControlBar } from '../control/control-bar.js';
import { keyOf, needsOf } from '../control/keys.js';
import type { PlaybackBar } from '../control/playback-bar.js';
import type { SimulationPlace } from '../data/first-calls.js';
import { PanelGrid } from '../grid/panel-grid.js';
import type { Layout } from '../layout/layout.js';
import type { SimulationControl } from '../state/control.js';
import type { PageState } from '../state/page-state.js';
import type { Playback } from '../state/playback.js';
import type { TreeState } from '../tree/tree-state.js';
import type { VariableTree } from '../tree/variable-tree.js';
import type { OpenDialog } from './open-dialog.js';
import { Tabs } from './tabs.js';
import { LostView, ToldView } from './told-view.js';

export interface AppParts {
  readonly state: PageState;
  readonly control: SimulationControl;
  readonly playback: Playback;
  readonly shipped: Layout | undefined;
  readonly simulations: readonly SimulationPlace[];
  /** Undefined until its code has come. */
  readonly later: ReadonlySignal<LaterParts | undefined>;
}

/** What the first picture does without. */
export interface LaterParts {
  readonly tree: TreeState;
  readonly VariableTree: typeof VariableTree;
  readonly PlaybackBar: typeof PlaybackBar;
  readonly OpenDialog: typeof OpenDialog;
}

export function App(parts: AppParts) {
  const { state, control, playback, simulations } = parts;
  const later = parts.later.value;
  // Keys are heard from the moment at which the page shows.
  useLayoutEffect(() => hearKeys(state, control), [state, control]);
  const isTreeShown = state.isTreeShown.value;
  return (
    <div class={`app ${isTreeShown ? '' : 'no-tree'} ${state.server.isStale.value ? 'is-stale' : ''}`}>
      <ControlBar state={state} control={control} simulations={simulations} />
      <LostView state={state} />
      <div class="below">
        {isTreeShown && (later ? <later.VariableTree state={state} tree={later.tree} /> : <TreesPlace state={state} />)}
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
      {later && <later.PlaybackBar state={state} control={control} playback={playback} />}
      {later && <later.OpenDialog {...parts} />}
      <ToldView state={state} />
    </div>
  );
}

const TreesPlace = ({ state }: Pick<AppParts, 'state'>) => (
  <div class="tree" style={{ '--tree-width': `${state.treeWidth.value}px` }} />
);

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
