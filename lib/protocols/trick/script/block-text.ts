// Runs a text as a block, and turns its errors into what Python prints.

import { UnitsError } from '../../../model/units/index.js';
import {
  arithmetic,
  type Block,
  type BlockError,
  exceptionOf,
  type Interpreter,
  NO_FILE,
  type ParseResult,
  parseBlock,
  parseBlockInPieces,
  plain,
  printedPieces,
  type Run,
  ScriptError,
  type ScriptValue,
  toInteger,
  tracebackPieces,
} from '../../python/index.js';

/** A block that did not parse or did not come to its end. */
export class BlockFailure extends Error {
  /**
   * @param pieces what Python prints, in the pieces in which it writes.
   * @param exitCode the exit code that the text asked for, if it ended by itself.
   */
  constructor(
    readonly pieces: readonly string[],
    readonly exitCode?: number,
  ) {
    super(pieces.join('').trimEnd());
  }
}

/** The tree of a text, parsed at once. Throws a BlockFailure. */
export function parseText(text: string, file = NO_FILE): Block {
  return treeOf(parseBlock(text), file);
}

function treeOf({ tree, error }: ParseResult, file: string): Block {
  if (error) throw new BlockFailure(syntaxErrorPieces(error, file));
  return tree;
}

/** Parses a text, giving way now and then, and runs it. Throws a BlockFailure. */
export function* runText(interpreter: Interpreter, text: string, file = NO_FILE, known?: KnownTexts): Run<void> {
  const tree = yield* treeFrom(interpreter, text, file, known);
  yield* told(interpreter.run(tree, file === NO_FILE ? undefined : { file, text }), text, file);
}

/** Runs a text, and returns its value if it is one expression; undefined for any other text. Throws a BlockFailure. */
export function* runForValue(interpreter: Interpreter, text: string): Run<ScriptValue | undefined> {
  const block = yield* treeFrom(interpreter, text, NO_FILE);
  const [statement, ...others] = block.body;
  if (statement?.kind === 'expression-statement' && others.length === 0)
    return yield* told(interpreter.evaluate(statement.value), text, NO_FILE);
  yield* told(interpreter.run(block), text, NO_FILE);
  return undefined;
}

/** The trees of texts that run again and again. */
export interface KnownTexts {
  get(text: string): Block | undefined;
  set(text: string, tree: Block): void;
}

function* treeFrom(interpreter: Interpreter, text: string, file: string, known?: KnownTexts): Run<Block> {
  const tree = known?.get(text);
  if (tree) return tree;
  const parsed = yield* parseInTurns(interpreter, text, file);
  known?.set(text, parsed);
  return parsed;
}

/** Parses without counting the time for a block that has not begun, because its length is bounded. */
function* parseInTurns({ meter }: Interpreter, text: string, file = NO_FILE): Run<Block> {
  const parsing = parseBlockInPieces(text, meter.limits.tokens);
  for (;;) {
    const step = parsing.next();
    if (step.done) {
      meter.begin();
      return treeOf(step.value, file);
    }
    if (meter.isTimeUp) yield 'turn';
  }
}

/** The value of a text that is one expression. */
export function* evaluateText(interpreter: Interpreter, text: string, known?: KnownTexts): Run<ScriptValue> {
  const [statement, ...others] = (yield* treeFrom(interpreter, text, NO_FILE, known)).body;
  if (statement?.kind !== 'expression-statement' || others.length > 0) {
    throw new BlockFailure([`SyntaxError: one expression is expected here, not ${JSON.stringify(text)}\n`]);
  }
  return yield* told(interpreter.evaluate(statement.value), text, NO_FILE);
}

function* told<T>(run: Run<T>, text: string, file: string): Run<T> {
  try {
    return yield* run;
  } catch (error) {
    throw asFailure(error, text, file);
  }
}

/** An error of the language becomes a BlockFailure; any other error is a defect of this program and stays as it is. */
function asFailure(error: unknown, text: string, file: string): unknown {
  const shown = error instanceof UnitsError ? new ScriptError('TypeError', error.message) : error;
  if (!(shown instanceof ScriptError)) return error;
  if (shown.kind === 'SystemExit') return new BlockFailure(...exitOf(shown));
  const line = text.slice(0, shown.at ?? 0).split('\n').length;
  return new BlockFailure(tracebackPieces(shown, shown.place ?? { file, line }));
}

/** What Python prints for `sys.exit(value)`, and its exit code: a number, 0 for None, 1 for a text, which is printed. */
function exitOf(error: ScriptError): [pieces: string[], exitCode: number] {
  const { items } = exceptionOf(error).args;
  const [value = null] = items;
  const number = items.length < 2 ? arithmetic(plain(value)) : undefined;
  if (value === null || number !== undefined) return [[], Number(BigInt.asUintN(8, toInteger(number ?? 0n)))];
  return [[`${error.message}\n`], 1];
}

const syntaxErrorPieces = (error: BlockError, file: string): string[] =>
  printedPieces(error).map((piece, index) => (index === 0 ? piece.replace(NO_FILE, () => file) : piece));
