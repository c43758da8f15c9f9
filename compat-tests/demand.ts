// For programs that play clients outside of mocha: a condition that must hold.

/** Throws the sentence when something is not so. */
export function demand(isSo: boolean, sentence: string): asserts isSo {
  if (!isSo) throw new Error(sentence);
}
