// Syntax errors of a block: where they are and how Python prints them.

export type SyntaxErrorType = 'SyntaxError' | 'IndentationError' | 'TabError';

/** Why a block does not parse; line and column count from 1, the column in characters. */
export interface BlockError {
  readonly type: SyntaxErrorType;
  readonly message: string;
  readonly line: number;
  readonly column: number;
  /** The whole source line without its newline. */
  readonly lineText: string;
  /** Blanks and carets, to print under the line without its indentation; empty when the error is in the indentation. */
  readonly caretText: string;
}

/** The grammar throws this inside, and catches it before it returns to its caller. */
export class SyntaxProblem extends Error {
  constructor(
    message: string,
    /** Offset in the block. */
    readonly at: number,
    /** How many characters the carets cover. */
    readonly length = 1,
    readonly type: SyntaxErrorType = 'SyntaxError',
  ) {
    super(message);
  }
}

/** The number of the line that holds the offset, from 1. */
export function lineNumberAt(text: string, at: number): number {
  let line = 1;
  for (let newline = text.indexOf('\n'); newline >= 0 && newline < at; newline = text.indexOf('\n', newline + 1))
    line++;
  return line;
}

/** Works out line, column and carets of a problem. */
export function describeProblem(problem: SyntaxProblem, text: string): BlockError {
  const lineStart = problem.at === 0 ? 0 : text.lastIndexOf('\n', problem.at - 1) + 1;
  const newline = text.indexOf('\n', lineStart);
  const lineText = text.slice(lineStart, newline < 0 ? text.length : newline);
  const column = lengthInCharacters(text.slice(lineStart, problem.at)) + 1;
  const caretCount = Math.max(
    1,
    lengthInCharacters(text.slice(problem.at, problem.at + problem.length).split('\n', 1)[0] ?? ''),
  );
  const { type, message } = problem;
  return {
    type,
    message,
    line: lineNumberAt(text, problem.at),
    column,
    lineText,
    caretText: carets(lineText, column, caretCount),
  };
}

/**
 * What Python prints for the error, piece by piece as it writes them: file line, source line, carets (left out when they
 * would fall into the indentation), message. Each ends in a newline.
 */
export function printedPieces(error: BlockError): string[] {
  const caretLine = error.caretText === '' ? [] : [`    ${error.caretText}\n`];
  const sourceLine = `    ${error.lineText.trim()}\n`;
  return [`  File "<string>", line ${error.line}\n`, sourceLine, ...caretLine, `${error.type}: ${error.message}\n`];
}

function carets(lineText: string, column: number, count: number): string {
  const blanks = column - 1 - (lineText.length - lineText.trimStart().length);
  return blanks < 0 ? '' : ' '.repeat(blanks) + '^'.repeat(count);
}

/** Python counts characters, JavaScript UTF-16 units. */
function lengthInCharacters(text: string): number {
  let length = text.length;
  for (let index = 0; index < text.length - 1; index++) {
    if ((text.codePointAt(index) ?? 0) > 0xffff) {
      length--;
      index++;
    }
  }
  return length;
}
