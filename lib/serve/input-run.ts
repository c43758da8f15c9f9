// The input file of a server: runs before the ports open, and starts the simulation once clients can connect.
import { InputFile } from '../files/input-file.js';
import type { Source } from '../source/source.js';
import type { TrickFrontEnd } from '../trick/front-end/front-end.js';
import type { ServerLog } from './server-log.js';

export class InputRun {
  constructor(
    private readonly file: string,
    private readonly source: Source,
    private readonly log: ServerLog,
  ) {}

  /** Rejects with the sentence that says where it has failed. */
  async run(trick: TrickFrontEnd): Promise<void> {
    await trick.runInput(new InputFile(this.file)).catch((error: Error) => {
      throw new Error(`${this.file} ends with an error:\n${error.message}`, { cause: error });
    });
  }

  /** Its first frame comes when clients can connect; an input file may have ended it before. */
  start(): void {
    this.source
      .submit({ kind: 'control', control: { action: 'start' } })
      .catch((error: Error) => this.log.say('informational', error.message));
  }
}
