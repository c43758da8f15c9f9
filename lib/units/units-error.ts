// The error of everything that goes wrong with units: one clear sentence.
export class UnitsError extends Error {
  override readonly name = 'UnitsError';
}
