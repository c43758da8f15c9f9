// A command line that means nothing.

export class UsageError extends Error {
  override readonly name = 'UsageError';
}
