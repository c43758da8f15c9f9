// Runs a session's blocks one after another: parse, interpret, wait where it must.

import type { Account } from '../../session/account.js';
import type { Turns } from '../../session/turns.js';
import { HeldNames } from '../interpreter/held-names.js';
import { Interpreter } from '../interpreter/interpreter.js';
import { BLOCK_LIMITS, type Limits, Meter } from '../interpreter/meter.js';
import type { Run, Wait } from '../interpreter/values.js';
import type { TrickServer } from '../session/server-settings.js';
import type { TrickSession } from '../session/trick-session.js';
import { BlockFailure, runText } from './block-text.js';
import { SessionSurroundings } from './surroundings.js';

export interface BlockRunnerSettings {
  readonly session: TrickSession;
  readonly server: TrickServer;
  readonly turns: Turns;
  readonly nowMillis: () => number;
  readonly limits?: Limits;
  /** Is told when all blocks have run. */
  readonly idle: () => void;
}

/** Something to run in its turn: a client's block, or the server's own. */
export interface Work {
  /** Characters of its text, which its names may hold. */
  readonly length: number;
  readonly limits?: Limits;
  /** Parses, if there is something to parse, and throws a BlockFailure if that does not. */
  start(interpreter: Interpreter): Run<void>;
  /** Is told when it has ended; without a failure, all of it has run. */
  ended?(failure: BlockFailure | undefined): void;
}

interface Running {
  readonly work: Work;
  readonly meter: Meter;
  readonly run: Run<void>;
}

/** Characters of a block that takes long to parse. */
const LONG_BLOCK = 16_384;

export class BlockRunner {
  readonly surroundings: SessionSurroundings;
  private readonly held: HeldNames;
  private readonly limits: Limits;
  private readonly queue: Work[] = [];
  private running: Running | undefined;
  private isWaiting = false;
  private whenTaken: (() => void) | undefined;

  constructor(private readonly settings: BlockRunnerSettings) {
    this.limits = settings.limits ?? BLOCK_LIMITS;
    this.held = new HeldNames(this.limits.heldBytes);
    this.surroundings = new SessionSurroundings(settings.session, settings.server, this.held.names);
  }

  get isBusy(): boolean {
    return this.isWaiting || this.queue.length > 0;
  }

  /** Takes a block; it runs when those before it are done. */
  push(block: string): void {
    this.pushWork({ length: block.length, start: (interpreter) => runText(interpreter, block) });
  }

  /** Takes anything else that is to run in its turn. */
  pushWork(work: Work): void {
    this.queue.push(work);
    if (this.isWaiting) return;
    this.wait((resume) => this.settings.turns.begin(this.account, resume, work.length > LONG_BLOCK));
  }

  /** The client has taken its answers. */
  taken(): void {
    const resume = this.whenTaken;
    this.whenTaken = undefined;
    resume?.();
  }

  /** Works until all blocks have run or one has to wait. */
  private work(): void {
    while (!this.isWaiting) {
      if (this.settings.session.isExited) this.drop();
      this.running ??= this.nextRunning();
      if (!this.running) break;
      this.advance(this.running);
    }
    if (!this.isWaiting) this.settings.idle();
  }

  /** After var_exit nothing more runs; what was assigned before it stays. */
  private drop(): void {
    this.surroundings.flush();
    this.queue.length = 0;
    this.running = undefined;
  }

  /** The next work that parses. */
  private nextRunning(): Running | undefined {
    for (let work = this.queue.shift(); work !== undefined; work = this.queue.shift()) {
      const meter = new Meter(work.limits ?? this.limits, this.settings.nowMillis);
      this.surroundings.meter = meter;
      try {
        return { work, meter, run: work.start(new Interpreter(this.surroundings, meter)) };
      } catch (error) {
        this.report(work, error);
      }
    }
    return undefined;
  }

  /** Goes on with a block until it ends or has to wait. */
  private advance(running: Running): void {
    const { work, meter, run } = running;
    meter.startTurn();
    try {
      const step = run.next();
      if (!step.done) {
        meter.endTurn();
        this.waitFor(step.value);
        return;
      }
      this.finish(running);
      work.ended?.(undefined);
    } catch (error) {
      this.finish(running);
      this.report(work, error);
    }
  }

  private finish({ meter, work }: Running): void {
    this.surroundings.flush();
    this.settings.session.stdio.endLine();
    this.running = undefined;
    if (this.held.settle(meter.allocatedBytes, work.length)) {
      const sentence = `the names of this session held more than ${this.limits.heldBytes / 2} bytes and are forgotten`;
      this.settings.session.stdio.write('stderr', `MemoryError: ${sentence}\n`);
    }
  }

  private waitFor(wait: Wait): void {
    const { session, turns } = this.settings;
    if (wait === 'turn') this.wait((resume) => turns.resume(this.account, resume));
    else if (wait === 'settled') {
      const { settled } = session.session;
      // Nothing to wait for any more: straight on.
      if (settled) this.wait((resume) => void settled.then(() => turns.resume(this.account, resume)));
    } else if (session.session.outbound.isFull) {
      this.wait((resume) => {
        this.whenTaken = resume;
      });
    }
  }

  private get account(): Account {
    return this.settings.session.session.account;
  }

  private wait(arrange: (resume: () => void) => void): void {
    this.isWaiting = true;
    arrange(() => {
      this.isWaiting = false;
      this.work();
    });
  }

  private report(work: Work, error: unknown): void {
    const { stdio } = this.settings.session;
    if (!(error instanceof BlockFailure)) {
      // A defect here must not become the other sessions' end.
      stdio.write('stderr', `internal error, please report it: ${String((error as Error)?.stack ?? error)}\n`);
      work.ended?.(new BlockFailure([`RuntimeError: ${String(error)}\n`]));
    } else if (work.ended) work.ended(error);
    else stdio.writeError(error.pieces);
  }
}
