// An input file runs in its simulation.

import type { TrickFrontEnd } from '../../protocols/trick/front-end/front-end.js';
import type { InputFiles } from '../../simulation/files/input-file.js';

/** Returns the main port that the file has chosen. Rejects with the sentence that says where it has failed. */
export async function runInputFile(trick: TrickFrontEnd, files: InputFiles): Promise<number | undefined> {
  const { name, text } = files;
  try {
    return await trick.runInput({ name, text, files });
  } catch (error) {
    throw new Error(`${name} ends with an error:\n${(error as Error).message}`, { cause: error });
  }
}
