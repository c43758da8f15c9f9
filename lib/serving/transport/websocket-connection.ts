// A Connection over one WebSocket: every write is one message.
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { RawData, WebSocket } from 'ws';
import type { ConnectionEvents, WebSocketMessageKind, WebSocketPeer } from './connection.js';
import type { HttpRequest } from './http-request.js';
import { MARKER_PAYLOAD_BYTES, PingMarker } from './ping-marker.js';
import { ReadingGate } from './reading-gate.js';
import { WriteTurn } from './write-turn.js';

const LINGER_MILLIS = 5_000;
/** Shorter than the silence after which proxies close a connection (60 s). */
export const PING_SECONDS = 25;

/** Calls every so many seconds until the returned function is called. */
export type Every = (seconds: number, call: () => void) => () => void;

export interface Pings {
  readonly every: Every;
  /** Milliseconds since some fixed moment, for how long peers take to answer. */
  readonly nowMillis: () => number;
  /** Called with a peer that answers no pings; its connection is ended. */
  unanswered(peer: string): void;
}
const NORMAL = 1000;
const GOING_AWAY = 1001;
const UNSUPPORTED = 1003;
const POLICY = 1008;
/** A frame with a header of two bytes. */
const PING_BYTES = 2 + MARKER_PAYLOAD_BYTES;
const MOST_UNANSWERED_PINGS = 2;
/** Of a peer that is behind with values, which might go on after a stop in a debugger. */
const MOST_UNANSWERED_PINGS_BEHIND = 6;

export class WebSocketConnection implements WebSocketPeer {
  readonly kind = 'websocket';
  readonly request: HttpRequest;
  private readonly webSocket: WebSocket;
  private readonly turn: WriteTurn;
  private readonly marker: PingMarker;
  // No limit: the socket below is paused too, so the gate holds at most one read of it.
  private readonly gate = new ReadingGate(Number.POSITIVE_INFINITY);
  private events: ConnectionEvents | undefined;
  private ended = false;
  private isLingering = false;
  private failure: string | undefined;
  private closed: string | undefined;
  private readonly socket: Duplex;
  private readonly unanswered: () => void;
  private only: WebSocketMessageKind | undefined;
  private unansweredPings = 0;
  private isAnsweringPing = false;
  private nextPing: Buffer | undefined;
  private takenBytes = 0;
  private isReading = true;
  private handedWrites = 0;
  private isUnfinished = false;
  /** Whether values have been held back since the peer was last heard. */
  private hasHeld = false;

  constructor(webSocket: WebSocket, socket: Duplex, request: HttpRequest, pings: Pings) {
    this.webSocket = webSocket;
    this.socket = socket;
    this.unanswered = () => pings.unanswered(request.peer);
    this.request = request;
    this.marker = new PingMarker(pings.nowMillis);
    this.turn = new WriteTurn(
      socket,
      () => webSocket.bufferedAmount,
      () => this.drained(),
      () => {
        this.marker.endTurn();
        this.markIfDue();
      },
    );
    webSocket.pause();
    webSocket.on('message', (message: RawData, isBinary: boolean) => {
      this.heard();
      const kind = isBinary ? 'binary' : 'text';
      if (this.only !== undefined && this.only !== kind) this.finish(UNSUPPORTED);
      else if (!this.ended) this.gate.push(message as Buffer);
    });
    webSocket.on('error', (error) => {
      this.failure ??= error.message;
      this.linger();
    });
    const stopPings = pings.every(PING_SECONDS, () => this.ping());
    webSocket.on('ping', (data) => this.answerPing(data));
    webSocket.on('pong', (payload) => {
      this.heard();
      this.answered(payload);
    });
    webSocket.on('close', (code, text) => {
      stopPings();
      this.close(code, text.toString());
    });
  }

  get peer(): string {
    return this.request.peer;
  }

  get local(): string {
    return this.request.local;
  }

  get subprotocol(): string {
    return this.webSocket.protocol;
  }

  get pendingBytes(): number {
    return this.webSocket.bufferedAmount;
  }

  get pendingWrites(): number {
    return this.handedWrites;
  }

  write(message: Uint8Array | string, kind: WebSocketMessageKind = 'text'): boolean {
    if (this.ended || this.webSocket.readyState !== this.webSocket.OPEN) return false;
    this.turn.begin();
    this.marker.wrote(typeof message === 'string' ? Buffer.byteLength(message) : message.length);
    this.handedWrites++;
    this.webSocket.send(message, { binary: kind === 'binary' }, this.taken);
    return true;
  }

  private readonly taken = (error?: Error | null): void => {
    this.handedWrites--;
    this.turn.taken(error);
  };

  get isBehind(): boolean {
    return this.marker.isBehind;
  }

  followTaking(): void {
    const isFirst = this.marker.follow();
    this.hasHeld ||= this.marker.isBehind;
    if (!isFirst && !(this.marker.isBehind && this.marker.isDue)) return;
    // The system takes such a ping also for a peer that has gone.
    if (!isFirst) this.takenBytes += PING_BYTES;
    this.turn.begin();
    this.mark();
  }

