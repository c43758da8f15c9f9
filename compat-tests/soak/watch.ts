// Reads cyclic messages one after another, checks each, and lets callers wait for one.
import { performance } from 'node:perf_hooks';
import { demand } from '../demand.js';
import type { GuiClient } from '../gui-client.js';
import type { Logbook, StreamFigures } from './logbook.js';

/**
 * Reached only when something has failed: on a busy machine this process needs seconds for what a run as fast as possible
 * has sent it. What the server makes others wait is the bystander's to measure.
 */
const PATIENCE_MILLIS = 30_000;

export interface Stream<Message> {
  readonly name: string;
  /** Reads the next message; rejects when none comes for seconds. */
  readonly read: () => Promise<Message>;
  /** Throws when a message is wrong. */
  readonly check: (message: Message) => void;
}

interface Wanted<Message> {
  readonly isMet: (message: Message) => boolean;
  readonly resolve: (message: Message) => void;
}

export class Watch<Message> {
  private readonly figures: StreamFigures;
  private isStopped = false;
  private wanted: Wanted<Message> | undefined;

  constructor(
    private readonly stream: Stream<Message>,
    private readonly logbook: Logbook,
  ) {
    this.figures = logbook.stream(stream.name);
    this.figures.connections++;
    void this.follow();
  }

  /** The next message that meets a condition. */
  until(isMet: (message: Message) => boolean, expected: string): Promise<Message> {
    demand(this.wanted === undefined, `${this.stream.name} is waited for twice`);
    return new Promise((resolve, reject) => {
      const fail = () => reject(new Error(`${this.stream.name}: no message has shown ${expected}`));
      const timer = setTimeout(fail, PATIENCE_MILLIS);
      const met = (message: Message) => {
        clearTimeout(timer);
        resolve(message);
      };
      this.wanted = { isMet, resolve: met };
    });
  }

  /** Resolves after that many more messages. */
  async next(messages: number): Promise<void> {
    let missing = messages;
    await this.until(() => --missing === 0, `${messages} more`);
  }

  /** Call it before the connection is dropped on purpose. */
  stop(): void {
    this.isStopped = true;
  }

  private async follow(): Promise<void> {
    let lastMillis = performance.now();
    try {
      while (!this.isStopped) {
        const message = await this.stream.read();
        const millis = performance.now();
        this.figures.longestGapMillis = Math.max(this.figures.longestGapMillis, millis - lastMillis);
        lastMillis = millis;
        this.take(message);
      }
    } catch (error) {
      const { messages } = this.figures;
      if (!this.isStopped) this.logbook.fail(`${this.stream.name}, after ${messages}: ${(error as Error).message}`);
    }
  }

  private take(message: Message): void {
    this.stream.check(message);
    this.figures.messages++;
    const { wanted } = this;
    if (!wanted?.isMet(message)) return;
    this.wanted = undefined;
    wanted.resolve(message);
  }
}

/** Watches the cyclic lines of a session as fields; every line must match the form. */
export function watchLines(name: string, client: GuiClient, form: RegExp, logbook: Logbook): Watch<readonly string[]> {
  const check = (fields: readonly string[]) => {
    const line = fields.join('\t');
    demand(form.test(line), `expected ${form}, not ${JSON.stringify(line)}`);
  };
  return new Watch<readonly string[]>({ name, read: () => client.fields(), check }, logbook);
}

/** A number in the form that Trick's Java clients read. */
export const NUMBER = String.raw`-?\d+(?:\.\d+)?(?:e[-+]\d+)?`;
