// The flow control of one client: when its blocks go on, when its connection is read, and when that ends.

import type { MemoryPace } from '../../session/memory-pace.js';
import type { Turns } from '../../session/turns.js';
import type { Connection } from '../../transport/connection.js';
import type { Wait } from '../interpreter/values.js';
import type { TrickSession } from '../session/trick-session.js';

/** Requests that a session may have on their way before its blocks wait for them. */
const MOST_REQUESTS = 256;
/** Short texts and lists cost nothing when they are thrown away. */
const LITTLE_BYTES = 64 * 1024;

/** The reading side of a connection. */
export type Intake = Pick<Connection, 'pauseReading' | 'resumeReading' | 'end'>;

/** What flow control asks of a session. */
export interface FlowSession extends Pick<TrickSession, 'isExited'> {
  readonly client: Pick<TrickSession['client'], 'settled' | 'account'> & {
    readonly outbound: { readonly isFull: boolean; release(): void };
  };
  readonly cadence: Pick<TrickSession['cadence'], 'isActive'>;
}

export class Flow {
  private isBusy = false;
  private isReading = true;
  private hasPeerEnded = false;
  /** Whether its end waits for the simulation. */
  private isEnding = false;
  private restsUntilMillis = 0;
  private whenTaken: (() => void) | undefined;

  /**
   * @param memory undefined for the operator's blocks, which may make texts and lists as fast as they compute.
   * @param intake undefined for a session without a client.
   */
  constructor(
    private readonly session: FlowSession,
    private readonly turns: Turns,
    private readonly memory?: MemoryPace,
    private readonly intake?: Intake,
  ) {}

  /** Lets a session's first block begin, now or in a later turn of the event loop. */
  begin(resume: () => void, isLong: boolean): void {
    this.isBusy = true;
    if (this.mustRest) this.wait('turn', resume);
    else this.turns.begin(this.session.client.account, resume, isLong);
  }

  /** Called when all blocks have run. */
  finished(): void {
    this.isBusy = false;
    this.regulate();
  }

  /** Counts bytes of texts and lists that a block has made since it went on. */
  made(bytes: number): void {
    if (!this.memory || bytes <= LITTLE_BYTES) return;
    this.restsUntilMillis = this.memory.spend(this.session.client.account, bytes);
  }

  /** Whether this client has made so much while clients make too much that its blocks rest. */
  get mustRest(): boolean {
    return this.memory?.isOver(this.restsUntilMillis) === false;
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
    else if (wait === 'turn' && this.mustRest) this.memory?.rest(this.restsUntilMillis, goOn);
    else if (wait === 'turn') goOn();
    else if (wait === 'settled' && settled) void settled.then(goOn);
    else if (wait === 'taken' && this.isFull) this.whenTaken = resume;
    else return false;
    return true;
  }

  /** Called when bytes have come in. */
  received(): void {
    this.regulate();
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
    this.read(!this.isBusy && !this.isFull);
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
