// Makes what has failed small: fewer inputs, then fewer bytes, as long as a fresh server fails of it.

type Fails = (inputs: readonly Buffer[]) => Promise<boolean>;

/** A fresh server takes a second, and a hang some more. */
const MOST_MILLIS = 90_000;

/** The smallest list of inputs found that still fails; undefined when the same inputs do not fail again. */
export async function minimised(inputs: readonly Buffer[], fails: Fails): Promise<readonly Buffer[] | undefined> {
  const endMillis = performance.now() + MOST_MILLIS;
  const stillFails = async (candidate: readonly Buffer[]): Promise<boolean> =>
    performance.now() < endMillis && fails(candidate);
  if (!(await stillFails(inputs))) return undefined;
  const fewest = await withoutParts(inputs, stillFails);
  const [only] = fewest;
  if (fewest.length !== 1 || !only) return fewest;
  const bytes = await withoutParts([...only], (kept) => stillFails([Buffer.from(kept)]));
  return [Buffer.from(bytes)];
}

/** Leaves out halves, quarters and so on, as long as the rest fails. */
async function withoutParts<T>(
  all: readonly T[],
  fails: (kept: readonly T[]) => Promise<boolean>,
): Promise<readonly T[]> {
  let kept = all;
  for (let length = Math.ceil(kept.length / 2); length >= 1; length = length === 1 ? 0 : Math.ceil(length / 2)) {
    for (let at = 0; at < kept.length; ) {
      const without = [...kept.slice(0, at), ...kept.slice(at + length)];
      if (without.length > 0 && (await fails(without))) kept = without;
      else at += length;
    }
  }
  return kept;
}
