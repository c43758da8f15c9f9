// A session's lines in the server's log; their length and their number per second are limited.
import type { SessionRegistry } from '../../../serving/session/registry.js';
import type { LogLevel } from '../../../source/source.js';
import type { TrickServer } from './server-settings.js';

const MOST_LINES = 200;
const WINDOW_MILLIS = 1000;
const LONGEST_LINE = 2000;

type Write = (text: string, level?: LogLevel, isTricks?: boolean) => void;

/** Writes lines for a client: before each stands who it is, before a message in Trick's words in the operator's log only. */
export function logAs(server: Pick<TrickServer, 'log'>, who: () => string): Write {
  return (text, level, isTricks) => {
    if (isTricks) server.log(text, level, { by: who() });
    else server.log(`${who()}: ${text}`, level, {});
  };
}

export class SessionLog {
  private windowStartMillis = Number.NEGATIVE_INFINITY;
  private lines = 0;
  private leftOut = 0;

  /** @param network of the address whose lines these are; undefined for the operator's own. */
  constructor(
    private readonly registry: Pick<SessionRegistry, 'clock' | 'errors' | 'ledger'>,
    private readonly write: Write,
    private readonly network?: string,
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
    const line = text.length > LONGEST_LINE ? `${text.slice(0, LONGEST_LINE)}... (${text.length} characters)` : text;
    if (++this.lines > MOST_LINES || !this.hasRoom(line)) {
      this.leftOut++;
      return;
    }
    this.write(line, level, isTricks);
  }

  private hasRoom(line: string): boolean {
    return this.network === undefined || this.registry.ledger.mayLog(this.network, line.length);
  }

  private startWindow(now: number): void {
    const { leftOut } = this;
    this.windowStartMillis = now;
    this.lines = 0;
    this.leftOut = 0;
    if (leftOut > 0) this.write(`${leftOut} more lines were left out`);
  }
}
