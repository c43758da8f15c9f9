// The streams of one client: in each frame, those that are due and have changed become one update.
import { Mode, Reason } from '../../../model/frame/header.js';
import type { Frame } from '../../../model/frame/reader.js';
import { Held } from '../../../serving/scheduling/held.js';
import { ClientFrames, untilBegun } from '../../../serving/session/client-frames.js';
import { tickMillisOf } from '../../../serving/session/frame-cadence.js';
import { whenFrameComes } from '../../../serving/session/frame-demand.js';
import type { FrameFollowers } from '../../../serving/session/frame-followers.js';
import type { LatestStream, Outbound } from '../../../serving/session/outbound.js';
import type { SessionRegistry } from '../../../serving/session/registry.js';
import { valuesPerSecond } from '../../../serving/session/value-count.js';
import type { Connection } from '../../../serving/transport/connection.js';
import { frameHead } from '../schema/frame-splitter.js';
import { type FailureEvents, failureOf } from '../service/failure.js';
import {
  type Caller,
  type CallerStreams,
  type Condition,
  invalidArgument,
  invalidOperation,
  type ValueInFrames,
} from '../service/procedure.js';
import type { LatestServices } from '../service/service-table.js';
import type { ObjectNumbers } from '../values/encode.js';
import type { NamedCall } from '../values/type.js';
import { FrameSources } from './frame-sources.js';
import { CallStream, EventStream, type Stream, type StreamFacts } from './stream.js';
import { valueInFrames } from './stream-values.js';

/** Most streams and events of a client. */
export const MOST_STREAMS = 2000;
/** An update that has grown to this size is sent; what is left over comes in the next frame. */
const MOST_UPDATE_BYTES = 512 * 1024;
/** Streams are looked at together until they have so many values; then others have a turn. */
const RANGE_VALUES = 2048;
/** Frames that come less often are asked for when a stream begins. */
const RARE_MILLIS = 50;

/** What all clients' streams share. */
export interface StreamParts extends FailureEvents {
  readonly registry: SessionRegistry;
  readonly nextId: () => number;
  readonly services: LatestServices;
  /** Those who look at every frame. */
  readonly eventFollowers: FrameFollowers;
  /** Counts an update for the status: how many streams were looked at, and how long that took. */
  readonly counted: (looks: number, millis: number, bytes: number) => void;
}

/** Where updates are sent. */
interface Sending {
  readonly outbound: Outbound;
  /** Whether messages need their length in front: a WebSocket has messages of its own. */
  readonly isFramed: boolean;
}

