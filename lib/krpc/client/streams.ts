// The streams of one client: in each frame, those that are due and have changed become one update.
import { Mode, Reason } from '../../frame/header.js';
import type { Frame } from '../../frame/reader.js';
import type { Account } from '../../scheduling/account.js';
import { Held } from '../../scheduling/held.js';
import { MadeInTurns } from '../../scheduling/made-in-turns.js';
import type { Slice, Sliced } from '../../scheduling/slice.js';
import { ClientFrames, untilBegun } from '../../session/client-frames.js';
import { tickMillisOf } from '../../session/frame-cadence.js';
import { whenFrameComes } from '../../session/frame-demand.js';
import type { Outbound } from '../../session/outbound.js';
import type { SessionRegistry } from '../../session/registry.js';
import { valuesPerSecond } from '../../session/value-count.js';
import { framed } from '../schema/frame-splitter.js';
import { StreamUpdateWriter } from '../schema/stream-update.js';
import { type Failure, type FailureEvents, failureOf } from '../service/failure.js';
import {
  type Caller,
  type CallerStreams,
  type Condition,
  type FrameSource,
  invalidArgument,
  invalidOperation,
} from '../service/procedure.js';
import type { ServiceTable } from '../service/service-table.js';
import type { ObjectNumbers } from '../values/encode.js';
import type { KrpcType, NamedCall } from '../values/type.js';
import { PassedFrames } from './passed-frames.js';
import { Questions } from './questions.js';
import { CallStream, EventStream, type Stream } from './stream.js';
import { type CallValue, StreamValues } from './stream-values.js';

/** Most streams and events of a client. */
export const MOST_STREAMS = 2000;
/** Most values of one stream: more are better read in parts. */
export const MOST_STREAM_VALUES = 10_000;
/** Values and steps of expressions for one client in one frame; what is left over comes first in the next frame. */
const MOST_FRAME_COST = 50_000;
/** An update that has grown to this size is sent; what is left over comes in the next frame. */
const MOST_UPDATE_BYTES = 512 * 1024;
/** Values or steps of a stream that cost one step of a slice, as looking at a stream does. */
const COST_PER_STEP = 16;
/** Frames that come less often are asked for when a stream begins. */
const RARE_MILLIS = 50;

/** What all clients' streams share. */
export interface StreamParts extends FailureEvents {
  readonly registry: SessionRegistry;
  readonly nextId: () => number;
  readonly services: () => ServiceTable;
  /** Counts an update for the status: how many streams were looked at, and how long that took. */
  readonly counted: (looks: number, millis: number, bytes: number) => void;
}

interface StreamConnection {
  readonly outbound: Outbound;
  /** Whether messages need their length in front: a WebSocket has messages of its own. */
  readonly isFramed: boolean;
}

export class Streams implements CallerStreams {
  private readonly all = new Map<number, Stream>();
  private readonly byCall = new Map<string, CallStream>();
  private readonly questions = new Questions();
  private readonly values: StreamValues;
  private readonly writer = new StreamUpdateWriter();
  /** One update at a time; frames that come meanwhile are left out. */
  private readonly making: MadeInTurns<Uint8Array | undefined>;
  private readonly frames: ClientFrames;
  private readonly passed: PassedFrames;
  /** Number of the frame of which a part was made last, whether it could be sent, and whether procedures are called for it. */
  private last = { number: 0, isSent: true, mayAsk: false };
  /** Whether a tick has ended since the frame of which the last update was made. */
  private isTick = false;
  /** Whether a frame has come while an update was made. */
  private hasMissed = false;
  private connection: StreamConnection | undefined;
  private stop: (() => void) | undefined;
  /** Whether a frame has been asked for and none has come since. */
  private isHurrying = false;
  /** How many frames have been asked for since a stream was started last, because a frame lacked values of it. */
  private repeats = 0;

