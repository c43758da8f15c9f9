// Runs a session's blocks one after another: parses, interprets, and waits where it must.

import { OverBoundError } from '../../../serving/scheduling/account.js';
import { Held } from '../../../serving/scheduling/held.js';
import { defectText } from '../../../serving/session/defect.js';
import { BLOCK_LIMITS, HeldNames, Interpreter, type Limits, Meter, type Run, type Wait } from '../../python/index.js';
import type { TrickServer } from '../session/server-settings.js';
import type { TrickSession } from '../session/trick-session.js';
import { blockText } from '../wire/block-splitter.js';
import { BlockFailure, runText } from './block-text.js';
import type { Flow } from './flow.js';
import { SessionSurroundings } from './surroundings.js';
import { withErrands } from './with-errands.js';

export interface BlockRunnerSettings {
  readonly session: TrickSession;
  readonly server: TrickServer;
  readonly flow: Flow;
  readonly nowMillis: () => number;
  readonly limits?: Limits;
  /** Only where events and reads run instead of a client's blocks: their owner, and the names of the input file. */
  readonly shared?: { readonly owner: string; readonly names: HeldNames };
}

/** Work that runs after earlier work: a client's block, or a text of the server's own. */
export interface Work {
  /** Length of its text in characters, of a long block in bytes; names may hold on to that text. */
  readonly length: number;
  readonly limits?: Limits;
  /** Parses and returns what to run. Throws a BlockFailure when it does not parse. */
  start(interpreter: Interpreter): Run<void>;
  /** Called at the end: with the failure, or with undefined when all of it has run. */
  ended?(failure: BlockFailure | undefined): void;
}

interface Running {
  readonly work: Work;
  readonly meter: Meter;
  readonly run: Run<void>;
  /** Whether the names have been counted after it. */
  isSettled: boolean;
}

/** A block of more characters takes long to parse. */
export const LONG_BLOCK = 16_384;
/** Less than this does not count while a block waits for its turn. */
const LITTLE_MADE_BYTES = 1024 * 1024;
/** The tree of a long block takes so many bytes for each of its characters. */
const TREE_BYTES = 32;

export class BlockRunner {
  /** Made with the first block that begins: thousands of clients may leave before theirs does. */
  private reached: SessionSurroundings | undefined;
  private readonly held: HeldNames;
  /** Whether these are texts of the input file, whose names are the operator's and have a limit of their own. */
  private readonly isInput: boolean;
  private readonly limits: Limits;
  private readonly queue: Work[] = [];
  private running: Running | undefined;
  private isWaiting = false;
  /** Bytes of names that are counted as the client's. */
  private accountedBytes = 0;
  /** The tree of the block that runs. */
  private readonly tree: Held;
  /** The texts and lists that it has made. */
  private readonly made: Held;
  /** Whether a block computes at this moment, so that it cannot be dropped. */
  private isComputing = false;

  constructor(private readonly settings: BlockRunnerSettings) {
    this.limits = settings.limits ?? BLOCK_LIMITS;
    const { session, shared } = settings;
    this.isInput = shared?.owner === '';
    this.tree = new Held(session.client.account);
    this.made = new Held(session.client.account);
    this.held = this.isInput && shared ? shared.names : new HeldNames(this.limits.heldBytes);
  }

  /** What its blocks can reach. */
  get surroundings(): SessionSurroundings {
    const { session, server, flow, shared } = this.settings;
    this.reached ??= new SessionSurroundings({
      session,
      server,
      flow,
      names: this.held.names,
      inherited: this.isInput ? undefined : shared?.names.names,
      sharedOwner: shared?.owner,
    });
    return this.reached;
  }

  /** Takes a block; it runs when those before it are done. */
  push(block: string): void {
    this.pushWork({ length: block.length, start: (interpreter) => runText(interpreter, block) });
  }

  /** As `push`, for a block of more than `LONG_BLOCK` bytes. */
  pushLong(block: Buffer): void {
    this.pushWork({ length: block.length, start: (interpreter) => runText(interpreter, blockText(block)) });
  }

  /** Tells what is wrong with a block that cannot run, after the blocks before it. */
  pushFailure(sentence: string): void {
    this.pushWork({
      length: sentence.length,
      start: () => {
        throw new BlockFailure([`${sentence}\n`]);
      },
    });
  }

  /** Takes other work; it runs when what was pushed before it is done. */
  pushWork(work: Work): void {
    this.queue.push(work);
    if (this.isWaiting) return;
    this.isWaiting = true;
    this.settings.flow.begin(this.goOn);
  }

  private readonly goOn = (): void => {
    this.isWaiting = false;
    this.work();
  };

  /** Works until all blocks have run, one has to wait, or many short ones have taken a turn's time together. */
  private work(): void {
    const endMillis = this.settings.nowMillis() + this.limits.turnMillis;
    while (!this.isWaiting) {
      if (this.settings.session.isExited) this.drop();
      this.running ??= this.nextRunning();
      if (!this.running) break;
      this.advance(this.running);
      if (this.isWaiting || this.queue.length === 0) continue;
      if (this.settings.nowMillis() >= endMillis) this.isWaiting = this.settings.flow.wait('turn', this.goOn);
    }
    if (!this.isWaiting) this.settings.flow.finished();
  }

  /** The session has ended: what waits and what runs is dropped at once, since thousands may wait for their turn. */
  closed(): void {
    if (!this.isComputing) this.drop();
  }

  /** Drops everything after var_exit; earlier assignments stay. */
  private drop(): void {
    this.reached?.flush();
    this.queue.length = 0;
    const { running } = this;
    this.running = undefined;
    running?.run.return();
    this.leaveRoom();
  }