export class Streams implements CallerStreams, LatestStream {
  private all = new Map<number, Stream>();
  private readonly byCall = new Map<string, CallStream>();
  private readonly sources = new FrameSources();
  private readonly frames: ClientFrames;
  private readonly registry: SessionRegistry;
  /** Number of the frame of which an update was made last. */
  private lastNumber = 0;
  private sending: Sending | undefined;
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
    this.registry = parts.registry;
    this.frames = new ClientFrames(this.registry, this.account, () => (frame) => this.makePart(frame));
  }

  get size(): number {
    return this.all.size;
  }

  /** Sends updates over a connection from now on. */
  connect(connection: Connection, outbound: Outbound): void {
    connection.followTaking?.();
    this.send({ outbound, isFramed: connection.kind === 'tcp' });
  }

  disconnect(outbound: Outbound): void {
    if (this.sending?.outbound === outbound) this.send(undefined);
  }

  private send(sending: Sending | undefined): void {
    this.sending = sending;
    for (const stream of this.all.values()) stream.renew();
    this.follow();
  }

  async add(call: NamedCall, isStarted: boolean): Promise<number> {
    this.requireConnection();
    const value = await this.valueOf(call);
    // Its streams may have been disconnected meanwhile.
    this.requireConnection();
    const stream = this.byCall.get(value.key) ?? this.take(new CallStream(this.factsOf('stream'), value, this.objects));
    this.byCall.set(value.key, stream);
    if (isStarted) this.start(stream.id);
    return stream.id;
  }

  addEvent(condition: Condition): number {
    this.requireConnection();
    return this.take(new EventStream(this.factsOf('event'), condition)).id;
  }

  private factsOf(where: string): StreamFacts {
    const { nextId } = this.parts;
    return { id: nextId(), held: new Held(this.account), tell: (error) => failureOf(error, where, this.parts) };
  }

  start(id: number): void {
    const stream = this.find(id);
    stream.isStarted = true;
    if (stream instanceof EventStream) this.followEvent(stream);
    stream.renew();
    this.follow();
    this.repeats = 0;
    this.hurry();
  }

  private followEvent(event: EventStream): void {
    event.unfollow ??= this.parts.eventFollowers.add({
      account: this.account,
      look: (frame) => {
        event.notice(frame);
        // The update of this frame may have been made before.
        if (event.isNews && frame.header.number <= this.lastNumber) this.lookSoon();
      },
      end: () => undefined,
    });
  }

  /** Asks for a frame at once where frames are rare: in a freeze, and in a slow simulation. */
  private hurry(): void {
    const { source } = this.registry;
    const { header } = source.frame;
    if (this.isHurrying || (header.mode === Mode.run && tickMillisOf(header) <= RARE_MILLIS)) return;
    this.isHurrying = true;
    whenFrameComes(source);
  }

  setRate(id: number, hertz: number): void {
    const stream = this.find(id);
    if (!(hertz >= 0)) throw invalidArgument(`a rate is a number of updates a second from 0 up, not ${hertz}`);
    const periodMillis = hertz === 0 ? 0 : 1000 / hertz;
    stream.facts.held.set('valuesPerSecond', this.valuesPerSecond(stream, periodMillis));
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

  valueOf(call: NamedCall): Promise<ValueInFrames> {
    const { caller, objects, sources } = this;
    return valueInFrames(call, { caller, objects, sources, services: this.parts.services });
  }

  /** The client has gone. */
  close(): void {
    this.sending = undefined;
    for (const stream of this.all.values()) stream.end();
    this.sources.end();
    this.all.clear();
    this.byCall.clear();
    this.follow();
  }

  private get account() {
    return this.caller.session.account;
  }

  private requireConnection(): void {
    if (!this.sending) throw invalidOperation('No stream client is connected for this RPC client');
  }

  private find(id: number): Stream {
    const stream = this.all.get(id);
    if (stream) return stream;
    throw invalidOperation('Stream does not exist with this id');
  }

  /** Counts a stream on the client's account. Throws an OverBoundError. */
  private take<Own extends Stream>(stream: Own): Own {
    if (this.all.size >= MOST_STREAMS) throw invalidOperation(`a client may have ${MOST_STREAMS} streams`);
    const perSecond = this.valuesPerSecond(stream, 0);
    stream.facts.held.setAll({ subscriptions: 1, valuesPerSecond: perSecond, keptBytes: stream.keptBytes });
    this.all.set(stream.id, stream);
    return stream;
  }

  private valuesPerSecond({ valueCount }: Stream, periodMillis: number): number {
    const tickMillis = tickMillisOf(this.registry.source.frame.header);
    return valuesPerSecond(valueCount, Math.max(periodMillis, tickMillis));
  }

  /** Follows frames while there is something to send and a connection to send it over. */
  private follow(): void {
    const isNeeded = this.sending !== undefined && this.all.size > 0;
    if (isNeeded) this.stop ??= this.registry.source.onFrame((frame) => this.onFrame(frame));
    else {
      this.stop?.();
      this.stop = undefined;
    }
  }

  private onFrame(frame: Frame): Promise<void> | undefined {
    const { mode, reason } = frame.header;
    if (reason === Reason.scheduled) return undefined;
    this.isHurrying = false;
    // A change in a freeze is seen at once; while the simulation runs, the next tick shows it.
    if (reason === Reason.request && mode === Mode.run && !this.hasNew) return undefined;
    const begun = this.frames.take(frame);
    return begun && untilBegun([begun]);
  }

  private get hasNew(): boolean {
    for (const stream of this.all.values()) if (stream.isStarted && stream.isNew) return true;
    return false;
  }

  /** Looks at the newest frame again, in the client's turn. */
  private lookSoon(): void {
    this.frames.take(this.registry.source.frame)?.catch(this.registry.turns.failed);
  }

  /** There is room again. */
  latest(): undefined {
    this.lookSoon();
  }

  /** A client that does not read gets no update until it does, and then one of the frame that is the newest. */
  private makePart(frame: Frame): boolean | Promise<boolean> {
    const { sending } = this;
    if (!sending) return false;
    const { outbound } = sending;
    if (!outbound.isReady) {
      outbound.offerLatest(this);
      return false;
    }
    const update = this.update(frame, sending);
    if (update instanceof Promise) return update.then((made) => this.deliver(made, sending));
    return this.deliver(update, sending);
  }

  /** Its streams count these values as sent: when the client may not hold a long update, all are sent anew. */
  private deliver(update: Uint8Array | undefined, { outbound }: Sending): false {
    if (update && !outbound.replyCounted(update, 'binary')) for (const stream of this.all.values()) stream.renew();
    return false;
  }

  /**
   * One message with all that is due and new in a frame, undefined when nothing is: of one range of streams at once, of more
   * with a turn after each.
   */
  private update(frame: Frame, sending: Sending): Uint8Array | undefined | Promise<Uint8Array | undefined> {
    const startMillis = this.registry.clock.nowMillis();
    const tickMillis = tickMillisOf(frame.header);
    const { number } = frame.header;
    // Of a frame that has been looked at before, what has been noticed or started since.
    const isAgain = number === this.lastNumber;
    this.lastNumber = number;
    const due = [...this.all.values()].filter((stream) =>
      isAgain ? stream.isStarted && stream.isNews : isDue(stream, startMillis, tickMillis),
    );
    const look = { startMillis, due, next: 0, results: [], bytes: 0 };
    return this.lookAtRange(look, frame)
      ? this.updateInTurns(look, frame, sending)
      : this.message(look, frame, sending);
  }

  private async updateInTurns(look: Look, frame: Frame, sending: Sending): Promise<Uint8Array | undefined> {
    const { copies, turns } = this.registry;
    // The next turn may find another frame.
    const copy = copies.take(frame);
    try {
      do {
        await turns.turn(this.account);
        if (this.sending !== sending) return undefined;
      } while (this.lookAtRange(look, copy));
    } finally {
      copies.giveBack(copy);
    }
    return this.message(look, frame, sending);
  }

  /** Looks at the next range of streams; true when there is another one. */
  private lookAtRange(look: Look, frame: Frame): boolean {
    let values = 0;
    for (; look.next < look.due.length; look.next++) {
      if (look.bytes > MOST_UPDATE_BYTES) return false;
      if (values >= RANGE_VALUES) return true;
      const stream = look.due[look.next] as Stream;
      // It may have been removed since the last range.
      if (!stream.isStarted) continue;
      stream.lastLookMillis = look.startMillis;
      const result = stream.look(frame);
      values += stream.valueCount;
      if (result) {
        look.results.push(result);
        look.bytes += result.length;
      }
      if (stream.isOver) this.remove(stream.id);
    }
    return false;
  }

  private message(look: Look, frame: Frame, { isFramed }: Sending): Uint8Array | undefined {
    const { startMillis, due, next, results, bytes } = look;
    // The looks hold what the next frame must carry.
    if (frame.pages && this.hasNew && this.repeats++ < MOST_REPEATS) this.hurry();
    // Streams for which the update had no room come first in the next one.
    const later = due.slice(next).filter(({ isStarted }) => isStarted);
    if (later.length > 0) this.all = new Map([...later.map((stream) => [stream.id, stream] as const), ...this.all]);
    if (isFramed && bytes > 0) results.unshift(frameHead(bytes));
    this.parts.counted(next, this.registry.clock.nowMillis() - startMillis, bytes);
    return bytes > 0 ? Buffer.concat(results) : undefined;
  }
}

/** A look at streams in one frame. */
interface Look {
  readonly startMillis: number;
  /** The streams that are due, and how many of them have been looked at. */
  readonly due: readonly Stream[];
  next: number;
  /** What an update says of them. */
  readonly results: Uint8Array[];
  bytes: number;
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
