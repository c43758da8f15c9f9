// The streams of one client: in each frame, those that are due and have changed become one update.
import { Mode, Reason } from '../../../model/frame/header.js';
import type { Frame } from '../../../model/frame/reader.js';
import type { Account } from '../../../serving/scheduling/account.js';
import { Held } from '../../../serving/scheduling/held.js';
import { ClientFrames, untilBegun } from '../../../serving/session/client-frames.js';
import { tickMillisOf } from '../../../serving/session/frame-cadence.js';
import { whenFrameComes } from '../../../serving/session/frame-demand.js';
import type { Outbound } from '../../../serving/session/outbound.js';
import type { SessionRegistry } from '../../../serving/session/registry.js';
import { valuesPerSecond } from '../../../serving/session/value-count.js';
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
import type { LatestServices } from '../service/service-table.js';
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
/** Streams are looked at together until they have so many values and steps; then others have a turn. */
const RANGE_COST = 2048;
/** Frames that come less often are asked for when a stream begins. */
const RARE_MILLIS = 50;

/** What all clients' streams share. */
export interface StreamParts extends FailureEvents {
  readonly registry: SessionRegistry;
  readonly nextId: () => number;
  readonly services: LatestServices;
  /** Counts an update for the status: how many streams were looked at, and how long that took. */
  readonly counted: (looks: number, millis: number, bytes: number) => void;
}

interface StreamConnection {
  readonly outbound: Outbound;
  /** Whether messages need their length in front: a WebSocket has messages of its own. */
  readonly isFramed: boolean;
}

