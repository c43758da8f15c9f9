// Values that a server sends by itself, as an async iterator that survives the loss of its connection.
import type { Field } from './ascii-decoder.js';
import type { Decoded } from './binary-decoder.js';
import type { Channel } from './channel.js';
import type { Clock } from './clock.js';
import { type Elementwise, type Extents, elementwise, isFew } from './containers.js';
import { fieldTypeOf, ListAssembler, type ListEntry, TIME } from './list-assembler.js';
import { addCommands, askAscii, askBinary, type Form, formCommand } from './questions.js';
import type { Shapes } from './shapes.js';
import { UpdateQueue } from './update-queue.js';
import type { TrickValue } from './value.js';

/**
 * When Trick copies the values: `async` about every cycle of wall time, running or frozen; `scheduled` at the simulation
 * times that are multiples of the cycle; `top-of-frame` in every `frameMultiple`-th frame. Trick: var_set_copy_mode
 */
export type CopyMode = 'async' | 'scheduled' | 'top-of-frame';

/** How often and when a subscription gets values. */
export interface SubscribeOptions {
  /** Seconds between updates, above 0. Default 0.1. */
  readonly cycleSeconds?: number;
  readonly mode?: CopyMode;
  /** For `top-of-frame`: how many frames one update is after another. Default 1. */
  readonly frameMultiple?: number;
  /** Updates kept for a slow reader; the oldest are dropped. Default 1000. */
  readonly bufferedUpdates?: number;
}

/** The values of one moment. */
export interface Update<Values extends readonly (TrickValue | undefined)[] = readonly (TrickValue | undefined)[]> {
  /** Simulation time of the copy; NaN where the server does not tell it. */
  readonly timeSeconds: number;
  /** In the order asked for; undefined while there is no such variable. */
  readonly values: Values;
  /** The units of each value where units were asked for. */
  readonly units: readonly (string | undefined)[];
  /** Whether updates have been missed before this one, because the connection was lost. */
  readonly isAfterGap: boolean;
}

const COPY_MODES = { async: 0, scheduled: 1, 'top-of-frame': 2 } as const;
const DEFAULT_CYCLE_SECONDS = 0.1;
const DEFAULT_BUFFERED_UPDATES = 1000;
const KEEP_ASKING_MILLIS = 1000;
/** Arrays of more elements may be too long for a line, of 8190 characters. */
const MOST_IN_A_LINE = 340;

/** What a subscription shares with its client. */
export interface WatchedSession {
  /** With `ascii` the types of values are guessed from the text of the replies. */
  readonly form: Form;
  readonly shapes: Shapes;
  /** The extents of arrays, where the server tells them. */
  readonly extentsOf: (names: readonly string[]) => Promise<Extents>;
}

