// Simulation times at which no frame starts until the server has run the commands for that time. Trick: add_read
import type { Figures } from '../model/fair-share.js';
import type { LogLevel } from './log-level.js';

/** How long a simulation waits for a server that does not release it. */
export const LONGEST_HOLD_MILLIS = 10_000;
/** How long a simulation waits for what clients want to run at a time: so much at once, and then so much in a second. */
export const CLIENT_HOLDS = { mostMillis: 50, millisPerSecond: 10 } as const;
const SECOND_MILLIS = 1000;

interface Hold {
  /** Simulation time in tics. */
  readonly atTics: number;
  /** Whether it does not count while real time paces the simulation: there is time enough between frames. */
  readonly unlessPaced?: boolean;
  /** Whether a client wants it; the simulation waits for clients for a bounded share of its time. */
  readonly isClients?: boolean;
}

/** How holds came to an end that the server has not ended in time. */
interface Told {
  /** The server did not answer. */
  gaveUp(): void;
  /** Clients have used up their time, told once a second at most. */
  goesOnWithoutClients(): void;
}

const NONE: readonly [number, Hold][] = [];

export class Holds {
  /** By the id that the server chose. */
  private readonly times = new Map<number, Hold>();
  private sinceMillis: number | undefined;
  /** No hold is due before this time. */
  private nextTics = Number.POSITIVE_INFINITY;
  private clientsMillis: number = CLIENT_HOLDS.mostMillis;
  /** When the time of clients was last reckoned. */
  private reckonedMillis: number | undefined;
  private toldMillis = Number.NEGATIVE_INFINITY;
  /** What is used of the time for clients, and how often a frame went on without them. */
  figures: Figures = { held: 0, refusals: 0 };

  constructor(private readonly told: Told) {}

  get isEmpty(): boolean {
    return this.times.size === 0;
  }

  hold(id: number, hold: Hold): void {
    this.times.set(id, hold);
    this.nextTics = Math.min(this.nextTics, hold.atTics);
  }

  has(id: number): boolean {
    return this.times.has(id);
  }

  letGo(id: number): void {
    this.times.delete(id);
  }

  /** Whether the frame that starts at a time must wait. */
  isDue(timeTics: number, isPaced = false): boolean {
    return this.due(timeTics, isPaced).length > 0;
  }

  /** How many milliseconds the frame that starts at a time must wait at most; 0 when it may run. */
  waitMillis(timeTics: number, nowMillis: number, isPaced = false): number {
    const due = this.due(timeTics, isPaced);
    const isForClients = due.length > 0 && due.every(([, { isClients }]) => isClients);
    this.reckon(nowMillis, isForClients);
    if (due.length === 0) {
      this.sinceMillis = undefined;
      return 0;
    }
    this.sinceMillis ??= nowMillis;
    const leftMillis = this.sinceMillis + LONGEST_HOLD_MILLIS - nowMillis;
    const mostMillis = isForClients ? Math.min(leftMillis, this.clientsMillis) : leftMillis;
    if (mostMillis > 0) return mostMillis;
    for (const [id] of due) this.times.delete(id);
    this.sinceMillis = undefined;
    if (leftMillis > 0) this.leaveClients(nowMillis);
    else this.told.gaveUp();
    return 0;
  }

  private due(timeTics: number, isPaced: boolean): readonly [number, Hold][] {
    // There may be thousands of holds, and a frame each millisecond.
    if (timeTics < this.nextTics) return NONE;
    let nextTics = Number.POSITIVE_INFINITY;
    for (const { atTics } of this.times.values()) nextTics = Math.min(nextTics, atTics);
    this.nextTics = nextTics;
    if (timeTics < nextTics) return NONE;
    return [...this.times].filter(([, hold]) => hold.atTics <= timeTics && !(isPaced && hold.unlessPaced));
  }

  /** Time comes back to clients as it passes; what was waited for them is taken away. */
  private reckon(nowMillis: number, isForClients: boolean): void {
    const passedMillis = nowMillis - (this.reckonedMillis ?? nowMillis);
    this.reckonedMillis = nowMillis;
    const waitedMillis = isForClients && this.sinceMillis !== undefined ? passedMillis : 0;
    const backMillis = (passedMillis * CLIENT_HOLDS.millisPerSecond) / SECOND_MILLIS;
    this.clientsMillis = Math.min(CLIENT_HOLDS.mostMillis, this.clientsMillis - waitedMillis + backMillis);
    this.figures.held = CLIENT_HOLDS.mostMillis - this.clientsMillis;
  }

  private leaveClients(nowMillis: number): void {
    this.figures.refusals++;
    if (nowMillis - this.toldMillis < SECOND_MILLIS) return;
    this.toldMillis = nowMillis;
    this.told.goesOnWithoutClients();
  }
}

/** Holds whose ends are told in the log. */
export const holdsThatSay = (say: (text: string, level: LogLevel) => void): Holds =>
  new Holds({
    gaveUp: () => say('a read that was due did not end in time; the simulation goes on', 'error'),
    goesOnWithoutClients: () =>
      say('reads of clients take longer than the simulation waits for them; it goes on without them', 'warning'),
  });
