// A session in which a client of another protocol runs the command language: text in, output and messages out.
import type { SessionRegistry } from '../../../serving/session/registry.js';
import type { Session } from '../../../serving/session/session.js';
import type { ScriptValue } from '../../python/index.js';
import type { TrickServer } from '../session/server-settings.js';
import { logAs, SessionLog } from '../session/session-log.js';
import type { TrickSessionSettings } from '../session/session-settings.js';
import type { TrickSession } from '../session/trick-session.js';
import type { ReferenceTable } from '../wire/reference.js';
import { BlockRunner, type Work } from './block-runner.js';
import { type BlockFailure, evaluateText, runForValue } from './block-text.js';
import { Flow } from './flow.js';
import { LastingSession } from './server-script.js';

export interface ConsoleSettings {
  readonly registry: SessionRegistry;
  readonly references: ReferenceTable;
  readonly server: TrickServer;
  readonly readFile: TrickSessionSettings['readFile'];
  readonly explain: TrickSessionSettings['explain'];
}

/** What a text has written, in order. */
export interface ConsoleOutput {
  readonly stream: 'stdout' | 'stderr';
  readonly text: string;
}

export interface ConsoleAnswer {
  /** Whether all of it has run, and nothing has been refused. */
  readonly isDone: boolean;
  readonly output: readonly ConsoleOutput[];
  /** The value of a text that is one expression, as the language prints it; undefined for none. */
  readonly value: string | undefined;
  /** What a Trick connection would have been sent. */
  readonly messages: readonly string[];
}

/**
 * The most characters that one text may write and send; the rest is left out, and the last line of the output says so.
 */
const MOST_CHARACTERS = 2_000_000;
/** How an expression's value is kept for the next text, as in Python. */
const LAST_VALUE = '_';

export class Console {
  readonly session: TrickSession;
  private readonly runner: BlockRunner;
  private collected: Collected | undefined;
  /** Ends the texts that have not ended. A promise for all would keep something of each. */
  private readonly running = new Set<() => void>();
  private isClosed = false;
  private readonly errors: SessionRegistry['errors'];

  /** @param client the session that asks, and whose computing time is used. */
  constructor({ registry, references, server, readFile, explain }: ConsoleSettings, client: Session) {
    this.errors = registry.errors;
    const facts = { frontEnd: 'trick', peer: client.facts.peer, transport: 'json-rpc', openedBy: client };
    const log = new SessionLog(
      registry,
      logAs(server, () => `${this.session.client.tag || 'client'} ${client.facts.peer}`),
      client.account.network,
    );
    const sink = { write: (message: Uint8Array) => this.take(message), pendingBytes: 0 };
    this.session = new LastingSession({
      client: registry.create(facts, sink, client.account),
      registry,
      references,
      isDatagram: false,
      readFile,
      log: log.say,
      printed: log.printed,
      publish: log.publish,
      explain,
      close: () => undefined,
    });
    this.session.stdio.redirect(true);
    const flow = new Flow(this.session, registry.turns, registry.clock);
    this.runner = new BlockRunner({ session: this.session, server, flow, nowMillis: () => registry.clock.nowMillis() });
  }

  /** Runs a text after those before it; resolves when everything that it has asked for shows. */
  async run(text: string): Promise<ConsoleAnswer> {
    const collected = new Collected();
    let value: string | undefined;
    const failure = await this.ended({
      length: text.length,
      start: (interpreter) => {
        this.collected = collected;
        return this.shown(runForValue(interpreter, text), interpreter, (shown) => {
          value = shown;
        });
      },
    });
    await this.settled();
    if (failure) this.errors.note('exception');
    for (const piece of failure?.pieces ?? []) collected.write('stderr', piece);
    if (this.collected === collected) this.collected = undefined;
    const { output, messages } = collected;
    return { isDone: !failure && !output.some(({ stream }) => stream === 'stderr'), output, value, messages };
  }

  /** Resolves when the work has ended, or this session. */
  private ended(work: Pick<Work, 'length' | 'start'>): Promise<BlockFailure | undefined> {
    return new Promise((resolve) => {
      const ended = (failure?: BlockFailure): void => {
        this.running.delete(ended);
        resolve(failure);
      };
      if (this.isClosed) return resolve(undefined);
      this.running.add(ended);
      this.runner.pushWork({ ...work, ended });
    });
  }

  /** Resolves when the latest frame shows what the session has asked for. */
  async settled(): Promise<void> {
    this.runner.surroundings.flush();
    await this.session.client.settled;
  }

  close(): void {
    this.isClosed = true;
    this.session.closed();
    this.runner.closed();
    for (const end of this.running) end();
  }

  private *shown(
    run: ReturnType<typeof runForValue>,
    interpreter: Parameters<typeof runForValue>[0],
    show: (text: string) => void,
  ): Generator<Parameters<Flow['wait']>[0], void> {
    const value: ScriptValue | undefined = yield* run;
    if (value === undefined || value === null) return;
    const { names } = this.runner.surroundings;
    names.set(LAST_VALUE, value);
    const text = yield* evaluateText(interpreter, `repr(${LAST_VALUE})`);
    if (typeof text === 'string') show(text);
  }

  private take(message: Uint8Array): boolean {
    this.collected?.take(message);
    return true;
  }
}

/** What a text writes and sends. */
class Collected {
  readonly output: { readonly stream: ConsoleOutput['stream']; text: string }[] = [];
  readonly messages: string[] = [];
  private left = MOST_CHARACTERS;

  take(message: Uint8Array): void {
    const stdio = /^4 ([12]) \d+\n/.exec(Buffer.from(message.subarray(0, STDIO_HEAD)).toString('latin1'));
    if (stdio)
      this.write(stdio[1] === '1' ? 'stdout' : 'stderr', Buffer.from(message.subarray(stdio[0].length)).toString());
    else if (this.spend(message.length)) this.messages.push(Buffer.from(message).toString('latin1').replace(/\n$/, ''));
  }

  write(stream: ConsoleOutput['stream'], text: string): void {
    if (text === '' || !this.spend(text.length)) return;
    const last = this.output.at(-1);
    if (last?.stream === stream) last.text += text;
    else this.output.push({ stream, text });
  }

  private spend(characters: number): boolean {
    if (this.left < 0) return false;
    this.left -= characters;
    if (this.left < 0) {
      this.output.push({
        stream: 'stderr',
        text: `the rest is left out: a text may write ${MOST_CHARACTERS} characters\n`,
      });
    }
    return this.left >= 0;
  }
}

/** The head of a message of standard output or error is shorter. */
const STDIO_HEAD = 24;