/** A subscription: the updates, as they come. */
export class Watch<Values extends readonly (TrickValue | undefined)[] = readonly (TrickValue | undefined)[]>
  implements AsyncIterable<Update<Values>>
{
  private readonly queue: UpdateQueue<Update<Values>>;
  private readonly cycleSeconds: number;
  private isAfterGap = false;
  private begun = 0;
  private parts: Elementwise<ListEntry, Field> | undefined;

  /** @internal */
  constructor(
    private readonly variables: readonly ListEntry[],
    private readonly session: WatchedSession,
    private readonly options: SubscribeOptions,
    private readonly onClose: () => void,
  ) {
    const {
      cycleSeconds = DEFAULT_CYCLE_SECONDS,
      frameMultiple = 1,
      bufferedUpdates = DEFAULT_BUFFERED_UPDATES,
    } = options;
    if (!(cycleSeconds > 0 && Number.isFinite(cycleSeconds)))
      throw new RangeError(`cycleSeconds must be above 0, not ${cycleSeconds}`);
    if (!(Number.isInteger(frameMultiple) && frameMultiple > 0))
      throw new RangeError(`frameMultiple must be a whole number above 0, not ${frameMultiple}`);
    if (!(bufferedUpdates >= 1)) throw new RangeError(`bufferedUpdates must be 1 or more, not ${bufferedUpdates}`);
    this.cycleSeconds = cycleSeconds;
    this.queue = new UpdateQueue(bufferedUpdates, onClose);
  }

  /** Updates that were thrown away because nobody read them in time. */
  get dropped(): number {
    return this.queue.dropped;
  }

  /** Ends the iteration and stops the server's sending. */
  close(): void {
    this.onClose();
    this.queue.finish();
  }

  [Symbol.asyncIterator](): AsyncIterator<Update<Values>> {
    return this.queue;
  }

  /** @internal The form of the session while it sends: ASCII when units were asked for, since binary messages have none. */
  get sendingForm(): Form {
    return this.variables.some(({ units }) => units !== undefined) ? 'ascii' : this.session.form;
  }

  /** @internal Ends the iteration with an error, after what is still in the buffer. */
  fail(error: Error): void {
    this.queue.finish(error);
  }

  /** @internal Sets up a new session and starts its cyclic messages. */
  async begin(channel: Channel): Promise<void> {
    this.isAfterGap = this.begun++ > 0;
    const names = this.variables.map(({ name }) => name);
    const known =
      this.session.form === 'binary' ? await askBinary(channel, [TIME, ...names], this.sendingForm) : undefined;
    await this.session.shapes.learn(channel, names, this.sendingForm);
    const typed = this.variables.map((variable) => ({ ...variable, type: fieldTypeOf(known?.get(variable.name)) }));
    const extents = await this.session.extentsOf(await this.tooLong(channel, known));
    this.parts = elementwise<ListEntry, Field>(typed, new Map([...extents].filter(([, own]) => isFew(own))), together);
    const listed: ListEntry[] = [{ name: TIME }, ...this.parts.entries];
    const leftOut = new Set(known ? names.filter((name) => !known.has(name) && !extents.has(name)) : []);
    const assembler = new ListAssembler(listed, leftOut);
    channel.settleMillis = Math.max(channel.settleMillis, 3000 * this.cycleSeconds);
    await channel.ask(this.listCommands(listed));
    channel.onCyclic = (message) => {
      for (const fields of assembler.take(message)) this.deliver(fields);
    };
    channel.tell('trick.var_unpause()\n');
  }

  /** The names of what one message does not hold. */
  private async tooLong(channel: Channel, known: ReadonlyMap<string, Decoded> | undefined): Promise<string[]> {
    const names = this.variables.map(({ name }) => name);
    if (!known) {
      const fields = await askAscii(channel, names);
      return names.filter((_, index) => fields[index]?.isCut);
    }
    const isAscii = this.sendingForm === 'ascii';
    return names.filter((name) => {
      const found = known.get(name);
      return !found || (isAscii && found.elements > MOST_IN_A_LINE && typeof found.value !== 'string');
    });
  }

  /** @internal Asks the server from time to time, because over UDP only its silence shows that it is gone. */
  watchOver(channel: Channel, clock: Clock): void {
    clock.after(KEEP_ASKING_MILLIS, () => {
      if (!channel.isOpen) return;
      channel.ask('').then(
        () => this.watchOver(channel, clock),
        () => undefined,
      );
    });
  }

  private listCommands(listed: readonly ListEntry[]): string {
    const copyMode = COPY_MODES[this.options.mode ?? 'async'];
    return [
      'trick.var_clear()\n',
      formCommand(this.sendingForm),
      `trick.var_cycle(${this.cycleSeconds})\n`,
      `trick.var_set_frame_multiple(${this.options.frameMultiple ?? 1})\n`,
      `trick.var_set_copy_mode(${copyMode})\n`,
      // Asynchronous copies are sent by the session's own cycle, all others when they are made.
      `trick.var_set_write_mode(${copyMode === 0 ? 0 : 1})\n`,
      addCommands(listed),
    ].join('');
  }

  private shaped(fields: readonly Field[]): readonly (TrickValue | undefined)[] {
    const { shapes } = this.session;
    return fields.map(({ value }, index) => shapes.shaped((this.variables[index] as ListEntry).name, value));
  }

  private deliver([time, ...fields]: readonly Field[]): void {
    const { isAfterGap } = this;
    this.isAfterGap = false;
    const whole = this.parts?.joined(fields) ?? fields;
    this.queue.push({
      timeSeconds: typeof time?.value === 'number' ? time.value : Number.NaN,
      values: this.shaped(whole) as Values,
      units: whole.map(({ units }) => units),
      isAfterGap,
    });
  }
}

/** The value of an array, of those of its elements. */
const together = (fields: readonly Field[]): Field => {
  const isWhole = fields.every(({ value }) => value !== undefined);
  const value = isWhole ? (fields.map(({ value }) => value) as unknown as TrickValue) : undefined;
  return { value, units: fields[0]?.units };
};
