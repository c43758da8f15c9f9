// What goes wrong while a block runs, in Python's words: the block ends, what ran before it stays.

export type ErrorKind =
  | 'NameError'
  | 'AttributeError'
  | 'TypeError'
  | 'ValueError'
  | 'IndexError'
  | 'KeyError'
  | 'ZeroDivisionError'
  | 'OverflowError'
  | 'ImportError'
  | 'RecursionError'
  | 'MemoryError'
  | 'RuntimeError';

export class ScriptError extends Error {
  override readonly name = 'ScriptError';
  /** Offset in the block of the statement that failed; known once it has passed through one. */
  at: number | undefined;

  constructor(
    readonly kind: ErrorKind,
    message: string,
  ) {
    super(message);
  }
}

/** The pieces in which Python writes a traceback. Trick: golden session with redirected stderr */
export function tracebackPieces(error: ScriptError, line: number): string[] {
  return [
    'Traceback (most recent call last):\n',
    `  File "<string>", line ${line}, in <module>\n`,
    `${error.kind}: ${error.message}\n`,
  ];
}
