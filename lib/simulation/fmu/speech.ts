// What an FMU logs, said to the simulation's users: so many lines a second, and how many were left out.
import type { Words } from './messages.js';

/** What an instance needs of the simulation. */
export interface InstanceHost {
  say(text: string, level: 'informational' | 'warning' | 'error'): void;
  readonly nowMillis: () => number;
}

const MOST_LINES = 100;
const WINDOW_MILLIS = 1000;

export class Speech {
  private windowMillis = Number.NEGATIVE_INFINITY;
  private said = 0;
  private leftOut = 0;

  constructor(
    private readonly name: string,
    private readonly host: InstanceHost,
  ) {}

  say({ logs = [], leftOut = 0 }: Words): void {
    const now = this.host.nowMillis();
    if (now - this.windowMillis >= WINDOW_MILLIS) {
      this.end();
      this.windowMillis = now;
      this.said = 0;
    }
    for (const { level, text } of logs) {
      if (this.said++ < MOST_LINES) this.host.say(`${this.name}: ${text}`, level);
      else this.leftOut++;
    }
    this.leftOut += leftOut;
  }

  warn(text: string): void {
    this.host.say(text, 'warning');
  }

  /** Says what was left out. */
  end(): void {
    if (this.leftOut > 0)
      this.host.say(`${this.name} has logged ${this.leftOut} more lines, which are left out`, 'warning');
    this.leftOut = 0;
  }
}
