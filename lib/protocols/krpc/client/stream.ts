// One stream of a client: what it gives in each frame, and whether that is new.
import type { Frame } from '../../../model/frame/reader.js';
import type { Held } from '../../../serving/scheduling/held.js';
import { encodeMessage, Schema } from '../schema/messages.js';
import { errorResult, valueResult } from '../schema/stream-update.js';
import type { Failure } from '../service/failure.js';
import type { Condition, FrameSource } from '../service/procedure.js';
import { encodeValue, type ObjectNumbers } from '../values/encode.js';
import { type KrpcType, type KrpcValue, TypeCode } from '../values/type.js';

export abstract class Stream {
  isStarted = false;
  /** Milliseconds between two looks; 0 looks in each frame. */
  periodMillis = 0;
  lastLookMillis = Number.NEGATIVE_INFINITY;
  /** Whether it has ended with the last look. */
  isOver = false;
  abstract readonly valueCount: number;
  /** What the last look cost: values, or steps of an expression. */
  abstract readonly cost: number;
  /** Bytes that it takes before it has a value. */
  abstract readonly keptBytes: number;
  /** Whether it waits for its first value. */
  abstract readonly isNew: boolean;

  /** @param held what its client's account holds for it. */
  constructor(
    readonly id: number,
    readonly held: Held,
    private readonly tell: (error: unknown) => Failure,
  ) {}

  /** Makes the next look return the value whether or not it has changed. */
  abstract renew(): void;

  /**
   * The bytes of a ProcedureResult that is to be sent, borrowed until the next look; undefined when there is nothing
   * new.
   */
  abstract look(frame: Frame, mayAsk: boolean): Uint8Array | undefined;

  /** The result that tells of an error, after which the stream ends. */
  protected fail(error: unknown): Uint8Array {
    this.isOver = true;
    const bytes = encodeMessage(Schema.error, this.tell(error));
    return errorResult(bytes);
  }

  /** It is there no longer. */
  end(): void {
    this.isStarted = false;
    this.held.release();
  }
}

/** How often a value that is no number lies in memory: as the last one, in an update, and on its way. */
const COPIES = 4;
/** Bytes of a number in a list. */
const NUMBER_BYTES = 10;

/** The values of a call. */
export class CallStream extends Stream {
  readonly valueCount: number;
  readonly keptBytes: number;
  /** A number, truth value or text, or null. */
  private last: KrpcValue | undefined;
  /** Bytes of the largest value so far, which are counted. */
  private largestBytes: number;
  /** Empty for a double, whose value is compared. */
  private lastBytes: Uint8Array | undefined;
  /** The result of a double, with room for its value. */
  private readonly double: Buffer | undefined;

  constructor(
    id: number,
    held: Held,
    /** Equal for equal calls. */
    readonly key: string,
    private readonly type: KrpcType,
    private readonly source: FrameSource,
    private readonly objects: ObjectNumbers,
    tell: (error: unknown) => Failure,
  ) {
    super(id, held, tell);
    this.valueCount = source.valueCount;
    this.largestBytes = NUMBER_BYTES * source.valueCount;
    this.keptBytes = source.keptBytes + COPIES * this.largestBytes;
    if (type.code === TypeCode.double) this.double = Buffer.from(valueResult(new Uint8Array(8), false));
  }

  get cost(): number {
    return this.valueCount;
  }

  get isNew(): boolean {
    return this.lastBytes === undefined;
  }

  renew(): void {
    this.lastBytes = undefined;
  }

  look(frame: Frame, mayAsk: boolean): Uint8Array | undefined {
    try {
      const value = this.source.take(frame, mayAsk);
      if (value === undefined || (this.lastBytes && isPlain(value) && Object.is(value, this.last))) return undefined;
      if (this.double && typeof value === 'number') return this.doubleResult(this.double, value);
      const bytes = encodeValue(this.type, value, this.objects);
      const isSame = this.lastBytes !== undefined && (this.last === null) === (value === null);
      this.last = isPlain(value) ? value : undefined;
      if (isSame && Buffer.compare(bytes, this.lastBytes as Uint8Array) === 0) return undefined;
      if (bytes.length > this.largestBytes) this.grow(bytes.length);
      this.lastBytes = bytes;
      return valueResult(bytes, value === null);
    } catch (error) {
      return this.fail(error);
    }
  }

  override end(): void {
    super.end();
    this.source.end();
  }

  /** Counts a value that is larger than those before. Throws an OverBoundError. */
  private grow(bytes: number): void {
    this.held.set('keptBytes', this.keptBytes + COPIES * bytes);
    this.largestBytes = bytes;
  }

  /** Written in place, because most streams are doubles that change in each frame. */
  private doubleResult(result: Buffer, value: number): Uint8Array {
    this.last = value;
    this.lastBytes = NO_BYTES;
    result.writeDoubleLE(value, DOUBLE_AT);
    return result;
  }
}

const NO_BYTES = new Uint8Array();
/** Behind the tag and the length. */
const DOUBLE_AT = 2;

const isPlain = (value: KrpcValue): boolean => typeof value !== 'object' || value === null;

const TRIGGERED = valueResult(Uint8Array.of(1), false);

/** Its expression is counted as an object that the client knows. */
const EVENT_BYTES = 512;

/** An event: its value is true whenever its condition is met; otherwise it has no value. */
export class EventStream extends Stream {
  readonly valueCount = 1;
  readonly keptBytes = EVENT_BYTES;
  readonly isNew = false;
  /** The frame that was the latest when the event was started; those before it are not looked at. */
  firstNumber = 0;

  get cost(): number {
    return this.condition.cost ?? 1;
  }

  /** Whether it was met since the last update that was sent. */
  private isMet = false;
  private failure: { readonly error: unknown } | undefined;

  constructor(
    id: number,
    held: Held,
    private readonly condition: Condition,
    tell: (error: unknown) => Failure,
  ) {
    super(id, held, tell);
  }

  renew(): void {}

  /** Keeps what happened in a frame until it can be sent. */
  notice(frame: Frame, mayAsk: boolean): void {
    if (this.isOver || this.isMet || this.failure !== undefined) return;
    try {
      this.isMet = this.condition.isMet(frame, mayAsk) === true;
    } catch (error) {
      this.failure = { error };
    }
  }

  look(frame: Frame, mayAsk: boolean): Uint8Array | undefined {
    this.notice(frame, mayAsk);
    if (this.failure) return this.fail(this.failure.error);
    if (this.condition.isOver) this.isOver = true;
    if (!this.isMet) return undefined;
    this.isMet = false;
    return TRIGGERED;
  }
}
