// An assertion for programs that play clients outside of mocha.

/** Throws the sentence if the condition is false. */
export function demand(isSo: boolean, sentence: string): asserts isSo {
  if (!isSo) throw new Error(sentence);
}
