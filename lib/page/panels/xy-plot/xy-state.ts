// What the parts of one X-Y plot share while it is on the page, and no layout keeps: the part of the plane, its keys.
import { type Signal, signal } from '@preact/signals';
import type { PanelContext } from '../panel.js';
import { type PlaneView, panPlane, zoomPlane } from '../plot/plane-view.js';
import type { PointedAt } from '../plot/trajectory-chart.js';
import { ZOOM_STEP } from '../plot/zoom-buttons.js';
import type { XYPlotSettings } from './settings.js';

export type XYPanel = PanelContext<XYPlotSettings>;

export interface XYState {
  /** Undefined for all that is drawn. */
  readonly view: Signal<PlaneView | undefined>;
  readonly pointed: Signal<PointedAt | undefined>;
  /** Why a variable has no values, by alias. */
  readonly refusals: Signal<ReadonlyMap<string, string>>;
  /** The part that is shown; undefined while there is no chart. */
  shown: () => PlaneView | undefined;
}

const STATES = new WeakMap<XYPanel, XYState>();

export function xyStateOf(panel: XYPanel): XYState {
  const known = STATES.get(panel);
  if (known) return known;
  const made: XYState = {
    view: signal(undefined),
    pointed: signal(undefined),
    refusals: signal(new Map()),
    shown: () => undefined,
  };
  STATES.set(panel, made);
  return made;
}

export const XY_KEYS = 'plus and minus zoom, arrows move, End or space show all';
const PAN_SHARE = 0.1;
const MIDDLE = { across: 0.5, down: 0.5 };

export function zoomBy({ view, shown }: XYState, factor: number): void {
  const before = shown();
  if (before) view.value = zoomPlane(before, factor, MIDDLE);
}

/** Whether the key did something. */
export function pressedOn(state: XYState, key: string): boolean {
  const before = state.shown();
  const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
  if (key === '+' || key === '=') zoomBy(state, ZOOM_STEP);
  else if (key === '-') zoomBy(state, 1 / ZOOM_STEP);
  else if (key === 'End' || key === 'Home' || key === ' ') state.view.value = undefined;
  else if (steps && before) {
    const [across, down] = steps as [number, number];
    state.view.value = panPlane(before, { across: PAN_SHARE * across, down: PAN_SHARE * down });
  } else return false;
  return true;
}