  constructor(
    private readonly parts: StreamParts,
    private readonly caller: Caller,
    private readonly objects: ObjectNumbers,
  ) {
    const { turns, clock } = parts.registry;
    const made = (update: Uint8Array | undefined): void => this.made(update);
    this.values = new StreamValues(MOST_STREAM_VALUES, parts.services, caller, objects, this.questions);
    this.making = new MadeInTurns(turns, caller.session.account, () => clock.nowMillis(), made);
    this.frames = new ClientFrames(parts.registry, caller.session.account, () => (frame) => this.makePiece(frame));
    this.passed = new PassedFrames(parts.registry.source, () => this.all.values(), MOST_FRAME_COST);
  }

  get size(): number {
    return this.all.size;
  }

  /** Sends updates over a connection from now on; undefined when it has closed. */
  connect(connection: StreamConnection | undefined): void {
    this.connection = connection;
    this.making.cancel();
    this.writer.clear();
    this.passed.clear();
    for (const stream of this.all.values()) stream.renew();
    this.follow();
  }

  disconnect(outbound: Outbound): void {
    if (this.connection?.outbound === outbound) this.connect(undefined);
  }

  add(call: NamedCall, isStarted: boolean): number | Promise<number> {
    this.requireConnection();
    const value = this.valueOf(call);
    if (!(value instanceof Promise)) return this.addValue(value, isStarted);
    return value.then((found) => {
      // Its streams may have been disconnected meanwhile.
      this.requireConnection();
      return this.addValue(found, isStarted);
    });
  }

  private addValue({ key, type, source }: CallValue, isStarted: boolean): number {
    const known = this.byCall.get(key);
    const stream = known ?? this.create(key, type, source);
    if (isStarted) this.start(stream.id);
    return stream.id;
  }

  addEvent(condition: Condition): number {
    this.requireConnection();
    const stream = new EventStream(this.parts.nextId(), new Held(this.account), condition, (error) =>
      this.told(error, 'event'),
    );
    this.take(stream);
    return stream.id;
  }

  start(id: number): void {
    const stream = this.find(id);
    stream.isStarted = true;
    if (stream instanceof EventStream) stream.firstNumber = this.parts.registry.source.frame.header.number;
    stream.renew();
    this.follow();
    this.repeats = 0;
    this.hurry();
  }

  /** Asks for a frame at once where frames are rare: in a freeze, and in a slow simulation. */
  private hurry(): void {
    const { source } = this.parts.registry;
    const { header } = source.frame;
    if (this.isHurrying || (header.mode === Mode.run && tickMillisOf(header) <= RARE_MILLIS)) return;
    this.isHurrying = true;
    whenFrameComes(source);
  }

  setRate(id: number, hertz: number): void {
    const stream = this.find(id);
    if (!(hertz >= 0)) throw invalidArgument(`a rate is a number of updates a second from 0 up, not ${hertz}`);
    const periodMillis = hertz === 0 ? 0 : 1000 / hertz;
    stream.held.set('valuesPerSecond', this.valuesPerSecond(stream, periodMillis));
    stream.periodMillis = periodMillis;
  }

  remove(id: number): void {
    const stream = this.all.get(id);
    if (!stream) return;
    this.all.delete(id);
    if (stream instanceof CallStream) this.byCall.delete(stream.key);
    stream.end();
    this.follow();
  }

  valueOf(call: NamedCall): CallValue | Promise<CallValue> {
    return this.values.of(call);
  }

  /** The client has gone. */
  close(): void {
    this.connection = undefined;
    this.making.cancel();
    for (const stream of this.all.values()) stream.end();
    this.all.clear();
    this.byCall.clear();
    this.stop?.();
    this.stop = undefined;
  }

  private get account(): Account {
    return this.caller.session.account;
  }

  private requireConnection(): void {
    if (!this.connection) throw invalidOperation('No stream client is connected for this RPC client');
  }

  private find(id: number): Stream {
    const stream = this.all.get(id);
    if (stream) return stream;
    throw invalidOperation('Stream does not exist with this id');
  }