  /** The next work that parses; undefined when there is none, and when it waits for room. */
  private nextRunning(): Running | undefined {
    for (let [work] = this.queue; work !== undefined; [work] = this.queue) {
      if (!this.hasRoomFor(work)) {
        this.isWaiting = true;
        this.settings.flow.waitForRoom(this.goOn);
        return undefined;
      }
      this.queue.shift();
      const meter = new Meter(work.limits ?? this.limits, this.settings.nowMillis);
      this.surroundings.meter = meter;
      try {
        const interpreter = new Interpreter(this.surroundings, meter);
        this.surroundings.interpreter = interpreter;
        const run = withErrands(work.start(interpreter), this.surroundings, interpreter);
        const running: Running = { work, meter, run: this.withSettling(run, () => running), isSettled: false };
        return running;
      } catch (error) {
        this.leaveRoom();
        this.report(work, error);
      }
    }
    return undefined;
  }

  /** Runs a block, and bounds in its last turns what the names hold after it, whether it has failed or not. */
  private *withSettling(run: Run<void>, running: () => Running): Run<void> {
    let failed: { readonly error: unknown } | undefined;
    try {
      yield* run;
    } catch (error) {
      failed = { error };
    }
    const { meter, work } = running();
    this.surroundings.flush();
    this.settings.session.stdio.endLine();
    const settling = this.held.settling(meter.allocatedBytes, work.length, () => meter.isTimeUp);
    running().isSettled = true;
    let step = settling.next();
    for (; !step.done; step = settling.next()) yield 'turn';
    this.hasSettled(step.value);
    if (failed) throw failed.error;
  }

  /**
   * Counts what a long block of a client takes in memory. Where it may not keep so much, one block of each address runs
   * uncounted, because what would make room may stand behind it; false for the others, which wait.
   */
  private hasRoomFor({ length }: Work): boolean {
    if (length <= LONG_BLOCK || this.settings.shared) return true;
    const { account } = this.settings.session.client;
    const bytes = TREE_BYTES * length;
    if (!account.canTake('keptBytes', bytes)) return this.settings.server.longBlocks.enter(account.network, this);
    this.tree.set('keptBytes', bytes);
    return true;
  }

  /** Counts what a block has made that goes on later. Throws a BlockFailure when clients' blocks hold too much. */
  private countMade({ allocatedBytes }: Meter): void {
    if (this.isInput || allocatedBytes <= LITTLE_MADE_BYTES) return;
    try {
      this.made.set('blockBytes', allocatedBytes);
    } catch (error) {
      if (!(error instanceof OverBoundError)) throw error;
      throw new BlockFailure([`MemoryError: ${error.message}\n`]);
    }
  }

  /** A block that must wait for a frame waits for its turn when what it reads is much. Throws a BlockFailure. */
  private waitOf(wait: Wait): Wait {
    if (wait !== 'settled') return wait;
    try {
      return this.settings.session.read.enter() ?? wait;
    } catch (error) {
      if (!(error instanceof OverBoundError)) throw error;
      throw new BlockFailure([`RuntimeError: ${error.message}\n`]);
    }
  }

  private leaveRoom(): void {
    this.settings.session.read.end();
    this.tree.release();
    this.made.release();
    this.settings.server.longBlocks.leave(this.settings.session.client.account.network, this);
  }

  /** Continues a block until it ends or has to wait. */
  private advance(running: Running): void {
    const { work, meter, run } = running;
    meter.startTurn();
    try {
      this.isComputing = true;
      const step = run.next();
      this.isComputing = false;
      if (!step.done) {
        // Whoever changes events next would send these too, and this session would not wait until they are shown.
        this.surroundings.showEvents();
        meter.endTurn();
        this.countMade(meter);
        this.isWaiting = this.settings.flow.wait(this.waitOf(step.value), this.goOn);
        return;
      }
      this.finish(running);
      work.ended?.(undefined);
    } catch (error) {
      this.isComputing = false;
      run.return();
      this.finish(running);
      this.report(work, error);
    }
  }

  private finish({ meter, work, isSettled }: Running): void {
    this.surroundings.flush();
    this.settings.session.stdio.endLine();
    this.running = undefined;
    this.leaveRoom();
    if (!isSettled) this.settleNames(meter.allocatedBytes, work.length);
  }

  /** Bounds what the names hold after a text of so many characters made so many bytes. */
  settleNames(allocatedBytes: number, length: number): void {
    this.hasSettled(this.held.settle(allocatedBytes, length));
  }

  private hasSettled(isForgotten: boolean): void {
    if (isForgotten) this.tellForgotten(`the names of this session held more than ${this.limits.heldBytes / 2} bytes`);
    if (!this.isInput) this.account();
  }

  /** Counts what the names hold as the client's. */
  private account(): void {
    const before = this.accountedBytes;
    const now = this.held.bytes;
    if (before === now) return;
    try {
      this.settings.session.client.account.change('keptBytes', before, now);
      this.accountedBytes = now;
    } catch (error) {
      if (!(error instanceof OverBoundError)) throw error;
      this.held.forget();
      this.settings.session.client.account.give('keptBytes', before);
      this.accountedBytes = 0;
      this.tellForgotten(`${error.message}; the names of this session hold ${now} bytes`);
    }
  }

  private tellForgotten(sentence: string): void {
    this.settings.session.stdio.refuse(`MemoryError: ${sentence} and are forgotten`);
  }

  private report(work: Work, error: unknown): void {
    const { stdio } = this.settings.session;
    if (!(error instanceof BlockFailure)) {
      // A defect of this program must not end the other sessions.
      stdio.refuse(defectText(error));
      work.ended?.(new BlockFailure([`RuntimeError: ${String(error)}\n`]));
    } else if (work.ended) work.ended(error);
    else stdio.writeError(error.pieces);
  }
}
