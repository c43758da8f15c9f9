// The keys of the page, for the page and for the list that ? shows.

import { showTab } from '../layout/changes.js';
import type { SimulationControl } from '../state/control.js';
import type { PageState } from '../state/page-state.js';

/** `play`: run, freeze, rate, of a simulation or a recording. */
export type Need = 'control' | 'play' | 'checkpoint';

export interface Key {
  /** The key by its name in KeyboardEvent.key. */
  readonly key: string;
  /** How the list shows the key, if not by that name. */
  readonly shown?: string;
  readonly about: string;
  /** What the key needs; it does nothing with a read-only token, or with a source that lacks the ability. */
  readonly needs?: Need;
  readonly withControl?: boolean;
  press(parts: { readonly state: PageState; readonly control: SimulationControl }): void;
}

export const KEYS: readonly Key[] = [
  {
    key: ' ',
    shown: 'space',
    about: 'run, or freeze',
    needs: 'play',
    press: ({ control }) => void control.runOrFreeze(),
  },
  { key: 's', about: 'step', needs: 'control', press: ({ control }) => void control.step() },
  { key: ']', about: 'faster', needs: 'play', press: ({ control }) => void control.changeRate(1) },
  { key: '[', about: 'slower', needs: 'play', press: ({ control }) => void control.changeRate(-1) },
  { key: 'r', about: 'paced by the clock', needs: 'control', press: ({ control }) => void control.setRealTime(true) },
  { key: 'R', about: 'as fast as possible', needs: 'control', press: ({ control }) => void control.setRealTime(false) },
  { key: 'c', about: 'write a checkpoint', needs: 'checkpoint', press: ({ state }) => state.open('save-checkpoint') },
  { key: 'l', about: 'load a checkpoint', needs: 'checkpoint', press: ({ state }) => state.open('load-checkpoint') },
  {
    key: 'x',
    about: 'end the simulation; asks first',
    needs: 'control',
    press: ({ state }) => state.open('terminate'),
  },
  { key: '/', about: 'find variables', press: ({ state }) => findVariables(state) },
  { key: 'v', about: 'show or hide the variables', press: ({ state }) => state.showTree(!state.isTreeShown.peek()) },
  { key: 'a', about: 'add a panel', press: ({ state }) => state.open('panels') },
  { key: 'b', about: 'limits of variables', press: ({ state }) => state.open('limits') },
  { key: 'o', about: 'layouts', press: ({ state }) => state.open('layouts') },
  { key: 'p', about: 'lines to paste, for other programs', press: ({ state }) => state.open('connect') },
  { key: 't', about: 'light or dark', press: ({ state }) => state.setTheme(state.isDark.peek() ? 'light' : 'dark') },
  {
    key: 'z',
    shown: 'Ctrl z',
    withControl: true,
    about: 'undo a change of the layout',
    press: ({ state }) => state.undo(),
  },
  { key: 'y', shown: 'Ctrl y', withControl: true, about: 'do it again', press: ({ state }) => state.redo() },
  ...Array.from(
    { length: 9 },
    (_, k): Key => ({
      key: String(k + 1),
      about: `tab ${k + 1}`,
      press: ({ state }) => showNth(state, k),
    }),
  ),
  { key: '?', about: 'this list', press: ({ state }) => state.open('help') },
];

/** Keys that panels and the tree handle themselves, for the list only. */
export const OTHER_KEYS: readonly (readonly [keys: string, about: string])[] = [
  ['arrows, Home, End', 'in the variables: move, open, close'],
  ['Enter', 'in the variables: into the panel with the focus, or a new one; of a structure all members, into a table'],
  ['Escape', 'in the variables: back to the field above them; there: an empty one'],
  ['Shift Enter', 'in the variables: into a new plot'],
  ['Alt arrows', 'on a panel: move it'],
  ['Alt Shift arrows', 'on a panel: change its size'],
  ['Delete', 'on a panel: remove it'],
  ['f', 'on a panel: fill the window, and back'],
  ['+ − arrows', 'on a plot: zoom, move'],
  ['Shift arrows', 'on a chart: the values at one time'],
  ['m', 'on a chart: the second cursor; Escape takes it away'],
  ['space', 'on a chart: pause, or follow the latest'],
  ['End', 'on a plot: follow again, show all'],
];

function findVariables(state: PageState): void {
  if (state.isTreeShown.peek()) {
    state.focusSearch();
    return;
  }
  state.showTree(true);
  // The field exists only after the next drawing.
  setTimeout(() => state.focusSearch(), 0);
}

function showNth(state: PageState, k: number): void {
  const tab = state.layout.peek().tabs[k];
  if (tab) state.change((layout) => showTab(layout, tab.id));
}

/** The key of an event, unless it belongs to a field, a button or a dialog. */
export function keyOf(
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>,
  focus: { readonly isField: boolean; readonly isButton: boolean; readonly isDialogOpen: boolean },
  meets: (need: Need) => boolean,
): Key | undefined {
  if (event.altKey || focus.isField || focus.isDialogOpen) return undefined;
  // Space presses the button that has the focus.
  if (event.key === ' ' && focus.isButton) return undefined;
  const withControl = event.ctrlKey || event.metaKey;
  const key = KEYS.find((one) => one.key === event.key && (one.withControl ?? false) === withControl);
  return key?.needs && !meets(key.needs) ? undefined : key;
}

/** Whether keys that need this do something on this page. */
export const needsOf =
  ({ state: { server }, control }: { readonly state: PageState; readonly control: SimulationControl }) =>
  (need: Need): boolean =>
    need === 'play' ? control.mayPlay : server.may(need);
