// The input file of a server: it runs before the ports open.

import type { TrickFrontEnd } from '../../protocols/trick/front-end/front-end.js';
import { InputFile } from '../../simulation/files/input-file.js';
import type { ServerLog } from './server-log.js';

export class InputRun {
  constructor(
    private readonly file: string,
    private readonly log: ServerLog,
    private readonly directories: readonly string[] = [],
  ) {}

  /** Returns the main port that the file has chosen. Rejects with the sentence that says where the input file failed. */
  run(trick: TrickFrontEnd): Promise<number | undefined> {
    return this.runFile(trick).catch((error: Error) => {
      throw new Error(`${this.file} ends with an error:\n${error.message}`, { cause: error });
    });
  }

  private runFile(trick: TrickFrontEnd): Promise<number | undefined> {
    const file = new InputFile(this.file, this.directories, (sentence) => this.log.say('normal', sentence));
    return trick.runInput({ name: file.name, text: file.text, files: file });
  }
}
