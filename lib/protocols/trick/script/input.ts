// Runs an input file in the server's own session. Trick: IPPython::init
import { INPUT_LIMITS } from '../../python/index.js';
import type { BlockFailure } from './block-text.js';
import { runText } from './block-text.js';
import { type ReadableFiles, ScriptFiles } from './script-files.js';
import type { ServerScript } from './server-script.js';

/** An input file that has been read. */
export interface InputText {
  readonly name: string;
  readonly text: string;
  /** The files that it and the texts that it adds may read. Default: none. */
  readonly files?: ReadableFiles;
}

/** Resolves when everything that the file has asked for is done, also its end. Rejects with a BlockFailure. */
export async function runInput(script: ServerScript, { name, text, files }: InputText): Promise<void> {
  const { surroundings } = script;
  surroundings.files = files && new ScriptFiles(files, name);
  surroundings.input = { name, text };
  const failure: BlockFailure | undefined = await script.run({
    length: text.length,
    limits: INPUT_LIMITS,
    start: (interpreter) => runText(interpreter, text, name),
  });
  surroundings.input = undefined;
  await script.settled();
  if (!failure) return;
  if (failure.exitCode === undefined) throw failure;
  script.session.stdio.writeError(failure.pieces);
}
