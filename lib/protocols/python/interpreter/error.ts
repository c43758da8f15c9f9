// The errors of a running block, in Python's words; an error ends the block, and what ran before it stays.

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
  | 'RuntimeError'
  | 'AssertionError'
  | 'NotImplementedError'
  | 'OSError'
  | 'ArithmeticError'
  | 'LookupError'
  | 'Exception'
  | 'SystemExit'
  | 'BaseException';

export interface SourceLine {
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

/** The file name that Python shows for a text that comes from no file. */
export const NO_FILE = '<string>';

export class ScriptError extends Error {
  override readonly name = 'ScriptError';
  /** Offset in the block of the statement that failed; set by the statement that the error passes through first. */
  at: number | undefined;
  /** File and line of that statement; set by the first included file that the error leaves. */
  place: SourceLine | undefined;
  /** The exception that a block sees, once it has seen one. */
  value: unknown;

  constructor(
    readonly kind: ErrorKind,
    message: string,
  ) {
    super(message);
  }
}

/** Thrown when a block has used up a limit: the block ends, whatever it tries to catch. */
export class BlockStopped extends ScriptError {}

/** A traceback in the pieces in which Python writes it, each of which is one message of a session with redirected stdio. */
export function tracebackPieces(error: ScriptError, { file, line }: SourceLine): string[] {
  return [
    'Traceback (most recent call last):\n',
    `  File "${file}", line ${line}, in <module>\n`,
    error.message === '' ? `${error.kind}\n` : `${error.kind}: ${error.message}\n`,
  ];
}