  private create(key: string, type: KrpcType, source: FrameSource): CallStream {
    const tell = (error: unknown): Failure => this.told(error, 'stream');
    const stream = new CallStream(this.parts.nextId(), new Held(this.account), key, type, source, this.objects, tell);
    this.take(stream);
    this.byCall.set(key, stream);
    return stream;
  }

  private told(error: unknown, what: string): Failure {
    return failureOf(error, what, this.parts);
  }

  /** Counts a stream on the client's account. Throws an OverBoundError. */
  private take(stream: Stream): void {
    if (this.all.size >= MOST_STREAMS) throw invalidOperation(`a client may have ${MOST_STREAMS} streams`);
    const { held } = stream;
    try {
      held.set('subscriptions', 1);
      held.set('valuesPerSecond', this.valuesPerSecond(stream, 0));
      held.set('keptBytes', stream.keptBytes);
    } catch (error) {
      held.release();
      throw error;
    }
    this.all.set(stream.id, stream);
  }

  private valuesPerSecond({ valueCount }: Stream, periodMillis: number): number {
    const tickMillis = tickMillisOf(this.parts.registry.source.frame.header);
    return valuesPerSecond(valueCount, Math.max(periodMillis, tickMillis));
  }

  /** Follows frames while there is something to send and a connection to send it over. */
  private follow(): void {
    const isNeeded = this.connection !== undefined && this.all.size > 0;
    if (isNeeded) this.stop ??= this.parts.registry.source.onFrame((frame) => this.onFrame(frame));
    else {
      this.stop?.();
      this.stop = undefined;
    }
  }

  private onFrame(frame: Frame): Promise<void> | undefined {
    const { mode, reason } = frame.header;
    if (reason === Reason.scheduled) return undefined;
    this.isHurrying = false;
    const isTick = reason !== Reason.request;
    // A change in a freeze is seen at once; while the simulation runs, the next tick shows it.
    if (!isTick && mode === Mode.run && !this.hasNew) return undefined;
    this.isTick ||= isTick;
    this.passed.add(frame.header.number);
    const begun = this.frames.take(frame);
    return begun && untilBegun([begun]);
  }

  /** Looks for events in frames that were passed over, and last sends what the newest one has. */
  private makePiece(frame: Frame): boolean {
    const { number } = frame.header;
    if (this.passed.lookNext(number)) return true;
    // It may have come while the frames before it were looked at.
    if (number !== this.last.number) {
      const { isTick } = this;
      this.isTick = false;
      this.last = { number, isSent: this.send(frame, isTick), mayAsk: isTick };
      if (this.last.isSent) this.passed.clear();
    }
    return !this.last.isSent && this.passed.lookAtNewest(frame, this.last.mayAsk);
  }

  private get hasNew(): boolean {
    for (const stream of this.all.values()) if (stream.isStarted && stream.isNew) return true;
    return false;
  }

  /**
   * A client that does not read gets no update until it does, and then one of the frame that is the latest. Returns false
   * when it gets none of this frame.
   */
  private send(frame: Frame, isTick: boolean): boolean {
    const { connection } = this;
    if (!connection) return true;
    const { outbound } = connection;
    let isNow = true;
    const { source } = this.parts.registry;
    if (this.making.isBusy) {
      // The latest of these frames has its update afterwards.
      if (this.hasMissed) outbound.countDropped(1);
      this.hasMissed = true;
      return false;
    }
    outbound.offerLatest(this, () => this.deliver(this.update(isNow ? frame : source.frame, isNow && isTick)));
    isNow = false;
    return !outbound.holds(this);
  }

  /** Its streams count these values as sent: when the client may not hold a long update, all are sent anew. */
  private deliver(update: Uint8Array | undefined): undefined {
    if (!update || this.connection?.outbound.replyCounted(update, 'binary') !== false) return;
    for (const stream of this.all.values()) stream.renew();
  }

