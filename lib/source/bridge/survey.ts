// What a bridge finds out of a simulation before it shows it.
import { type BridgedComponent, componentsOf, type Part, partsOf, withoutIndices } from './catalog.js';
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
  /** Two surveys of one text are of one catalog. */
  readonly text: string;
  readonly frameSeconds: number;
  readonly components: readonly SurveyedComponent[];
  /** What is left out, in one sentence. */
  readonly leftOut: string | undefined;
}

/** Rejects with one sentence for a simulation without a description. */
export async function survey(end: TrickEnd): Promise<Survey> {
  const { text, described } = await end.describe();
  const withParts = (isLeftOut: (path: string) => boolean): SurveyedComponent[] =>
    componentsOf(described, isLeftOut).map((component) => {
      const { object, alias, declared } = component;
      return { ...component, parts: [...partsOf(`${object}.${alias}`, declared.type)] };
    });
  const [first, tooMany] = upTo(
    MOST_PARTS,
    withParts(() => false),
  );
  const names = first.flatMap(({ parts }) => parts.map(({ path }) => path));
  const readable = await end.readable(names);
  const refused = new Set(names.filter((name) => !readable.has(name)).map(withoutIndices));
  const isBeyond = new Set(tooMany);
  const components =
    refused.size === 0
      ? first
      : withParts((path) => refused.has(path)).filter(({ object, alias }) => !isBeyond.has(`${object}.${alias}`));
  const [frameSeconds] = await end.get(['trick_sys.sched.software_frame']);
  return {
    text,
    frameSeconds: Number(frameSeconds) > 0 ? Number(frameSeconds) : 1,
    components,
    leftOut:
      sentence([...refused], 'have no value that fits in a message') ??
      sentence(tooMany, `are more than ${MOST_PARTS} values`),
  };
}

/** The first components that have so many parts together, and the names of the others. */
function upTo(most: number, all: readonly SurveyedComponent[]): [SurveyedComponent[], string[]] {
  let count = 0;
  const isIn = all.map(({ parts }) => {
    if (count + parts.length <= most) count += parts.length;
    else return false;
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
