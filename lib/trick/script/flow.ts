// The flow control of one client: when its blocks go on, when its connection is read, and when that ends.
import { noteLeftOut } from '../../bounds/left-out.js';
import { Patience } from '../../scheduling/account.js';
import { Held } from '../../scheduling/held.js';
import type { MemoryPace } from '../../scheduling/memory-pace.js';
import type { Turns } from '../../scheduling/turns.js';
import type { Connection } from '../../transport/connection.js';
import type { Wait } from '../interpreter/values.js';
import type { TrickSession } from '../session/trick-session.js';

/** Requests that a session may have on their way before its blocks wait for them. */
const MOST_REQUESTS = 256;
/** Short texts and lists cost nothing when they are thrown away. */
const LITTLE_BYTES = 64 * 1024;

/** While a block runs, no more bytes than this are read ahead: enough to hear that a client has left. */
const MOST_AHEAD_BYTES = 256 * 1024;
/** A client that has sent so much ahead does not wait for an answer. */
const FAR_AHEAD_BYTES = 64 * 1024;
/** What was read ahead is taken in pieces of what a connection reads at once. */
const MOST_AT_ONCE = 64 * 1024;
/** Less than this is no more than what a connection takes. */
const UNCOUNTED_BYTES = 4096;
/** So many pieces that were read ahead become one. */
const MOST_CHUNKS = 64;
/** Blocks take much that have computed, rested or waited for room for so long since their client sent its last byte. */
const LONG_MILLIS = 25;
/** The same since it is far ahead: it may send a long script. */
const LONG_MILLIS_AHEAD = 100;
/** A turn of a block. */
const TURN_MILLIS = 1;
/** Those of a client that has sent its last byte and keeps so much take much too. */
const MUCH_KEPT_BYTES = 256 * 1024;
/** A client that may keep no more looks again after this time whether it may. */
const ROOM_MILLIS = 100;

/** The reading side of a connection. */
export interface Intake extends Pick<Connection, 'pauseReading' | 'resumeReading' | 'end'> {
  /** Whether bytes that come while a block runs may be joined; datagrams are not read meanwhile. */
  readonly readsAhead: boolean;
  /** Takes what has come in. */
  take(bytes: Buffer): void;
  /** Called when a client that seems not to wait for answers has a block that takes much, and when it has none any more. */
  isLeaving?(takesMuch: boolean): void;
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
  /** How long its blocks have computed, rested or waited for room since it seems not to wait for answers. */
  private patientMillis = 0;
  /** Whether its end waits for the simulation. */
  private isEnding = false;
  private restsUntilMillis = 0;
  private whenTaken: (() => void) | undefined;
  /** What has come in while a block runs; it is joined, as the operating system joins what nobody has read yet. */
  private ahead: Buffer[] = [];
  private aheadBytes = 0;
  /** Whether there is room for what was read ahead. */
  private isKept = true;
  private readonly held: Held;

  /**
   * @param memory undefined for the operator's blocks, which may make texts and lists as fast as they compute.
   * @param intake undefined for a session without a client.
   */
  constructor(
    private readonly session: FlowSession,
    private readonly turns: Turns,
    private readonly memory?: MemoryPace,
    private readonly intake?: Intake,
  ) {
    this.held = new Held(session.client.account);
  }

  /** Lets a session's first block begin, now or in a later turn of the event loop. */
  begin(resume: () => void, isLong: boolean): void {
    this.isBusy = true;
    if (this.mustRest) this.wait('turn', resume);
    else this.turns.begin(this.session.client.account, resume, isLong);
  }

  /** Called when all blocks have run. */
  finished(): void {
    this.isBusy = false;
    while (!this.isBusy && this.aheadBytes > 0) this.intake?.take(this.takeAhead());
    this.regulate();
  }

  /** Counts bytes of texts and lists that a block has made since it went on. */
  made(bytes: number): void {
    if (!this.memory || bytes <= LITTLE_BYTES) return;
    this.restsUntilMillis = this.memory.spend(this.session.client.account.maker, bytes);
  }