export class Streams implements CallerStreams {
  private all = new Map<number, Stream>();
  private readonly byCall = new Map<string, CallStream>();
  private readonly questions = new Questions();
  private readonly values: StreamValues;
  private readonly writer = new StreamUpdateWriter();
  /** Resolves when the update is sent that is made over several turns. */
  private making: Promise<void> | undefined;
  private readonly frames: ClientFrames;
  private readonly passed: PassedFrames;
  /** Number of the frame of which an update was made or left out last. */
  private lastNumber = 0;
  /** Whether a tick has ended since the frame of which the last update was made. */
  private isTick = false;
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
    this.values = new StreamValues(MOST_STREAM_VALUES, parts.services, caller, objects, this.questions);
    this.frames = new ClientFrames(parts.registry, caller.session.account, () => (frame) => this.makePart(frame));
    const streams = (): Iterable<Stream> => this.all.values();
    this.passed = new PassedFrames(parts.registry.source, streams, this.turn, MOST_FRAME_COST);
  }

  get size(): number {
    return this.all.size;
  }

  /** Sends updates over a connection from now on; undefined when it has closed. */
  connect(connection: StreamConnection | undefined): void {
    this.connection = connection;
    this.writer.clear();
    this.passed.clear();
    for (const stream of this.all.values()) stream.renew();
    this.follow();
  }

  disconnect(outbound: Outbound): void {
    if (this.connection?.outbound === outbound) this.connect(undefined);
  }

  async add(call: NamedCall, isStarted: boolean): Promise<number> {
    this.requireConnection();
    const { key, type, source } = await this.valueOf(call);
    // Its streams may have been disconnected meanwhile.
    this.requireConnection();
    const known = this.byCall.get(key);
    const stream = known ?? this.create(key, type, source);
    if (isStarted) this.start(stream.id);
    return stream.id;
  }

  addEvent(condition: Condition): number {
    this.requireConnection();
    const tell = (error: unknown): Failure => failureOf(error, 'event', this.parts);
    const stream = new EventStream(this.parts.nextId(), new Held(this.account), condition, tell);
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

  valueOf(call: NamedCall): Promise<CallValue> {
    return this.values.of(call);
  }

  /** The client has gone. */
  close(): void {
    this.connection = undefined;
    this.passed.clear();
    for (const stream of this.all.values()) stream.end();
    this.values.close();
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
    const tell = (error: unknown): Failure => failureOf(error, 'stream', this.parts);
    const stream = new CallStream(this.parts.nextId(), new Held(this.account), key, type, source, this.objects, tell);
    this.take(stream);
    this.byCall.set(key, stream);
    return stream;
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

  private readonly turn = (): Promise<void> => this.parts.registry.turns.turn(this.account);

  /** Looks for events in frames that were passed over, and then sends what the newest one has. */
  private makePart(frame: Frame): boolean | Promise<boolean> {
    const { number } = frame.header;
    const { making } = this;
    // There may be a newer frame afterwards.
    if (making) return making.then(() => true);
    if (this.passed.hasBefore(number)) return this.passed.lookUpTo(number - 1, false).then(() => true);
    // It may have come while the frames before it were looked at.
    if (number === this.lastNumber) return false;
    this.lastNumber = number;
    const { isTick } = this;
    this.isTick = false;
    if (!this.send(frame, isTick)) return this.passed.lookUpTo(number, isTick).then(() => false);
    this.passed.clear();
    return this.making?.then(() => false) ?? false;
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
    const { source } = this.parts.registry;
    let isNow = true;
    outbound.offerLatest(this, () => this.make(isNow ? frame : source.frame, isNow && isTick));
    isNow = false;
    return !outbound.holds(this);
  }

  /** Sends an update: now, or when it is made. */
  private make(frame: Frame, mayAsk: boolean): undefined {
    const update = this.update(frame, mayAsk);
    if (!(update instanceof Promise)) return this.deliver(update);
    this.making = update
      .then((made) => this.deliver(made))
      .catch(this.parts.registry.turns.failed)
      .finally(() => {
        this.making = undefined;
      });
    return undefined;
  }

  /** Its streams count these values as sent: when the client may not hold a long update, all are sent anew. */
  private deliver(update: Uint8Array | undefined): undefined {
    if (!update || this.connection?.outbound.replyCounted(update, 'binary') !== false) return;
    for (const stream of this.all.values()) stream.renew();
  }

  /** The client has taken what was sent: what waits goes out, in its turn. */
  release(): void {
    const { connection } = this;
    if (!connection?.outbound.holds(this)) return;
    this.parts.registry.turns.begin(this.account, () => {
      if (!this.making) connection.outbound.release();
    });
  }

  /**
   * One message with all that is due and new in a frame, undefined when nothing is: of one range of streams at once, of more
   * with a turn after each.
   */
  private update(frame: Frame, mayAsk: boolean): Uint8Array | undefined | Promise<Uint8Array | undefined> {
    const startMillis = this.parts.registry.clock.nowMillis();
    const tickMillis = tickMillisOf(frame.header);
    const due = [...this.all.values()].filter((stream) => isDue(stream, startMillis, tickMillis));
    const look = { startMillis, due, next: 0, cost: 0, lacks: false };
    return this.lookAtRange(look, frame, mayAsk) ? this.updateInTurns(look, frame, mayAsk) : this.message(look);
  }

  private async updateInTurns(look: Look, frame: Frame, mayAsk: boolean): Promise<Uint8Array | undefined> {
    const { connection } = this;
    const { copies } = this.parts.registry;
    // The next turn may find another frame.
    const copy = copies.take(frame);
    try {
      do {
        await this.turn();
        if (this.connection !== connection) return undefined;
      } while (this.lookAtRange(look, copy, mayAsk));
    } finally {
      copies.giveBack(copy);
    }
    return this.message(look);
  }

  /** Looks at the next range of streams; true when there is another one. */
  private lookAtRange(look: Look, frame: Frame, mayAsk: boolean): boolean {
    const endCost = look.cost + RANGE_COST;
    for (; look.next < look.due.length; look.next++) {
      if (look.cost > MOST_FRAME_COST || this.writer.length > MOST_UPDATE_BYTES) return false;
      if (look.cost >= endCost) return true;
      const stream = look.due[look.next] as Stream;
      // It may have been removed since the last range.
      if (!stream.isStarted) continue;
      stream.lastLookMillis = look.startMillis;
      const result = stream.look(frame, mayAsk);
      look.cost += stream.cost;
      if (result) this.writer.add(stream.id, result);
      if (stream.isOver) this.remove(stream.id);
      // The look holds what the next frame must carry.
      look.lacks ||= stream.isNew && frame.pages !== undefined;
    }
    return false;
  }

  private message({ startMillis, due, next, lacks }: Look): Uint8Array | undefined {
    if (lacks && this.repeats++ < MOST_REPEATS) this.hurry();
    // Streams for which the frame had no time come first in the next one.
    const later = due.slice(next).filter(({ isStarted }) => isStarted);
    if (later.length > 0) this.all = new Map([...later.map((stream) => [stream.id, stream] as const), ...this.all]);
    const message = this.writer.isEmpty ? undefined : this.writer.take();
    this.parts.counted(next, this.parts.registry.clock.nowMillis() - startMillis, message?.length ?? 0);
    return message && this.connection?.isFramed ? framed(message) : message;
  }
}

/** A look at streams in one frame. */
interface Look {
  readonly startMillis: number;
  /** The streams that are due, and how many of them have been looked at. */
  readonly due: readonly Stream[];
  next: number;
  /** Values and steps so far. */
  cost: number;
  /** Whether the frame lacks values of a new stream. */
  lacks: boolean;
}

/** A pointer may lead to values that were not marked, so more than one frame may be asked for. */
const MOST_REPEATS = 4;

/** A period of fewer ticks ends with the nearest tick. */
const SHORT_PERIOD_TICKS = 8;

/** Whether a stream waits for its first value, or its period is over. */
function isDue(stream: Stream, nowMillis: number, tickMillis: number): boolean {
  const { isStarted, isNew, periodMillis, lastLookMillis } = stream;
  if (!isStarted || isNew) return isStarted;
  // A stream of 30 Hz needs every second frame of 60 Hz; one of 5 Hz must not be early, as kRPC's clients test.
  const isShort = periodMillis < SHORT_PERIOD_TICKS * tickMillis;
  const spareMillis = isShort ? -tickMillis / 2 : tickMillis / 4;
  return nowMillis - lastLookMillis >= periodMillis + spareMillis;
}
