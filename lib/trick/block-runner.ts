// Runs a session's blocks one after another: parse, interpret, wait for the session's own writes where it must.
import { parseBlock, printedPieces } from '../../grammar/trick/index.js';
import { UnitsError } from '../units/index.js';
import { ScriptError, tracebackPieces } from './interpreter/error.js';
import { Interpreter } from './interpreter/interpreter.js';
import type { Run } from './interpreter/values.js';
import type { TrickServer } from './server-settings.js';
import { SessionSurroundings } from './session-surroundings.js';
import type { TrickSession } from './trick-session.js';

export class BlockRunner {
  private readonly surroundings: SessionSurroundings;
  private readonly queue: string[] = [];
  private isRunning = false;

  /** @param idle is told when all blocks have run. */
  constructor(
    private readonly session: TrickSession,
    server: TrickServer,
    private readonly idle: () => void,
  ) {
    this.surroundings = new SessionSurroundings(session, server);
  }

  get isBusy(): boolean {
    return this.isRunning;
  }

  /** Takes a block; it runs when those before it are done. */
  push(block: string): void {
    this.queue.push(block);
    if (!this.isRunning) this.runQueue();
  }

  private runQueue(): void {
    this.isRunning = true;
    for (let block = this.queue.shift(); block !== undefined; block = this.queue.shift()) {
      if (this.session.isExited) break;
      const waiting = this.runBlock(block);
      if (!waiting) continue;
      waiting.then(() => this.runQueue());
      return;
    }
    this.isRunning = false;
    this.idle();
  }

  /** Runs to the end or to the first wait; the promise never rejects. */
  private runBlock(text: string): Promise<void> | undefined {
    const { tree, error } = parseBlock(text);
    if (error) {
      this.session.stdio.writeError(printedPieces(error));
      return undefined;
    }
    return this.advance(new Interpreter(this.surroundings).run(tree), text);
  }

  private advance(run: Run<void>, text: string): Promise<void> | undefined {
    try {
      for (let step = run.next(); !step.done; step = run.next()) {
        if (this.session.isExited) return undefined;
        const settled = this.session.session.settled;
        if (settled) return settled.then(() => this.advance(run, text));
      }
    } catch (error) {
      this.report(error, text);
    }
    this.surroundings.flush();
    return undefined;
  }

  private report(error: unknown, text: string): void {
    const shown = error instanceof UnitsError ? new ScriptError('TypeError', error.message) : error;
    if (!(shown instanceof ScriptError)) {
      // A defect here must not become the other sessions' end.
      this.session.stdio.write(
        'stderr',
        `internal error, please report it: ${String((error as Error)?.stack ?? error)}\n`,
      );
      return;
    }
    const line = text.slice(0, shown.at ?? 0).split('\n').length;
    this.session.stdio.writeError(tracebackPieces(shown, line));
  }
}
