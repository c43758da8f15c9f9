// A session whose list changes while it sends: the values of each moment, without their names.
import { decodeBinary } from './binary-decoder.js';
import { Channel } from './channel.js';
import { systemClock } from './clock.js';
import { ProtocolError } from './errors.js';
import { openLink } from './link.js';
import { TIME } from './list-assembler.js';
import type { Message } from './message-splitter.js';
import { quote } from './python-literal.js';
import { greeting } from './session-set-up.js';
import { TRICK_NONE, typeOfCode } from './trick-type.js';
import { UpdateQueue } from './update-queue.js';
import type { TrickValue } from './value.js';

/** The values of one moment. */
export interface ListedUpdate {
  readonly timeSeconds: number;
  /** The names of the values: the same array as long as the list is the same. */
  readonly names: readonly string[];
  /** Undefined while there is no such variable. */
  readonly values: readonly (TrickValue | undefined)[];
}

/** Kept for a reader that comes late; the oldest are dropped. */
const MOST_KEPT = 100;
const DOUBLE = 11;
const TIMEOUT_MILLIS = 5000;
/** Copied at the top of a frame and sent at once, so that no update holds values of two moments. */
const SET_UP = ['var_binary_nonames()', 'var_set_copy_mode(2)', 'var_set_write_mode(1)', `var_add("${TIME}")`]
  .map((command) => `trick.${command}\n`)
  .join('');

interface Where {
  readonly host: string;
  readonly port: number;
  readonly tag: string;
}

export class ListedValues implements AsyncIterable<ListedUpdate> {
  private readonly queue = new UpdateQueue<ListedUpdate>(MOST_KEPT, () => this.close());
  private names: readonly string[] = [];
  /** What has come of an update. */
  private values: (TrickValue | undefined)[] = [];
  /** The type of each value, in the list as it is; TRICK_NONE until it is known. */
  private codes: number[] = [];
  /** Messages that come while the list changes are of neither list. */
  private isHeard = false;

  private constructor(private readonly channel: Channel) {
    channel.onCyclic = (message) => this.take(message);
    channel.onLoss = (error) => this.queue.finish(error);
  }

  /** Rejects with a ConnectionLostError or a ReplyTimeoutError. */
  static async connect({ host, port, tag }: Where): Promise<ListedValues> {
    const target = { host, port, transport: 'tcp' } as const;
    const channel = await Channel.open({ target, timeoutMillis: TIMEOUT_MILLIS, clock: systemClock, openLink });
    const listed = new ListedValues(channel);
    await channel.ask(greeting({ tag, form: 'binary' }) + SET_UP);
    return listed;
  }

  /**
   * Changes the list to these names, each once, and sends it in every so many frames. Resolves when the server has taken it,
   * to the names in the order in which their values come.
   */
  async ask(names: readonly string[], frameMultiple: number): Promise<readonly string[]> {
    const wanted = new Set(names);
    const kept = this.names.filter((name) => wanted.has(name));
    const removed = this.names.filter((name) => !wanted.has(name));
    const isAnew = removed.length > kept.length;
    const before = isAnew ? [] : kept;
    const had = new Set(before);
    const added = names.filter((name) => !had.has(name));
    this.isHeard = false;
    // Its own time comes last: where a value is left out, because no message holds it, another type is in that place.
    const commands = [
      'var_pause()',
      `var_set_frame_multiple(${frameMultiple})`,
      ...(isAnew ? ['var_clear()'] : [TIME, ...removed].map((name) => `var_remove(${quote(name)})`)),
      ...[...added, TIME].map((name) => `var_add(${quote(name)})`),
    ];
    await this.channel.ask(commands.map((command) => `trick.${command}\n`).join(''));
    this.names = [...before, ...added];
    this.codes = [...this.names.map(() => TRICK_NONE), DOUBLE];
    this.values = [];
    this.isHeard = true;
    this.channel.tell('trick.var_unpause()\n');
    return this.names;
  }

  close(): void {
    this.channel.close();
    this.queue.finish();
  }

  [Symbol.asyncIterator](): AsyncIterator<ListedUpdate> {
    return this.queue;
  }

  private take(message: Message): void {
    if (!this.isHeard) return;
    if (message.kind !== 'binary') throw new ProtocolError('expected binary values');
    for (const { type, value } of decodeBinary(message, false)) {
      this.check(type.code, this.values.length);
      this.values.push(value);
      if (this.values.length === this.codes.length) this.deliver();
    }
  }

  /** A server that writes to a full socket tears its messages, and what follows is no message. Throws a ProtocolError. */
  private check(code: number, index: number): void {
    const before = this.codes[index] as number;
    if (code === TRICK_NONE || code === before) return;
    if (before === TRICK_NONE) this.codes[index] = code;
    else {
      const [sent, known] = [typeOfCode(code).name, typeOfCode(before).name];
      throw new ProtocolError(
        `a value of type ${sent} came in place of ${this.names[index] ?? TIME}, of type ${known}`,
      );
    }
  }

  private deliver(): void {
    const { names, values } = this;
    this.values = [];
    this.queue.push({ timeSeconds: Number(values.pop()), names, values });
  }
}
