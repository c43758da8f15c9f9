// What the parts of one strip chart share while it is on the page, and no layout keeps: samples, window, words.
import { batch, type Signal, signal } from '@preact/signals';
import type { VariableFacts } from '../../data/server.js';
import type { PanelContext } from '../panel.js';
import { RedrawPace } from '../plot/redraw-pace.js';
import { ShownSamples } from '../plot/shown-samples.js';
import type { TimeChart } from '../plot/time-chart.js';
import { follow, isFollowing, type TimeWindow } from '../plot/time-window.js';
import { ownAxis } from '../plot/value-axes.js';
import { Words } from '../plot/words.js';
import type { Limits } from '../values/limits.js';
import { isSwitch } from '../values/value-text.js';
import type { ChartLine, StripChartSettings } from './settings.js';

export type ChartPanel = PanelContext<StripChartSettings>;

export interface ChartState {
  /** Changed by `showTime` alone. */
  readonly window: Signal<TimeWindow>;
  /** Facts of the lines' variables, by alias. */
  readonly facts: Signal<ReadonlyMap<string, VariableFacts>>;
  /** Why a line has no values, by alias. */
  readonly refusals: Signal<ReadonlyMap<string, string>>;
  /** Limits by alias, in the units of their lines. */
  readonly limits: Signal<ReadonlyMap<string, Limits>>;
  readonly hidden: Signal<ReadonlySet<string>>;
  /** Counts up, some times a second, when the legend has something new to say. */
  readonly news: Signal<number>;
  readonly pace: RedrawPace;
  /** The texts that bands show, as the numbers that samples have. */
  readonly words: Words;
  samples: ShownSamples;
  /** How often time had jumped at the last sample. */
  jumps: number | undefined;
  /** The lines whose samples these are. */
  sampled: readonly ChartLine[];
  chart: TimeChart | undefined;
}

const STATES = new WeakMap<ChartPanel, ChartState>();

/** The charts that are on the page. */
const SHOWN = new Set<ChartPanel>();

/** A chart comes to the page, until the returned function is called. */
export function comes(panel: ChartPanel): () => void {
  const [standing] = [...SHOWN].map((each) => stateOf(each).window.peek()).filter((window) => !isFollowing(window));
  if (standing) stateOf(panel).window.value = standing;
  SHOWN.add(panel);
  return () => void SHOWN.delete(panel);
}

/** Shows a stretch of time in all charts; when one follows again, so do the others, each with its own span. */
export function showTime(panel: ChartPanel, window: TimeWindow): void {
  batch(() => {
    stateOf(panel).window.value = window;
    for (const other of SHOWN) {
      const { window: others } = stateOf(other);
      if (other === panel) continue;
      if (!isFollowing(window)) others.value = window;
      else if (!isFollowing(others.peek())) others.value = follow({ span: other.settings.peek().span });
    }
  });
}

export function stateOf(panel: ChartPanel): ChartState {
  const known = STATES.get(panel);
  if (known) return known;
  const made: ChartState = {
    window: signal({ span: panel.settings.peek().span }),
    words: new Words(),
    facts: signal(new Map()),
    refusals: signal(new Map()),
    limits: signal(new Map()),
    hidden: signal(new Set()),
    news: signal(0),
    pace: new RedrawPace(),
    samples: new ShownSamples(panel.settings.peek().lines.length),
    jumps: undefined,
    sampled: panel.settings.peek().lines,
    chart: undefined,
  };
  STATES.set(panel, made);
  return made;
}

/** The unit of a line as its axis shows it; an enumeration has an axis of its own, by its type. */
export function unitOfLine(facts: VariableFacts | undefined, units: string | undefined): string {
  if (facts?.kind === 'enumeration') return facts.type_path;
  return units ?? facts?.unit ?? '1';
}

/** Whether a line is a band: a text always, an enumeration or a switch unless a person wants a line. */
export const isBand = (facts: VariableFacts | undefined, { isLine = false }: ChartLine): boolean =>
  facts !== undefined && (facts.kind === 'text' || (!isLine && (facts.kind === 'enumeration' || isSwitch(facts))));

/** The axis of a line; a band has none. */
export function axisOf(facts: VariableFacts | undefined, line: ChartLine): string | undefined {
  if (isBand(facts, line)) return undefined;
  const unit = unitOfLine(facts, line.units);
  return line.hasOwnAxis ? ownAxis(unit, line.alias) : unit;
}

/** The slot of a line's colour. */
export const slotOf = ({ colour }: ChartLine, index: number): number => colour ?? index;

/** Whether a value holds until the next one: integers, switches, enumerations. */
export const isStepped = ({ type_path }: VariableFacts): boolean => !/^(double|float)$/.test(type_path);
