// What a bridge finds out of a simulation before it shows it.
import {
  type BridgedComponent,
  componentsOf,
  elementsOf,
  isMeasured,
  type Part,
  partCount,
  partsOf,
  withoutIndices,
} from './catalog.js';
import { capacitiesOf, type Lengths, measure } from './lengths.js';
import { frameSecondsOf } from './moment.js';
import type { TrickEnd } from './trick-end.js';

/** How many values are asked for in each update; an array of numbers is one. */
export const MOST_PARTS = 100_000;
const MOST_NAMED = 3;

export interface SurveyedComponent extends BridgedComponent {
  /** What fills it, from its beginning. */
  readonly parts: readonly Part[];
}

/** What is shown of a simulation. */
export interface Survey {
  /** Two surveys of one text are of one catalog, where pointers and containers are as long. */
  readonly text: string;
  readonly frameSeconds: number;
  readonly components: readonly SurveyedComponent[];
  readonly lengths: Lengths;
  /** Names that the simulation has answered with a value. */
  readonly readable: ReadonlySet<string>;
  /** What is left out, in one sentence. */
  readonly leftOut: string | undefined;
}

const everything = () => false;

/**
 * Rejects with one sentence for a simulation without a description.
 * @param before of the same simulation: what was found to be readable is not asked again.
 */
export async function survey(end: TrickEnd, before?: Survey): Promise<Survey> {
  const { text, described } = await end.describe();
  const [fitting, vast] = upTo(MOST_PARTS, componentsOf(described, everything), ({ declared }) =>
    partCount(declared.type),
  );
  const isVast = new Set(vast);
  const lengths = await measure(end, fitting);
  const capacityOf = capacitiesOf(lengths);
  const withParts = (isLeftOut: (path: string) => boolean): SurveyedComponent[] =>
    componentsOf(described, (path) => isVast.has(path) || isLeftOut(path), capacityOf).map((component) => {
      const { object, alias, declared } = component;
      return { ...component, parts: [...partsOf(`${object}.${alias}`, declared.type)] };
    });
  const [first, others] = upTo(MOST_PARTS, withParts(everything), ({ parts }) =>
    parts.reduce((sum, { path }) => sum + Math.max(1, lengths.get(path) ?? 1), 0),
  );
  const tooMany = [...vast, ...others];
  const names = first.flatMap(({ parts }) => parts.flatMap((part) => namesIn(part, lengths)));
  const readable = await readableOf(end, names, before?.text === text ? before.readable : new Set());
  const unknown = first.flatMap(({ parts }) => parts.filter((part) => isUnknown(part, lengths)));
  const refused = new Set(
    [...names.filter((name) => !readable.has(name)), ...unknown.map(({ path }) => path)].map(withoutIndices),
  );
  const isBeyond = new Set(tooMany);
  const components =
    refused.size === 0
      ? first
      : withParts((path) => refused.has(path)).filter(({ object, alias }) => !isBeyond.has(`${object}.${alias}`));
  const [frameSeconds] = await end.get(['trick_sys.sched.software_frame']);
  return {
    text,
    frameSeconds: frameSecondsOf(frameSeconds),
    components,
    lengths,
    readable,
    leftOut:
      sentence([...refused], 'have no value that fits in a message') ??
      sentence(tooMany, `are more than ${MOST_PARTS} values`),
  };
}

/** Whether it is a container that the simulation takes for none, or has not been asked about. */
const isUnknown = ({ type, path }: Part, lengths: Lengths): boolean => type.kind === 'sequence' && !lengths.has(path);

/** What has to have a value so that a part is shown: all that a pointer leads to, and the first element of a container. */
function namesIn(part: Part, lengths: Lengths): string[] {
  if (!isMeasured(part)) return [part.path];
  const length = lengths.get(part.path) ?? 0;
  const count = part.type.kind === 'pointer' ? length : Math.min(length, 1);
  return [...elementsOf(part, count, 0)].map(({ path }) => path);
}

async function readableOf(
  end: TrickEnd,
  names: readonly string[],
  known: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const unknown = names.filter((name) => !known.has(name));
  return unknown.length === 0 ? known : new Set([...known, ...(await end.readable(unknown))]);
}

/** The first components that have so many values together, and the names of the others. */
function upTo<C extends BridgedComponent>(
  most: number,
  all: readonly C[],
  countOf: (component: C) => number,
): [C[], string[]] {
  let count = 0;
  const isIn = all.map((component) => {
    const own = countOf(component);
    if (count + own > most) return false;
    count += own;
    return true;
  });
  const others = all.filter((_, index) => !isIn[index]).map(({ object, alias }) => `${object}.${alias}`);
  return [all.filter((_, index) => isIn[index]), others];
}

function sentence(names: readonly string[], why: string): string | undefined {
  if (names.length === 0) return undefined;
  const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : '';
  return `left out, because they ${why}: ${names.slice(0, MOST_NAMED).join(', ')}${more}`;
}