  private made(update: Uint8Array | undefined): void {
    this.deliver(update);
    if (!this.hasMissed) return;
    this.hasMissed = false;
    const { turns, source } = this.parts.registry;
    turns.begin(this.account, () => void this.send(source.frame, false));
  }

  /** The client has taken what was sent: what waits goes out, in its turn. */
  release(): void {
    const { connection } = this;
    if (!connection?.outbound.holds(this)) return;
    this.parts.registry.turns.begin(this.account, () => {
      if (!this.making.isBusy) connection.outbound.release();
    });
  }

  /** One message with all that is due and new in a frame; undefined when nothing is, and when it is made in turns. */
  private update(frame: Frame, mayAsk: boolean): Uint8Array | undefined {
    return this.making.make((slice) => this.updateInPieces(frame, mayAsk, slice))?.made;
  }

  private *updateInPieces(frame: Frame, mayAsk: boolean, slice: Slice): Sliced<Uint8Array | undefined> {
    const { registry, counted } = this.parts;
    const startMillis = registry.clock.nowMillis();
    const looked = yield* this.lookAt(frame, mayAsk, startMillis, slice);
    const millis = registry.clock.nowMillis() - startMillis;
    const message = this.writer.isEmpty ? undefined : this.writer.take();
    counted(looked, millis, message?.length ?? 0);
    if (!message) return undefined;
    return this.connection?.isFramed ? framed(message) : message;
  }

  private *lookAt(shown: Frame, mayAsk: boolean, startMillis: number, slice: Slice): Sliced<number> {
    const tickMillis = tickMillisOf(shown.header);
    let frame = shown;
    let looks = 0;
    let cost = 0;
    let lacks = false;
    const later: Stream[] = [];
    for (const stream of this.all.values()) {
      if (!stream.isStarted || !(stream.isNew || isDue(stream, startMillis, tickMillis))) continue;
      if (cost > MOST_FRAME_COST || this.writer.length > MOST_UPDATE_BYTES) {
        later.push(stream);
        continue;
      }
      if (slice.isOver(1 + stream.cost / COST_PER_STEP)) {
        // The next turn may find another frame.
        if (frame === shown) frame = this.parts.registry.copies.take(shown);
        yield;
      }
      looks++;
      stream.lastLookMillis = startMillis;
      const result = stream.look(frame, mayAsk);
      cost += stream.cost;
      if (result) this.writer.add(stream.id, result);
      if (stream.isOver) this.remove(stream.id);
      // The look has marked what the next frame must carry.
      lacks ||= stream.isNew && frame.pages !== undefined;
    }
    if (frame !== shown) this.parts.registry.copies.giveBack(frame);
    if (lacks && this.repeats++ < MOST_REPEATS) this.hurry();
    this.putFirst(later);
    return looks;
  }

  /** Lets the streams for which a frame had no time come first in the next one. */
  private putFirst(later: readonly Stream[]): void {
    if (later.length === 0) return;
    const first = new Set(later);
    const others = [...this.all.values()].filter((stream) => !first.has(stream));
    this.all.clear();
    for (const stream of [...later, ...others]) this.all.set(stream.id, stream);
  }
}

/** A pointer may lead to values that were not marked, so more than one frame may be asked for. */
const MOST_REPEATS = 4;

/** A period of fewer ticks ends with the nearest tick. */
const SHORT_PERIOD_TICKS = 8;

/** Whether a stream's period is over. */
function isDue({ periodMillis, lastLookMillis }: Stream, nowMillis: number, tickMillis: number): boolean {
  // A stream of 30 Hz needs every second frame of 60 Hz; one of 5 Hz must not be early, as kRPC's clients test.
  const isShort = periodMillis < SHORT_PERIOD_TICKS * tickMillis;
  const spareMillis = isShort ? -tickMillis / 2 : tickMillis / 4;
  return nowMillis - lastLookMillis >= periodMillis + spareMillis;
}
