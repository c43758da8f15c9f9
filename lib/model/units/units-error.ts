// The error of everything that goes wrong with units: one clear sentence.
/** Units that do not exist, or that do not convert into each other. */
export class UnitsError extends Error {
  override readonly name = 'UnitsError';
}
