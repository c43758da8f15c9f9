// The simulation waits at a time until the server has run the reads and events of that time. Trick: add_read, EventManager
import type { Figures } from '../../model/state/fair-share.js';
import { type Hold, type HoldAnswer, HoldQueue, type QueuedHold } from './hold-queue.js';
import type { LogLevel } from './log-level.js';

/** How long a simulation waits for a server that does not release it. */
export const LONGEST_HOLD_MILLIS = 10_000;
/** How long a simulation waits for what clients want to run at a time: so much at once, and then so much in a second. */
export const CLIENT_HOLDS = { mostMillis: 50, millisPerSecond: 10 } as const;
const SECOND_MILLIS = 1000;

interface Told {
  /** Called before the server is asked, which must see the simulation as it stands. @param isNew at a time. */
  stands(isNew: boolean): void;
  /** The server did not answer. */
  gaveUp(): void;
  /** Clients have used up their time, told once a second at most. */
  goesOnWithoutClients(): void;
}

export class Holds {
  private readonly queue = new HoldQueue();
  /** Of clients: they wait for the start of a frame, because each stop within one costs the simulation a frame. */
  private readonly clients = new HoldQueue();
  /** The time at which the server has last been asked; it sees the simulation as it stood then. */
  private shownTics = Number.NaN;
  /** What the simulation waits for now, by id. */
  private readonly standing = new Map<number, Hold>();
  private isEnding = false;
  private sinceMillis: number | undefined;
  private clientsMillis: number = CLIENT_HOLDS.mostMillis;
  /** When the time of clients was last reckoned. */
  private reckonedMillis: number | undefined;
  private toldMillis = Number.NEGATIVE_INFINITY;
  /** What is used of the time for clients, and how often a frame went on without them. */
  figures: Figures = { held: 0, refusals: 0 };

  constructor(private readonly told: Told) {}

  /** The next time at which `pass` has to be asked; Infinity when there is none. */
  get nextTics(): number {
    return this.queue.nextTics;
  }

  /**
   * Adds a hold, or moves or changes one, which ends the waiting for it. A read whose time is past is asked for at once.
   * @param nowTics negative before the start of the run.
   */
  hold(hold: Hold, nowTics: number, answer: HoldAnswer): void {
    const { atTics = Number.POSITIVE_INFINITY, id, isClients } = hold;
    const queue = isClients ? this.clients : this.queue;
    this.standing.delete(id);
    queue.set(hold, answer, nowTics);
    const first = atTics <= nowTics ? queue.first(nowTics) : undefined;
    if (first?.hold.id === id) this.stand(queue, first, nowTics);
  }

  has(id: number): boolean {
    return this.standing.has(id) || this.queue.has(id) || this.clients.has(id);
  }

  letGo(id: number): void {
    this.standing.delete(id);
    this.queue.delete(id);
    this.clients.delete(id);
  }

  get isWaiting(): boolean {
    return this.standing.size > 0;
  }

  /** Whether the simulation waits, or will wait before it goes on at a time. */
  isDue(timeTics: number): boolean {
    return this.standing.size > 0 || Math.min(this.queue.nextTics, this.clients.nextTics) <= timeTics;
  }

  /** Begins a frame, as `pass`. */
  begin(timeTics: number): boolean {
    this.queue.beginFrame(timeTics);
    const { clients } = this;
    for (let first = clients.first(timeTics); first; first = clients.first(timeTics))
      this.stand(clients, first, timeTics);
    return this.pass(timeTics);
  }

  /**
   * Asks the server for what is due at a time, and returns whether nothing is left to wait for. An event with conditions
   * is looked at when all before it is done, because it sees what that has done.
   */
  pass(timeTics: number): boolean {
    for (let first = this.queue.first(timeTics); first; first = this.queue.first(timeTics)) {
      if (this.standing.size > 0 && first.hold.conditions) break;
      this.stand(this.queue, first, timeTics);
    }
    return this.standing.size === 0;
  }

  /** Asks for what is beside jobs of the shutdown, at the end of the run, which waits for nothing else. */
  passEnd(): void {
    if (!this.isEnding) this.standing.clear();
    this.isEnding = true;
    for (const last of this.queue.takeLast()) this.ask(last, Number.NaN);
  }

  /** Simulation time has gone to another one: events begin there. */
  restartAt(timeTics: number): void {
    this.shownTics = Number.NaN;
    this.queue.restartAt(timeTics);
  }

  /** How many milliseconds the simulation must wait at most; 0 when it may go on. */
  waitMillis(nowMillis: number): number {
    const holds = [...this.standing.values()];
    const isForClients = holds.length > 0 && holds.every(({ isClients }) => isClients);
    this.reckon(nowMillis, isForClients);
    if (holds.length === 0) {
      this.sinceMillis = undefined;
      return 0;
    }
    this.sinceMillis ??= nowMillis;
    const leftMillis = this.sinceMillis + LONGEST_HOLD_MILLIS - nowMillis;
    const mostMillis = isForClients ? Math.min(leftMillis, this.clientsMillis) : leftMillis;
    if (mostMillis > 0) return mostMillis;
    this.standing.clear();
    this.sinceMillis = undefined;
    if (leftMillis > 0) this.leaveClients(nowMillis);
    else this.told.gaveUp();
    return 0;
  }

  private stand(queue: HoldQueue, held: QueuedHold, timeTics: number): void {
    queue.advance(held, timeTics);
    this.ask(held, timeTics);
  }

  /** An event misses the times at which the server has not done with it yet. */
  private ask(held: QueuedHold, timeTics: number): void {
    if (held.isLate) return;
    const { hold } = held;
    const decisions = hold.conditions?.map((decide) => decide());
    if (decisions?.every((decision) => decision === false)) return;
    this.standing.set(hold.id, hold);
    this.told.stands(timeTics !== this.shownTics);
    this.shownTics = timeTics;
    held.answer(decisions ?? []);
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

interface HoldingRun {
  say(text: string, level: LogLevel): void;
  showStop(isNew: boolean): void;
}

/** Holds of a simulation, whose ends are told in its log. */
export const holdsOf = (running: HoldingRun): Holds =>
  new Holds({
    stands: (isNew) => running.showStop(isNew),
    gaveUp: () => running.say('a read or an event that was due did not end in time; the simulation goes on', 'error'),
    goesOnWithoutClients: () =>
      running.say(
        'reads of clients take longer than the simulation waits for them; it goes on without them',
        'warning',
      ),
  });
