// A session's lines in the server's log; their length and their number per second are limited.
import { noteLeftOut } from '../../bounds/left-out.js';
import type { SessionRegistry } from '../../session/registry.js';
import type { LogLevel } from '../../source/source.js';

const MOST_LINES = 200;
const WINDOW_MILLIS = 1000;
const LONGEST_LINE = 2000;

export class SessionLog {
  private windowStartMillis = Number.NEGATIVE_INFINITY;
  private lines = 0;

  constructor(
    private readonly registry: Pick<SessionRegistry, 'clock' | 'errors'>,
    private readonly write: (text: string, level?: LogLevel, isTricks?: boolean) => void,
  ) {}

  /** Logs a line about the session; warnings and errors are counted. */
  readonly say = (text: string, level?: LogLevel): void => {
    if (level === 'warning' || level === 'error') this.registry.errors.note('warning');
    this.put(text, level, false);
  };

  /** Logs what a block has printed. */
  readonly printed = (text: string, level?: LogLevel): void => this.put(text, level, false);

  /** Logs a message that Trick publishes too, in Trick's words. */
  readonly publish = (text: string, level?: LogLevel): void => this.put(text, level, true);

  private put(text: string, level: LogLevel | undefined, isTricks: boolean): void {
    const now = this.registry.clock.nowMillis();
    if (now - this.windowStartMillis >= WINDOW_MILLIS) this.startWindow(now);
    if (++this.lines > MOST_LINES) {
      noteLeftOut('log_lines');
      return;
    }
    const line = text.length > LONGEST_LINE ? `${text.slice(0, LONGEST_LINE)}... (${text.length} characters)` : text;
    this.write(line, level, isTricks);
  }

  private startWindow(now: number): void {
    const leftOut = this.lines - MOST_LINES;
    if (leftOut > 0) this.write(`${leftOut} more lines were left out`);
    this.windowStartMillis = now;
    this.lines = 0;
  }
}
