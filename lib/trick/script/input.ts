// Runs an input file in the server's own session. Trick: IPPython::init
import { ScriptError } from '../interpreter/error.js';
import { INPUT_LIMITS } from '../interpreter/meter.js';
import type { IncludedBlock } from '../interpreter/scope.js';
import { type BlockFailure, parseText, runText } from './block-text.js';
import type { ServerScript } from './server-script.js';

/** An input file that has been read. */
export interface InputText {
  readonly name: string;
  readonly text: string;
  /** The text of an included file. Throws one sentence when the input file may not include it. */
  readonly include: (name: string) => string;
}

/** Resolves when everything that the file has asked for is done. Rejects with a BlockFailure. */
export async function runInput(script: ServerScript, { name, text, include }: InputText): Promise<void> {
  const { surroundings } = script;
  surroundings.include = (file) => includedBlock(file, include);
  surroundings.input = { name, text };
  const failure: BlockFailure | undefined = await script.run({
    length: text.length,
    limits: INPUT_LIMITS,
    start: (interpreter) => runText(interpreter, text, name),
  });
  surroundings.include = undefined;
  surroundings.input = undefined;
  await script.settled();
  if (failure) throw failure;
}

function includedBlock(file: string, include: InputText['include']): IncludedBlock {
  const text = textOf(file, include);
  return { file, text, tree: parseText(text, file) };
}

function textOf(file: string, include: InputText['include']): string {
  try {
    return include(file);
  } catch (error) {
    throw new ScriptError('FileNotFoundError', (error as Error).message);
  }
}
