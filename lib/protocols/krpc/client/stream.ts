// One stream of a client: what it gives in each frame, and whether that is new.
import type { Frame } from '../../../model/frame/reader.js';
import type { Held } from '../../../serving/scheduling/held.js';
import { encodeMessage, Schema } from '../schema/messages.js';
import { errorResult, streamResult, valueResult } from '../schema/results.js';
import type { Failure } from '../service/failure.js';
import type { Condition, ValueInFrames } from '../service/procedure.js';
import { encodeValue, type ObjectNumbers } from '../values/encode.js';
import { type KrpcValue, TypeCode } from '../values/type.js';

/** What all streams have. */
export interface StreamFacts {
  readonly id: number;
  /** What its client's account holds for it. */
  readonly held: Held;
  readonly tell: (error: unknown) => Failure;
}

export abstract class Stream {
  isStarted = false;
  /** Milliseconds between two looks; 0 looks in each frame. */
  periodMillis = 0;
  lastLookMillis = Number.NEGATIVE_INFINITY;
  /** Whether it has ended with the last look. */
  isOver = false;
  /** Whether it waits for its first value. */
  isNew = false;
  /** Whether it has something to say whatever the frame. */
  get isNews(): boolean {
    return this.isNew;
  }
  abstract readonly valueCount: number;
  /** Bytes that it takes before it has a value. */
  abstract readonly keptBytes: number;

  constructor(readonly facts: StreamFacts) {}

  get id(): number {
    return this.facts.id;
  }

  /** Makes the next look return the value whether or not it has changed. */
  renew(): void {}

  /**
   * What an update says of it, in bytes that are borrowed until the next look; undefined when there is nothing new. After
   * an error the stream ends.
   */
  look(frame: Frame): Uint8Array | undefined {
    try {
      return this.newResult(frame);
    } catch (error) {
      this.isOver = true;
      return streamResult(this.id, errorResult(encodeMessage(Schema.Error, this.facts.tell(error))));
    }
  }

  protected abstract newResult(frame: Frame): Uint8Array | undefined;

  /** It is there no longer. */
  end(): void {
    this.isStarted = false;
    this.facts.held.release();
  }
}

/** How often a value that is no number lies in memory: as the last one, in an update, and on its way. */
const COPIES = 4;
/** Bytes of a number in a list. */
const NUMBER_BYTES = 10;
const DOUBLE_BYTES = 8;

/** The values of a call. */
export class CallStream extends Stream {
  override isNew = true;
  readonly valueCount: number;
  readonly keptBytes: number;
  /** A number, truth value or text, or null. */
  private last: KrpcValue | undefined;
  private lastBytes: Uint8Array | undefined;
  /** Bytes of the largest value so far, which are counted. */
  private largestBytes: number;
  /** What an update says of a double, which ends with it: written in place, because most streams are doubles that change. */
  private readonly double: Buffer | undefined;

  constructor(
    facts: StreamFacts,
    private readonly value: ValueInFrames,
    private readonly objects: ObjectNumbers,
  ) {
    super(facts);
    const { source, type } = value;
    this.valueCount = source.valueCount;
    this.largestBytes = NUMBER_BYTES * source.valueCount;
    this.keptBytes = source.keptBytes + COPIES * this.largestBytes;
    if (type.code === TypeCode.double)
      this.double = Buffer.from(streamResult(facts.id, valueResult(new Uint8Array(DOUBLE_BYTES), false)));
  }

  /** Equal for equal calls. */
  get key(): string {
    return this.value.key;
  }

  override renew(): void {
    this.isNew = true;
  }

  protected newResult(frame: Frame): Uint8Array | undefined {
    const { isNew, last } = this;
    const value = this.value.source.take(frame);
    if (value === undefined || (!isNew && isPlain(value) && Object.is(value, last))) return undefined;
    this.isNew = false;
    this.last = isPlain(value) ? value : undefined;
    if (this.double && typeof value === 'number') {
      this.double.writeDoubleLE(value, this.double.length - DOUBLE_BYTES);
      return this.double;
    }
    const bytes = encodeValue(this.value.type, value, this.objects);
    const isSame = !isNew && (last === null) === (value === null);
    if (isSame && this.lastBytes && Buffer.compare(bytes, this.lastBytes) === 0) return undefined;
    if (bytes.length > this.largestBytes) this.grow(bytes.length);
    this.lastBytes = bytes;
    return streamResult(this.id, valueResult(bytes, value === null));
  }

  override end(): void {
    super.end();
    this.value.source.end();
  }

  /** Counts a value that is larger than those before. Throws an OverBoundError. */
  private grow(bytes: number): void {
    this.facts.held.set('keptBytes', this.keptBytes + COPIES * bytes);
    this.largestBytes = bytes;
  }
}

const isPlain = (value: KrpcValue): boolean => typeof value !== 'object' || value === null;

const TRIGGERED = valueResult(Uint8Array.of(1), false);

/** Its expression is counted as an object that the client knows. */
const EVENT_BYTES = 512;

/** An event: its value is true whenever its condition is met; otherwise it has no value. */
export class EventStream extends Stream {
  readonly valueCount = 1;
  readonly keptBytes = EVENT_BYTES;
  /** Ends the looks at every frame, which begin when it is started. */
  unfollow: (() => void) | undefined;
  /** Whether its condition was met since the last update that was sent, or has failed. */
  private isMet = false;
  private failure: { readonly error: unknown } | undefined;

  constructor(
    facts: StreamFacts,
    private readonly condition: Condition,
  ) {
    super(facts);
  }

  override get isNews(): boolean {
    return this.isMet || this.failure !== undefined;
  }

  /** Keeps what happens in a frame until it can be sent. */
  notice(frame: Frame): void {
    if (this.isNews) return;
    try {
      this.isMet = this.condition.isMet(frame) === true;
    } catch (error) {
      this.failure = { error };
    }
    if (this.failure || this.condition.isOver) this.unfollow?.();
  }

  protected newResult(): Uint8Array | undefined {
    if (this.failure) throw this.failure.error;
    if (this.condition.isOver) this.isOver = true;
    if (!this.isMet) return undefined;
    this.isMet = false;
    return streamResult(this.id, TRIGGERED);
  }

  override end(): void {
    super.end();
    this.unfollow?.();
  }
}
