// The errors that end a command with an exit code of their own, and what throws them.

export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The error of `parseArgs` as one sentence, with the place where the options are listed. */
export function refusedLine(error: unknown, where: string): UsageError {
  const { message } = error as Error;
  const [, option] = /^Option '(--[\w-]+)' argument is ambiguous/.exec(message) ?? [];
  if (option !== undefined)
    return new UsageError(`${option} takes a value; one that begins with - is written ${option}=-1; ${where}`);
  const [what = ''] = message.split(/\.\s/);
  return new UsageError(`${what}; ${where}`);
}

/** A signal has ended the command. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError';

  constructor(readonly signal: 'SIGINT' | 'SIGTERM') {
    super(signal);
  }

  /** The exit code with which a shell reports a program that a signal has ended. */
  get exitCode(): number {
    return this.signal === 'SIGINT' ? 130 : 143;
  }
}

/** A signal has ended what the command was doing, and that has failed at its end. */
export class StoppedError extends Error {
  override readonly name = 'StoppedError';

  constructor(
    message: string,
    readonly exitCode: number,
  ) {
    super(message);
  }
}

/** Throws a UsageError. */
export function parseNumber(option: string, text: string): number {
  const number = Number(text);
  if (text.trim() !== '' && Number.isFinite(number)) return number;
  throw new UsageError(`--${option} takes a number, not ${text}`);
}
