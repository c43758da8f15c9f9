// The flow control of one client: when its blocks go on, when its connection is read, and when that ends.
import type { Clock } from '../../../serving/scheduling/clock.js';
import { Held } from '../../../serving/scheduling/held.js';
import type { Turns } from '../../../serving/scheduling/turns.js';
import type { Connection } from '../../../serving/transport/connection.js';
import type { Wait } from '../../python/index.js';
import type { TrickSession } from '../session/trick-session.js';

/** Requests that a session may have on their way before its blocks wait for them. */
const MOST_REQUESTS = 256;

/** While a block runs, no more bytes than this are read ahead: enough to hear that a client has left. */
const MOST_AHEAD_BYTES = 256 * 1024;
/** What was read ahead is taken in pieces of what a connection reads at once. */
const MOST_AT_ONCE = 64 * 1024;
/** Less than this is no more than what a connection takes. */
const UNCOUNTED_BYTES = 4096;
/** So many pieces that were read ahead become one. */
const MOST_CHUNKS = 64;
/** A client that may keep no more looks again after this time whether it may. */
const ROOM_MILLIS = 100;

/** The reading side of a connection. */
export interface Intake extends Pick<Connection, 'pauseReading' | 'resumeReading' | 'end'> {
  /** Whether bytes that come while a block runs may be joined; datagrams are not read meanwhile. */
  readonly readsAhead: boolean;
  /** Takes what has come in. */
  take(bytes: Buffer): void;
}

/** What flow control asks of a session. */
export interface FlowSession extends Pick<TrickSession, 'isExited'> {
  readonly client: Pick<TrickSession['client'], 'settled' | 'account'> & {
    readonly outbound: { readonly isFull: boolean; release(): void };
  };
  readonly cadence: Pick<TrickSession['cadence'], 'isActive'>;
}

const NOTHING = Promise.resolve();

export class Flow {
  private isBusy = false;
  private isReading = true;
  private hasPeerEnded = false;
  /** Whether its end waits for the simulation. */
  private isEnding = false;
  private whenTaken: (() => void) | undefined;
  /** What has come in while a block runs; it is joined, as the operating system joins what nobody has read yet. */
  private ahead: Buffer[] = [];
  private aheadBytes = 0;
  /** Whether there is room for what was read ahead. */
  private isKept = true;
  private readonly held: Held;

  /**
   * @param intake undefined for a session without a client.
   */
  constructor(
    private readonly session: FlowSession,
    private readonly turns: Turns,
    private readonly clock: Pick<Clock, 'after'>,
    private readonly intake?: Intake,
  ) {
    this.held = new Held(session.client.account);
  }

  /** Lets a session's first block begin, now or in a later turn of the event loop. */
  begin(resume: () => void): void {
    this.isBusy = true;
    this.turns.begin(this.session.client.account, resume);
  }

  /** Called when all blocks have run. */
  finished(): void {
    this.isBusy = false;
    while (!this.isBusy && this.aheadBytes > 0) this.intake?.take(this.takeAhead());
    this.regulate();
  }

  /** What a running block must wait for before it goes on, if anything. */
  mustWait(requestsUnderway: number): Wait | undefined {
    // A session that has exited must not go on: its runner drops the block at the next turn.
    if (this.session.isExited) return 'turn';
    if (this.isFull) return 'taken';
    return requestsUnderway >= MOST_REQUESTS && this.session.client.settled ? 'settled' : undefined;
  }

  /** Calls `resume` when the wait is over; false, and never calls it, when there is nothing to wait for. */
  wait(wait: Wait, resume: () => void): boolean {
    const { settled, account } = this.session.client;
    const goOn = (): void => this.turns.resume(account, resume);
    if (wait instanceof Promise) wait.then(goOn, goOn);
    else if (wait === 'turn') goOn();
    // With nothing to settle the block looks again in a later turn: at once, it could keep all others out for ever.
    else if (wait === 'settled') void (settled ?? NOTHING).then(goOn);
    else if (wait === 'taken' && this.isFull) {
      this.whenTaken = resume;
      this.regulate();
    } else return false;
    return true;
  }

  /** Calls `resume` a little later: what a block needs is more than its client may keep now. */
  waitForRoom(resume: () => void): void {
    this.clock.after(ROOM_MILLIS, () => this.turns.resume(this.session.client.account, resume));
  }

  /** Called when bytes have come in. */
  received(bytes: Buffer): void {
    if (this.isBusy && this.intake?.readsAhead) this.keepAhead(bytes);
    else this.intake?.take(bytes);
    this.regulate();
  }

  private keepAhead(bytes: Buffer): void {
    this.ahead.push(bytes);
    this.aheadBytes += bytes.length;
    if (this.ahead.length >= MOST_CHUNKS) this.ahead = [Buffer.concat(this.ahead)];
    this.countAhead();
  }

  /** What is there already cannot be refused; where there is no room for it, the client is read no further. */
  private countAhead(): void {
    const bytes = this.aheadBytes > UNCOUNTED_BYTES ? this.aheadBytes : 0;
    this.held.release();
    this.isKept = this.session.client.account.canTake('aheadBytes', bytes);
    if (this.isKept) this.held.set('aheadBytes', bytes);
  }

  /** No more at once than a connection reads: with the beginning of a line that is held, more might be too long. */
  private takeAhead(): Buffer {
    const bytes = Buffer.concat(this.ahead);
    const rest = bytes.subarray(MOST_AT_ONCE);
    this.ahead = rest.length > 0 ? [rest] : [];
    this.aheadBytes = rest.length;
    this.countAhead();
    return bytes.subarray(0, MOST_AT_ONCE);
  }

  /** Called when the client has taken its answers. */
  drained(): void {
    this.session.client.outbound.release();
    this.resumeTaken();
    this.regulate();
  }

  /** Called when the client sends no more; it may still read. */
  peerEnded(): void {
    this.hasPeerEnded = true;
    this.regulate();
  }

  /**
   * Called when the connection has closed; a block that waits for its client continues, and finds that the session has
   * exited.
   */
  closed(): void {
    this.ahead = [];
    this.aheadBytes = 0;
    this.resumeTaken();
  }

  private get isFull(): boolean {
    return this.session.client.outbound.isFull;
  }

  private resumeTaken(): void {
    const resume = this.whenTaken;
    this.whenTaken = undefined;
    resume?.();
  }

  private regulate(): void {
    const mayReadAhead = this.aheadBytes <= MOST_AHEAD_BYTES && this.isKept && this.intake?.readsAhead === true;
    this.read(!this.isFull && (!this.isBusy || mayReadAhead));
    if (this.hasPeerEnded && !this.isBusy && !this.session.cadence.isActive) this.endOnceAnswered();
  }

  /** Ends the connection of a client that can ask no more, once the simulation has answered what it asked for. */
  private endOnceAnswered(): void {
    const { settled, account } = this.session.client;
    if (!settled) this.intake?.end();
    else if (!this.isEnding) void settled.then(() => this.turns.resume(account, this.goOnEnding));
    this.isEnding = settled !== undefined;
  }

  private readonly goOnEnding = (): void => {
    this.isEnding = false;
    this.regulate();
  };

  private read(isReading: boolean): void {
    if (isReading === this.isReading) return;
    this.isReading = isReading;
    if (isReading) this.intake?.resumeReading();
    else this.intake?.pauseReading();
  }
}
