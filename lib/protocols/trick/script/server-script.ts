// The server's own session, to which no client is connected: it runs input files, reads and events.

import { networkOf } from '../../../serving/network/network.js';
import type { Turns } from '../../../serving/scheduling/turns.js';
import type { SessionRegistry } from '../../../serving/session/registry.js';
import type { LogLevel } from '../../../source/source.js';
import {
  BLOCK_LIMITS,
  type HeldNames,
  INPUT_LIMITS,
  Interpreter,
  Meter,
  type Run,
  ScriptError,
} from '../../python/index.js';
import type { TrickServer } from '../session/server-settings.js';
import { logAs, SessionLog } from '../session/session-log.js';
import type { TrickSessionSettings } from '../session/session-settings.js';
import { TrickSession } from '../session/trick-session.js';
import type { ReferenceTable } from '../wire/reference.js';
import { BlockRunner, type Work } from './block-runner.js';
import { BlockFailure } from './block-text.js';
import { Flow } from './flow.js';
import { withErrands } from './with-errands.js';

/** Why a text cannot go on in a run without a server. */
const NO_SERVER = 'this text waits for an answer that only a server can wait for';

/** A session that ends with the server or its owner only; var_exit does nothing in it. */
export class LastingSession extends TrickSession {
  override exit(): void {}
}

export interface ServerScriptSettings {
  readonly registry: SessionRegistry;
  readonly references: ReferenceTable;
  readonly server: TrickServer;
  readonly turns: Turns;
  /** Address of the client whose texts run here; empty for the input file. */
  readonly owner: string;
  /** The names of the input file. */
  readonly names: HeldNames;
  readonly explain: TrickSessionSettings['explain'];
}

export class ServerScript {
  readonly session: TrickSession;
  private readonly runner: BlockRunner;
  private readonly owner: string;

  constructor({ registry, references, server, turns, owner, names, explain }: ServerScriptSettings) {
    this.owner = owner;
    const nowhere = { write: () => false, pendingBytes: 0 };
    const peer = owner === '' ? 'the server itself' : `events and reads of ${owner}`;
    // The operator's input file may write without limit; a client's texts are limited as the client is.
    const write = (text: string, level: LogLevel = 'normal'): void => server.log(text, level);
    // A client's lines tell whose they are, or they could pass for the operator's or the server's own.
    const bounded = new SessionLog(
      registry,
      logAs(server, () => peer),
      networkOf(owner),
    );
    this.session = new LastingSession({
      client: registry.create({ frontEnd: 'trick', peer, transport: 'none', owner }, nowhere),
      registry,
      references,
      isDatagram: false,
      readFile: () => undefined,
      log: owner === '' ? write : bounded.say,
      printed: owner === '' ? write : bounded.printed,
      publish: owner === '' ? write : bounded.publish,
      explain,
      close: () => undefined,
    });
    this.runner = new BlockRunner({
      session: this.session,
      server,
      flow: new Flow(this.session, turns, registry.clock),
      nowMillis: () => registry.clock.nowMillis(),
      shared: { owner, names },
      limits: owner === '' ? { ...BLOCK_LIMITS, heldBytes: INPUT_LIMITS.heldBytes } : BLOCK_LIMITS,
    });
  }

  get surroundings(): BlockRunner['surroundings'] {
    return this.runner.surroundings;
  }

  /** Runs work when its turn comes; resolves with the failure, if there was one. */
  run(work: Omit<Work, 'ended'>): Promise<BlockFailure | undefined> {
    return new Promise((resolve) => {
      const ended = (failure: BlockFailure | undefined): void => {
        if (failure?.exitCode !== undefined && this.owner === '') this.exit(failure);
        resolve(failure);
      };
      this.runner.pushWork({ ...work, ended });
    });
  }

  /** Runs a text to its end before it returns: only where the simulation carries out requests at once. */
  runNow(length: number, start: (interpreter: Interpreter) => Run<void>): BlockFailure | undefined {
    const { surroundings } = this;
    const { meter: outerMeter, interpreter: outer } = surroundings;
    const meter = new Meter(BLOCK_LIMITS);
    const interpreter = new Interpreter(surroundings, meter);
    Object.assign(surroundings, { meter, interpreter });
    try {
      const run = withErrands(start(interpreter), surroundings, interpreter);
      for (let step = run.next(); !step.done; ) {
        meter.endTurn();
        meter.startTurn();
        step = step.value === 'turn' ? run.next() : run.throw(new ScriptError('RuntimeError', NO_SERVER));
      }
      return undefined;
    } catch (error) {
      if (!(error instanceof BlockFailure)) throw error;
      return error;
    } finally {
      surroundings.flush();
      this.session.stdio.endLine();
      this.runner.settleNames(meter.allocatedBytes, length);
      Object.assign(surroundings, { meter: outerMeter, interpreter: outer });
    }
  }

  /** The operator's text has ended the run. */
  private exit({ exitCode = 0, message }: BlockFailure): void {
    const reason = message === '' ? 'sys.exit()' : message;
    const control = { action: 'terminate', code: exitCode, reason } as const;
    this.session.client.submit({ kind: 'control', control }).catch(() => undefined);
  }

  /** Bounds the names after another session has run a text of this owner, which made so many bytes. */
  settleNames(allocatedBytes: number, length: number): void {
    this.runner.settleNames(allocatedBytes, length);
  }

  /** Resolves when everything that the session has asked for is visible. */
  async settled(): Promise<void> {
    this.surroundings.flush();
    await this.session.client.settled;
  }

  close(): void {
    this.session.closed();
  }
}
