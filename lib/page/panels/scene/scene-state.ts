// What the parts of one 3D panel share while it is on the page.
import { type Signal, signal } from '@preact/signals';
import type { PanelContext } from '../panel.js';
import type { SceneSettings } from './settings.js';
import { type View, viewAfter, zoomed } from './view.js';

export type ScenePanel = PanelContext<SceneSettings>;

export interface SceneState {
  /** Where the camera is; undefined for the usual place. The layout has it when it has stood still for a while. */
  readonly view: Signal<View | undefined>;
  /** Sentences about what cannot be shown now. */
  readonly notes: Signal<readonly string[]>;
  /** Between lines of the grid, in metres; undefined without a grid. */
  readonly gridStep: Signal<number | undefined>;
  /** How the camera stands; undefined while there is no picture. */
  shown: () => View | undefined;
  saving: ReturnType<typeof setTimeout> | undefined;
}

const STATES = new WeakMap<ScenePanel, SceneState>();

export function sceneStateOf(panel: ScenePanel): SceneState {
  const known = STATES.get(panel);
  if (known) return known;
  const made: SceneState = {
    view: signal(panel.settings.peek().view),
    notes: signal([]),
    gridStep: signal(undefined),
    shown: () => undefined,
    saving: undefined,
  };
  STATES.set(panel, made);
  return made;
}

/** A wheel turns in many steps, and each of them is no change of the layout. */
const SAVED_MILLIS = 500;

export function moveTo(panel: ScenePanel, view: View | undefined): void {
  const state = sceneStateOf(panel);
  state.view.value = view;
  clearTimeout(state.saving);
  state.saving = setTimeout(() => {
    state.saving = undefined;
    panel.change({ view });
  }, SAVED_MILLIS);
}

export function zoomBy(panel: ScenePanel, factor: number): void {
  const view = sceneStateOf(panel).shown();
  if (view) moveTo(panel, zoomed(view, factor));
}

/** Whether the key did something. */
export function pressedOn(panel: ScenePanel, key: string): boolean {
  const view = sceneStateOf(panel).shown();
  const after = view && viewAfter(view, key);
  if (after === undefined) return false;
  moveTo(panel, after === 'usual' ? undefined : after);
  return true;
}
