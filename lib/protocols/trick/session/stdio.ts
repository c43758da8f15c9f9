// The output and the errors of blocks, which go to the client if it asked for them, else to the server's log.
import type { LogLevel } from '../../../source/source.js';
import { encodeStdio, type StdioStream } from '../wire/replies.js';

const LEVELS = { stdout: 'normal', stderr: 'warning' } as const;

/** A longer line is logged in pieces. */
const LONGEST_LINE = 2000;

export class SessionStdio {
  private isRedirected = false;
  /** Text that was printed and not logged yet. */
  private line = '';

  /** @param failed called for each traceback, and each refusal. */
  constructor(
    private readonly reply: (message: Uint8Array) => void,
    private readonly log: (text: string, level: LogLevel) => void,
    private readonly failed: () => void = () => undefined,
  ) {}

  /** Trick: var_set_send_stdio */
  redirect(isRedirected: boolean): void {
    this.isRedirected = isRedirected;
  }

  write(stream: StdioStream, text: string): void {
    if (this.isRedirected) this.reply(encodeStdio(stream, text));
    else if (stream === 'stdout') this.gather(text);
    else if (text.trim() !== '') this.log(text.trimEnd(), LEVELS[stream]);
  }

  /** Writes a sentence of the server to the standard error. */
  refuse(sentence: string): void {
    this.failed();
    this.write('stderr', `${sentence}\n`);
  }

  /** Logs the last line of a block, if it did not end that line. */
  endLine(): void {
    if (this.line !== '') this.gather('\n');
  }

  /** Collects what is printed until a line is complete, and logs the line. */
  private gather(text: string): void {
    const end = text.lastIndexOf('\n');
    this.line += text;
    if (end < 0 && this.line.length < LONGEST_LINE) return;
    const cut = end < 0 ? this.line.length : this.line.length - (text.length - end - 1);
    const lines = this.line.slice(0, cut).trimEnd();
    this.line = this.line.slice(cut);
    if (lines.trim() !== '') this.log(lines, LEVELS.stdout);
  }

  /** Writes the pieces of a traceback, each followed by an empty write, as Python does. */
  writeError(pieces: readonly string[]): void {
    this.failed();
    if (!this.isRedirected) {
      this.log(pieces.join('').trimEnd(), LEVELS.stderr);
      return;
    }
    for (const piece of pieces) {
      this.reply(encodeStdio('stderr', piece));
      this.reply(encodeStdio('stderr', ''));
    }
  }
}
