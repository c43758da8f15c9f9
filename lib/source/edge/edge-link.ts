// An edge's connection to its source, which is made again whenever it is lost.
import type { Connect, EdgeEvents, EdgeLine, Up } from './carrier.js';

const FIRST_PAUSE_MILLIS = 100;
const LONGEST_PAUSE_MILLIS = 2000;
const CHECK_MILLIS = 500;
/** A source says every 2 seconds that it is there. Counted in checks: a process that was stopped has heard nothing, too. */
const MOST_SILENT_CHECKS = 20;

export interface LinkEvents extends Omit<EdgeEvents, 'message'> {
  /** Returns whether it was understood. */
  message(message: Uint8Array): boolean;
  connected(): void;
  /** Twice a second while there is a connection. */
  check(): void;
}

export class EdgeLink {
  private line: EdgeLine | undefined;
  private lose: (reason: string) => void = () => undefined;
  private silentChecks = 0;
  private pauseMillis = FIRST_PAUSE_MILLIS;
  private again: NodeJS.Timeout | undefined;
  private isClosed = false;

  constructor(
    private readonly connect: Connect,
    private readonly events: LinkEvents,
  ) {}

  /** Rejects with one sentence when there is no connection. */
  async open(): Promise<void> {
    let isLost = false;
    const lost = (reason: string): void => {
      if (isLost) return;
      isLost = true;
      clearInterval(timer);
      this.line?.close();
      this.line = undefined;
      if (this.isClosed) return;
      this.events.lost(reason);
      this.openLater();
    };
    const { events } = this;
    const message = (bytes: Uint8Array): void => {
      if (!isLost && events.message(bytes)) this.silentChecks = 0;
    };
    let timer: NodeJS.Timeout | undefined;
    const line = await this.connect({ message, denied: () => events.denied(), lost });
    if (this.isClosed || isLost) return line.close();
    this.line = line;
    this.lose = lost;
    this.silentChecks = 0;
    timer = setInterval(() => this.check(), CHECK_MILLIS);
    events.connected();
  }

  /** Of what is told at once. */
  get mostBytes(): number {
    return this.line?.mostBytes ?? Number.POSITIVE_INFINITY;
  }

  tell(kind: Up, text: string): void {
    this.line?.tell(kind, text);
  }

  /** Ends this connection; another one is made. */
  drop(reason: string): void {
    this.lose(reason);
  }

  /** It serves: if it is lost, the next one is made at once. */
  prosper(): void {
    this.pauseMillis = FIRST_PAUSE_MILLIS;
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.again);
    this.lose('this edge is closed');
  }

  private check(): void {
    if (++this.silentChecks > MOST_SILENT_CHECKS)
      this.drop(`it has said nothing that is understood for ${(MOST_SILENT_CHECKS * CHECK_MILLIS) / 1000} s`);
    else this.events.check();
  }

  private openLater(): void {
    this.again = setTimeout(() => {
      this.open().catch((error: Error) => {
        if (this.isClosed) return;
        this.events.lost(error.message);
        this.openLater();
      });
    }, this.pauseMillis);
    this.pauseMillis = Math.min(2 * this.pauseMillis, LONGEST_PAUSE_MILLIS);
  }
}
