// The error for a command line that is not valid.

export class UsageError extends Error {
  override readonly name = 'UsageError';
}
