// A simulation that runs and makes no frames, such as a feed whose data come now and then: it is asked for its values.
import { isDeepStrictEqual } from 'node:util';
import type { TrickEnd, TrickEndValue } from './trick-end.js';

/** When no update has come for so long, a simulation may be at rest. */
export const REST_MILLIS = 1000;

/** The values, read twice: undefined where they change, as they may be of two moments then. */
export async function readAtRest(
  end: TrickEnd,
  names: readonly string[],
): Promise<readonly TrickEndValue[] | undefined> {
  const values = await end.get(names);
  return isDeepStrictEqual(await end.get(names), values) ? values : undefined;
}