  /** Whether this client has made so much while clients make too much that its blocks rest. */
  get mustRest(): boolean {
    return this.memory?.isOver(this.restsUntilMillis) === false;
  }

  private get restsForMillis(): number {
    return Math.max(0, this.memory?.millisUntil(this.restsUntilMillis) ?? 0);
  }

  /** What a running block must wait for before it goes on, if anything. */
  mustWait(requestsUnderway: number): Wait | undefined {
    // A session that has exited must not go on: its runner drops the block at the next turn.
    if (this.session.isExited) return 'turn';
    if (this.isFull) return 'taken';
    if (requestsUnderway < MOST_REQUESTS || !this.session.client.settled) return undefined;
    noteLeftOut('unanswered_requests');
    return 'settled';
  }

  /** Calls `resume` when the wait is over; false, and never calls it, when there is nothing to wait for. */
  wait(wait: Wait, resume: () => void): boolean {
    const { settled, account } = this.session.client;
    const goOn = (): void => this.turns.resume(account, resume);
    if (wait === 'turn') this.takes(Math.max(TURN_MILLIS, this.restsForMillis));
    if (wait instanceof Promise) wait.then(goOn, goOn);
    else if (wait === 'turn' && this.mustRest) this.memory?.rest(this.restsUntilMillis, () => this.rested(goOn));
    else if (wait === 'turn') goOn();
    // With nothing to settle the block looks again in a later turn: at once, it could keep all others out for ever.
    else if (wait === 'settled') void (settled ?? NOTHING).then(goOn);
    else if (wait === 'taken' && this.isFull) {
      this.whenTaken = resume;
      this.regulate();
    } else return false;
    return true;
  }

  /** Who does not wait for answers rests until clients make no more than they may, or its own part has grown again. */
  private rested(goOn: () => void): void {
    const { account } = this.session.client;
    const isPatient = account.patience !== Patience.none;
    if (isPatient && !this.session.isExited && this.memory?.isBehind(account.maker)) {
      this.takes(ROOM_MILLIS);
      this.memory.restFor(ROOM_MILLIS, () => this.rested(goOn));
    } else goOn();
  }

  /** Counts what the blocks of a client take that seems not to wait for answers. */
  private takes(millis: number): void {
    if (this.session.client.account.patience === Patience.none) return;
    this.patientMillis += millis;
    this.lookAtBlocks();
  }

  private lookAtBlocks(): void {
    const { account } = this.session.client;
    const isLong = this.patientMillis >= (this.hasPeerEnded ? LONG_MILLIS : LONG_MILLIS_AHEAD);
    const isLarge = this.hasPeerEnded && account.holds('keptBytes') >= MUCH_KEPT_BYTES;
    if (isLong || isLarge) this.intake?.isLeaving?.(true);
  }

  /** Calls `resume` a little later: what a block needs is more than its client may keep now. */
  waitForRoom(resume: () => void): void {
    const goOn = (): void => this.turns.resume(this.session.client.account, resume);
    if (this.memory) this.memory.restFor(ROOM_MILLIS, goOn);
    else goOn();
    this.takes(ROOM_MILLIS);
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
    // Whoever waits for an answer neither sends on and on nor has left; their blocks come first.
    const { account } = this.session.client;
    const before = account.patience;
    account.patience = this.patience;
    if (account.patience === Patience.none) {
      if (before !== Patience.none) this.waitsAgain();
    } else this.takes(before === Patience.none ? this.restsForMillis : 0);
    if (this.hasPeerEnded && !this.isBusy && !this.session.cadence.isActive) this.endOnceAnswered();
  }

  private get patience(): Patience {
    if (!this.isBusy) return Patience.none;
    if (this.aheadBytes >= FAR_AHEAD_BYTES) return Patience.farAhead;
    return this.hasPeerEnded ? Patience.hasEnded : Patience.none;
  }

  private waitsAgain(): void {
    this.patientMillis = 0;
    this.intake?.isLeaving?.(false);
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