  pauseReading(): void {
    this.gate.pause();
    this.isReading = false;
    this.timeMarker();
    this.webSocket.pause();
  }

  resumeReading(): void {
    this.isReading = true;
    this.timeMarker();
    this.gate.resume();
    if (this.gate.isOpen) this.webSocket.resume();
  }

  /** Says whether a message of the peer has begun and not come whole: it answers no ping inside one. */
  receives(isUnfinished: boolean): void {
    this.isUnfinished = isUnfinished;
    this.timeMarker();
  }

  isPaused(): boolean {
    return this.webSocket.isPaused;
  }

  /** Ends the connection now because of what the peer does. */
  cut(reason: string): void {
    this.failure = reason;
    this.webSocket.close(POLICY);
    this.webSocket.terminate();
  }

  takeOnly(kind: WebSocketMessageKind): void {
    this.only = kind;
  }

  end(code = NORMAL): void {
    this.finish(code);
  }

  /** Ends the connection because the server ends. */
  goAway(): void {
    this.finish(GOING_AWAY);
  }

  destroy(): void {
    this.ended = true;
    this.webSocket.terminate();
  }

  listen(events: ConnectionEvents): void {
    this.events = events;
    const reason = this.closed;
    if (reason !== undefined) {
      process.nextTick(() => events.close(reason));
      return;
    }
    this.gate.listen((message) => events.data(message));
    if (this.gate.isOpen) this.webSocket.resume();
  }

  /** Sends a ping, or ends a peer that has answered none of the last pings and has taken nothing since. */
  private ping(): void {
    if (this.ended || this.webSocket.readyState !== this.webSocket.OPEN) return;
    const takenBytes = (this.socket as Socket).bytesWritten - this.socket.writableLength;
    // While reading is paused, answers to pings cannot arrive.
    if (takenBytes > this.takenBytes || !this.gate.isOpen) this.unansweredPings = 0;
    // Nothing is written to a peer that is behind, so it cannot take anything.
    const most = this.hasHeld && this.marker.awaitsAnswer ? MOST_UNANSWERED_PINGS_BEHIND : MOST_UNANSWERED_PINGS;
    if (this.unansweredPings >= most) {
      this.failure = 'the peer answered no ping';
      this.unanswered();
      this.webSocket.terminate();
      return;
    }
    this.unansweredPings++;
    this.mark();
    this.takenBytes = takenBytes + PING_BYTES;
  }

  private heard(): void {
    this.unansweredPings = 0;
    this.hasHeld = false;
  }

  private timeMarker(): void {
    if (this.isReading && !this.isUnfinished) this.marker.resume();
    else this.marker.pause();
  }

  /** Each ping is a marker, because a peer may answer the latest alone. */
  private mark(): void {
    if (this.ended || this.webSocket.readyState !== this.webSocket.OPEN) return;
    this.webSocket.ping(this.marker.mark(), false, this.turn.taken);
  }

  private markIfDue(): void {
    if (this.marker.isDue) this.mark();
  }

  /** Also while reading is paused: what was read before has answers behind the request that has paused it. */
  private answered(payload: Buffer): void {
    const { marker } = this;
    const wasBehind = marker.awaitsAnswer;
    marker.answered(payload);
    this.markIfDue();
    if (wasBehind && !marker.awaitsAnswer) this.drained();
  }

  private drained(): void {
    if (this.closed === undefined) this.events?.drain?.();
  }

  /** Of pings that come before the last answer has been taken, the latest is answered, as RFC 6455 allows (5.5.3). */
  private answerPing(data: Buffer): void {
    if (this.isAnsweringPing) {
      this.nextPing = data;
      return;
    }
    this.isAnsweringPing = true;
    this.webSocket.pong(data, false, () => {
      this.isAnsweringPing = false;
      const next = this.nextPing;
      this.nextPing = undefined;
      if (next) this.answerPing(next);
    });
  }

  private finish(code: number): void {
    if (this.ended) return;
    this.ended = true;
    this.webSocket.close(code);
    // The peer's closing frame must still be read.
    this.webSocket.resume();
    this.linger();
  }

  /** A peer that does not close either is not waited for as long as the package does. */
  private linger(): void {
    if (this.isLingering) return;
    this.isLingering = true;
    const timer = setTimeout(() => this.webSocket.terminate(), LINGER_MILLIS);
    timer.unref();
    this.webSocket.once('close', () => clearTimeout(timer));
  }

  private close(code: number, text: string): void {
    const detail = text === '' ? `code ${code}` : `code ${code}, ${text}`;
    if (this.ended) this.closed = 'closed by this side';
    else if (this.failure !== undefined) this.closed = `the WebSocket failed: ${this.failure}`;
    else this.closed = `the peer closed the connection (${detail})`;
    this.gate.close();
    this.events?.close(this.closed);
  }
}
