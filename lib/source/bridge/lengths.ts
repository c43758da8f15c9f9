// How many values lie behind each pointer and in each container, which only the simulation knows.
import { type BridgedComponent, isMeasured, type MeasuredPart, partsOf, withoutIndices } from './catalog.js';
import type { TrickEnd } from './trick-end.js';

/** Of one pointer or container: those behind them are not shown. */
export const MOST_ELEMENTS = 1000;
/** Those in excess are shown as null or empty. */
const MOST_MEASURED = 1000;
const LEAST_CAPACITY = 16;
/** Where Trick does not know how long what a pointer leads to is, it finds an element at any index. */
const FAR = 1_000_000;

/** By the paths of pointers and containers. */
export type Lengths = ReadonlyMap<string, number>;

export const measuredIn = ({ object, alias, declared }: BridgedComponent): MeasuredPart[] =>
  [...partsOf(`${object}.${alias}`, declared.type)].filter(isMeasured);

/** What is no container for the simulation, and what is null, has no entry. */
export async function measure(end: TrickEnd, components: readonly BridgedComponent[]): Promise<Lengths> {
  const all = components.flatMap(measuredIn).slice(0, MOST_MEASURED);
  const pathsOf = (kind: string): string[] => all.flatMap(({ path, type }) => (type.kind === kind ? [path] : []));
  const containers = pathsOf('sequence');
  const sizes = await end.sizes(containers);
  const found = containers.flatMap((path, index) => {
    const size = sizes[index];
    return size === undefined ? [] : [[path, Math.min(size, MOST_ELEMENTS)] as const];
  });
  return new Map([...found, ...(await behind(end, pathsOf('pointer')))]);
}

/** Room for the elements of each container, by its name without indices, and for as many more. */
export function capacitiesOf(lengths: Lengths): (path: string) => number {
  const most = new Map<string, number>();
  for (const [path, length] of lengths) {
    const name = withoutIndices(path);
    most.set(name, Math.max(length, most.get(name) ?? 0));
  }
  return (name) =>
    Math.min(MOST_ELEMENTS, Math.max(LEAST_CAPACITY, 2 ** Math.ceil(Math.log2(2 * (most.get(name) ?? 0)))));
}

/** The first index that Trick refuses is the length. */
async function behind(end: TrickEnd, pointers: readonly string[]): Promise<Lengths> {
  const isThere = await exist(end, pointers, [0, 1, FAR]);
  const lengths = new Map<string, number>();
  for (const pointer of pointers) if (isThere(pointer, 0)) lengths.set(pointer, 1);
  const long = pointers.filter((pointer) => isThere(pointer, 1) && !isThere(pointer, FAR));
  let open = long.map((pointer) => ({ pointer, least: 2, most: MOST_ELEMENTS }));
  while (open.length > 0) {
    for (const { pointer, least } of open) lengths.set(pointer, least);
    open = await halved(
      end,
      open.filter(({ least, most }) => least < most),
    );
  }
  return lengths;
}

interface Range {
  readonly pointer: string;
  readonly least: number;
  readonly most: number;
}

/** The halves in which the lengths lie. */
async function halved(end: TrickEnd, ranges: readonly Range[]): Promise<Range[]> {
  const middles = ranges.map(({ least, most }) => Math.floor((least + most) / 2));
  const isThere = await end.exist(ranges.map(({ pointer }, index) => `${pointer}[${middles[index]}]`));
  return ranges.map(({ pointer, least, most }, index) => {
    const middle = middles[index] as number;
    return isThere[index] ? { pointer, least: middle + 1, most } : { pointer, least, most: middle };
  });
}

/** Which elements there are at some indices of each pointer. */
async function exist(end: TrickEnd, pointers: readonly string[], indices: readonly number[]) {
  const names = pointers.flatMap((pointer) => indices.map((index) => `${pointer}[${index}]`));
  const answers = await end.exist(names);
  const there = new Set(names.filter((_, index) => answers[index]));
  return (pointer: string, index: number): boolean => there.has(`${pointer}[${index}]`);
}
