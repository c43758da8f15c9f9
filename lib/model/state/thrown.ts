// What was thrown, as text: code may throw anything, also what throws when it is looked at.

const UNREADABLE = 'something was thrown that cannot be shown';

/** What an error says, or the text of another thing. Never throws. */
export function thrownText(thrown: unknown): string {
  try {
    const message = typeof thrown === 'object' && thrown !== null && 'message' in thrown ? thrown.message : undefined;
    return typeof message === 'string' ? message : String(thrown);
  } catch {
    return UNREADABLE;
  }
}

/** The stack of an error; empty when there is none. Never throws. */
export function thrownStack(thrown: unknown): string {
  try {
    const { stack } = thrown as { readonly stack?: unknown };
    return typeof stack === 'string' ? stack : '';
  } catch {
    return '';
  }
}

/** What an error was caused by; undefined when that cannot be read. */
export function causeOf(thrown: unknown): unknown {
  try {
    return (thrown as Error).cause;
  } catch {
    return undefined;
  }
}

/** As `instanceof`, which some things throw at. Never throws. */
export function isThrown<T>(thrown: unknown, kind: abstract new (...args: never[]) => T): thrown is T {
  try {
    return thrown instanceof kind;
  } catch {
    return false;
  }
}

/** The error that was thrown, or one that says what was. Its message can be read. */
export function errorOf(thrown: unknown): Error {
  const text = thrownText(thrown);
  if (isThrown(thrown, Error) && Object.getOwnPropertyDescriptor(thrown, 'message')?.value === text) return thrown;
  return new Error(text, { cause: thrown });
}
