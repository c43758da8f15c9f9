// What blocks print and what goes wrong in them: to the client when it asked for it, to the server's log otherwise.
import type { LogLevel } from '../../source/source.js';
import { MessageIndicator } from '../wire/message-indicator.js';

export type StdioStream = 'stdout' | 'stderr';
const STREAM_NUMBERS = { stdout: 1, stderr: 2 } as const;
const LEVELS = { stdout: 'normal', stderr: 'warning' } as const;

/** A line that is longer is logged in pieces. */
const LONGEST_LINE = 2000;

/** A message of one write: `4 1 5\nhello`. Trick: VariableServerSession::write_stdio */
export function encodeStdio(stream: StdioStream, text: string): Uint8Array {
  const bytes = Buffer.from(text);
  const head = `${MessageIndicator.stdio} ${STREAM_NUMBERS[stream]} ${bytes.length}\n`;
  return Buffer.concat([Buffer.from(head), bytes]);
}

export class SessionStdio {
  private isRedirected = false;
  /** Printed and not logged yet. */
  private line = '';

  constructor(
    private readonly reply: (message: Uint8Array) => void,
    private readonly log: (text: string, level: LogLevel) => void,
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

  /** Logs what a block has printed on a line that it has not ended. */
  endLine(): void {
    if (this.line !== '') this.gather('\n');
  }

  /** A line is printed piece by piece and logged as one. */
  private gather(text: string): void {
    const end = text.lastIndexOf('\n');
    this.line += text;
    if (end < 0 && this.line.length < LONGEST_LINE) return;
    const cut = end < 0 ? this.line.length : this.line.length - (text.length - end - 1);
    const lines = this.line.slice(0, cut).trimEnd();
    this.line = this.line.slice(cut);
    if (lines.trim() !== '') this.log(lines, LEVELS.stdout);
  }

  /** Pieces of a traceback, each followed by an empty write, as Python's own printing leaves them. */
  writeError(pieces: readonly string[]): void {
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
