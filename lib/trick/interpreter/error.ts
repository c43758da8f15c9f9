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
  | 'FileNotFoundError'
  | 'RecursionError'
  | 'MemoryError'
  | 'RuntimeError';

export interface Place {
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

/** What Python calls a text that is no file. */
export const NO_FILE = '<string>';

export class ScriptError extends Error {
  override readonly name = 'ScriptError';
  /** Offset in the block of the statement that failed; known once it has passed through one. */
  at: number | undefined;
  /** Where that is, once it has passed out of a text. */
  place: Place | undefined;

  constructor(
    readonly kind: ErrorKind,
    message: string,
  ) {
    super(message);
  }
}

/** The pieces in which Python writes a traceback. Trick: golden session with redirected stderr */
export function tracebackPieces(error: ScriptError, { file, line }: Place): string[] {
  return [
    'Traceback (most recent call last):\n',
    `  File "${file}", line ${line}, in <module>\n`,
    `${error.kind}: ${error.message}\n`,
  ];
}
