// Runs a session's blocks one after another: parse, interpret, wait where it must.
import { parseBlock, printedPieces } from '../../grammar/trick/index.js';
import { UnitsError } from '../units/index.js';
import { ScriptError, tracebackPieces } from './interpreter/error.js';
import { HeldNames } from './interpreter/held-names.js';
import { Interpreter } from './interpreter/interpreter.js';
import { BLOCK_LIMITS, type Limits, Meter } from './interpreter/meter.js';
import type { Run, Wait } from './interpreter/values.js';
import type { TrickServer } from './server-settings.js';
import { SessionSurroundings } from './session-surroundings.js';
import type { TrickSession } from './trick-session.js';
import type { Turns } from './turns.js';

export interface BlockRunnerSettings {
  readonly session: TrickSession;
  readonly server: TrickServer;
  readonly turns: Turns;
  readonly nowMillis: () => number;
  readonly limits?: Limits;
  /** Is told when all blocks have run. */
  readonly idle: () => void;
}

interface Running {
  readonly text: string;
  readonly meter: Meter;
  readonly run: Run<void>;
}

export class BlockRunner {
  private readonly surroundings: SessionSurroundings;
  private readonly held: HeldNames;
  private readonly limits: Limits;
  private readonly queue: string[] = [];
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
    this.queue.push(block);
    if (this.isWaiting) return;
    if (this.settings.turns.isBusy) this.wait((resume) => this.settings.turns.add(resume));
    else this.work();
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
      this.running ??= this.nextBlock();
      if (!this.running) break;
      this.advance(this.running);
    }
    if (!this.isWaiting) this.settings.idle();
  }

  private drop(): void {
    this.queue.length = 0;
    this.running = undefined;
  }

  /** The next block that parses. */
  private nextBlock(): Running | undefined {
    for (let text = this.queue.shift(); text !== undefined; text = this.queue.shift()) {
      const { tree, error } = parseBlock(text);
      if (error) {
        this.settings.session.stdio.writeError(printedPieces(error));
        continue;
      }
      const meter = new Meter(this.limits, this.settings.nowMillis);
      this.surroundings.meter = meter;
      return { text, meter, run: new Interpreter(this.surroundings, meter).run(tree) };
    }
    return undefined;
  }

  /** Goes on with a block until it ends or has to wait. */
  private advance(running: Running): void {
    running.meter.startTurn();
    try {
      const step = running.run.next();
      if (!step.done) {
        running.meter.endTurn();
        this.waitFor(step.value);
        return;
      }
    } catch (error) {
      this.report(error, running.text);
    }
    this.finish(running);
  }

  private finish({ meter, text }: Running): void {
    this.surroundings.flush();
    this.running = undefined;
    if (this.held.settle(meter.allocatedBytes, text.length)) {
      const sentence = `the names of this session held more than ${this.limits.heldBytes / 2} bytes and are forgotten`;
      this.settings.session.stdio.write('stderr', `MemoryError: ${sentence}\n`);
    }
  }

  private waitFor(wait: Wait): void {
    const { session, turns } = this.settings;
    if (wait === 'turn') this.wait((resume) => turns.add(resume));
    else if (wait === 'settled') {
      const { settled } = session.session;
      // Nothing to wait for any more: straight on.
      if (settled) this.wait((resume) => void settled.then(() => turns.add(resume)));
    } else if (session.session.outbound.isFull) {
      this.wait((resume) => {
        this.whenTaken = resume;
      });
    }
  }

  private wait(arrange: (resume: () => void) => void): void {
    this.isWaiting = true;
    arrange(() => {
      this.isWaiting = false;
      this.work();
    });
  }

  private report(error: unknown, text: string): void {
    const shown = error instanceof UnitsError ? new ScriptError('TypeError', error.message) : error;
    const { stdio } = this.settings.session;
    if (!(shown instanceof ScriptError)) {
      // A defect here must not become the other sessions' end.
      stdio.write('stderr', `internal error, please report it: ${String((error as Error)?.stack ?? error)}\n`);
      return;
    }
    const line = text.slice(0, shown.at ?? 0).split('\n').length;
    stdio.writeError(tracebackPieces(shown, line));
  }
}
