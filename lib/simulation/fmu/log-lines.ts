// What an FMU logs, up to some lines a call: a model that prints without end must not fill the memory.
import type { LogLine, Words } from './messages.js';

const MOST_LINES = 100;
const LONGEST_LINE = 2000;

export class LogLines {
  private lines: LogLine[] = [];
  private leftOut = 0;

  /** @param status 0 is OK, 1 a warning, and more an error. */
  add(status: number, category: string, text: string): void {
    if (this.lines.length >= MOST_LINES) {
      this.leftOut++;
      return;
    }
    const level = status === 0 ? 'informational' : status === 1 ? 'warning' : 'error';
    const line = text.trim().slice(0, LONGEST_LINE);
    this.lines.push({ level, text: category === '' || level !== 'informational' ? line : `${category}: ${line}` });
  }

  get isFull(): boolean {
    return this.lines.length >= MOST_LINES;
  }

  /** Skips a line without looking at it. */
  skip(): void {
    this.leftOut++;
  }

  /** The last error or warning, for the sentence of a call that fails. */
  get lastComplaint(): string | undefined {
    return this.lines.findLast(({ level }) => level !== 'informational')?.text;
  }

  /** Takes what has come since the last time. */
  take(): Words | undefined {
    if (this.lines.length === 0) return undefined;
    const { lines, leftOut } = this;
    this.lines = [];
    this.leftOut = 0;
    return { logs: lines, ...(leftOut > 0 && { leftOut }) };
  }
}
