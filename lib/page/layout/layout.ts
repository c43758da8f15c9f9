// A layout: tabs of panels on a grid. It is plain data: kept in the browser, put into an address, saved as JSON.
import { type Limits, limitsOf } from '../panels/values/limits.js';
import { type RunLook, runLookOf } from '../panels/values/run-look.js';
import { compacted, GRID_COLUMNS, type GridPlace } from './grid.js';

export interface PlacedPanel {
  /** Unique in its layout. */
  readonly id: string;
  readonly type: string;
  /** What a person calls it; without one, it is called after what it shows. */
  readonly name?: string;
  readonly place: GridPlace;
  readonly settings: Readonly<Record<string, unknown>>;
}

export interface Tab {
  readonly id: string;
  readonly name: string;
  readonly panels: readonly PlacedPanel[];
}

export interface Layout {
  readonly version: 1;
  readonly tabs: readonly [Tab, ...Tab[]];
  /** The id of the tab that is shown. */
  readonly shown: string;
  /** Limits of variables by alias, in their own units. */
  readonly limits?: Readonly<Record<string, Limits>>;
  /** How the runs of a comparison are drawn, by what the names of their variables begin with. */
  readonly runs?: Readonly<Record<string, RunLook>>;
}

/** What a file or an address may hold at most, so that a broken one cannot stop the page. */
const MOST_TABS = 50;
const MOST_PANELS = 200;
const MOST_LIMITS = 500;
const MOST_RUNS = 500;
export const LONGEST_NAME = 100;

export const EMPTY_LAYOUT: Layout = { version: 1, tabs: [{ id: 'tab-1', name: 'Main', panels: [] }], shown: 'tab-1' };

/** Reads a layout from any JSON. Throws one sentence for JSON of another kind; unknown parts are left out. */
export function layoutOf(given: unknown): Layout {
  const { version, tabs, shown, limits, runs } = recordOf(given);
  if (!Array.isArray(tabs)) throw new Error('this is no layout of varwire: it has no list of tabs');
  if (version !== 1) throw new Error(`this layout is of version ${String(version)}, and this page knows version 1`);
  const read = tabs.slice(0, MOST_TABS).map((tab, k) => tabOf(tab, `tab-${k + 1}`));
  const [first, ...others] = distinct(read, 'tab');
  if (!first) return EMPTY_LAYOUT;
  const all = [first, ...others] as const;
  const bounds = Object.entries(recordOf(limits)).slice(0, MOST_LIMITS);
  const looks = Object.entries(recordOf(runs)).slice(0, MOST_RUNS);
  return {
    version: 1,
    tabs: [...all],
    shown: all.find(({ id }) => id === shown)?.id ?? first.id,
    ...(bounds.length > 0 && { limits: Object.fromEntries(bounds.map(([alias, each]) => [alias, limitsOf(each)])) }),
    ...(looks.length > 0 && { runs: Object.fromEntries(looks.map(([run, each]) => [run, runLookOf(each)])) }),
  };
}

function tabOf(given: unknown, id: string): Tab {
  const { name, panels, ...rest } = recordOf(given);
  const read = (Array.isArray(panels) ? panels : []).slice(0, MOST_PANELS).flatMap((panel) => panelOf(panel));
  return {
    id: textOf(rest.id) ?? id,
    name: textOf(name)?.slice(0, LONGEST_NAME) ?? 'Tab',
    panels: compacted(distinct(read, 'panel')),
  };
}

function panelOf(given: unknown): PlacedPanel[] {
  const { id, type, place, settings, ...rest } = recordOf(given);
  const name = textOf(rest.name)?.slice(0, LONGEST_NAME);
  const kind = textOf(type);
  if (kind === undefined) return [];
  const { x, y, columns, rows } = recordOf(place);
  const width = cellsOf(columns, 1, GRID_COLUMNS, 8);
  return [
    {
      id: textOf(id) ?? 'panel-1',
      type: kind,
      ...(name !== undefined && { name }),
      place: {
        columns: width,
        rows: cellsOf(rows, 1, 100, 8),
        x: cellsOf(x, 0, GRID_COLUMNS - width, 0),
        y: cellsOf(y, 0, 10_000, 0),
      },
      settings: recordOf(settings),
    },
  ];
}

/** Gives items new ids where an id occurs twice. */
function distinct<Item extends { readonly id: string }>(items: readonly Item[], word: string): Item[] {
  const used = new Set<string>();
  return items.map((item) => {
    const id = used.has(item.id) ? freshId(used, word) : item.id;
    used.add(id);
    return id === item.id ? item : { ...item, id };
  });
}

export function freshId(used: ReadonlySet<string>, word: string): string {
  let number = used.size + 1;
  while (used.has(`${word}-${number}`)) number++;
  return `${word}-${number}`;
}

const recordOf = (given: unknown): Readonly<Record<string, unknown>> =>
  typeof given === 'object' && given !== null && !Array.isArray(given) ? (given as Record<string, unknown>) : {};

const textOf = (given: unknown): string | undefined => (typeof given === 'string' && given !== '' ? given : undefined);

function cellsOf(given: unknown, least: number, most: number, otherwise: number): number {
  if (typeof given !== 'number' || !Number.isFinite(given)) return Math.min(otherwise, most);
  return Math.min(Math.max(Math.round(given), least), most);
}
