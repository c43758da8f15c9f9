// Passes bytes from a socket to node's HTTP parser: not for long in one turn of the event loop, and not while many
// requests wait for answers. The parser stops after a request with an `Upgrade` wish and forgets the bytes after it, so
// it gets each such request in a piece that ends where the request ends.
import type { Socket } from 'node:net';
import { type DoorPlace, door } from './door.js';

/** What the feed must know of the request whose head was parsed last. */
export interface ParsedHead {
  /** Whether the parser stops after this request. */
  readonly hasWish: boolean;
  readonly complete: boolean;
  readonly headers: { readonly 'content-length'?: string | undefined };
}

export interface FeedOptions {
  latest(): ParsedHead | undefined;
  /**
   * Whether so many requests wait for their answers that no more are read.
   * @param isPatient whether it has waited long; then other connections do not matter.
   */
  isFull(isPatient: boolean): boolean;
  /** Whether the first request that is not done has no answer yet. */
  firstWaits(): boolean;
  /** Whether the parser has been detached by another than `stop`. */
  isDetached?(): boolean;
  /** How long no more is read because of requests that are not done. */
  readonly aheadMillis: number;
  /** Called when the first of them has had no answer for so long. */
  cut(): void;
}

type Listener = (chunk: Buffer) => void;

const WISH = /upgrade|connect/gi;
const BLANK_LINE = /\n\r?\n/g;
/** Every word or blank line that two chunks share has at most this many characters in the first chunk. */
const TAIL_CHARACTERS = 8;
/** What the parser gets at once: forty small requests, which take a millisecond. */
const PIECE_BYTES = 1024;
/** How long one socket's bytes are passed on before others have their turn. */
const SLICE_MILLIS = 1;
/** Call `start` right after node's HTTP server was given the socket. */
export class HttpFeed {
  private parser: Listener[] = [];
  private isOver = false;
  /**
   * The last bytes as text; how far they are parsed and searched; and whether they belong to a head with an `Upgrade`
   * wish.
   */
  private text = '';
  private parsed = 0;
  private searched = 0;
  private isInWish = false;
  /** The request whose body is being read. */
  private bodyOf: ParsedHead | undefined;
  private bodyBytes = 0;
  /** What unread bytes wait for in the paused socket. */
  private waitsFor: 'nothing' | 'an answer' | 'its turn' = 'nothing';
  private isTurn = false;
  private patience: NodeJS.Timeout | undefined;
  private isPatient = false;
  private readonly place: DoorPlace;

  constructor(
    private readonly socket: Socket,
    private readonly options: FeedOptions,
  ) {
    this.place = door.placeOf(socket);
  }

  start(): void {
    this.parser = this.socket.listeners('data') as Listener[];
    for (const listener of this.parser) this.socket.removeListener('data', listener);
    this.socket.once('close', () => this.stopWaiting());
    // Where node has stopped reading by itself, it no longer begins again once there is another listener; this ends that.
    this.socket.once('resume', () => this.socket.push(''));
    // Node reads from the socket's handle itself until there is another listener.
    this.socket.on('data', this.take);
  }

  /** Detaches the parser for good; bytes that it has not got can be read from the socket. */
  stop(): void {
    this.isOver = true;
    this.stopWaiting();
    this.socket.removeListener('data', this.take);
  }

  /** Called when a request has been answered. */
  answered(): void {
    this.isPatient = false;
    if (this.patience === undefined) return;
    this.stopWaiting();
    if (this.waitsFor !== 'an answer') this.lookLater();
    else if (this.isFull) this.waitForAnswer();
    else this.waitForTurn();
  }

  private readonly take = (chunk: Buffer): void => {
    // Whoever took the socket over may have kept this listener.
    if (this.isParserLost) return;
    if (this.waitsFor === 'nothing') this.stopWaiting();
    this.place.holds(chunk.length);
    if (this.isTurn) this.pass(chunk);
    else if (this.waitsFor !== 'nothing' || this.isFull || !this.place.isFree) this.holdBack(chunk);
    else this.place.begin(() => this.pass(chunk));
  };

  private holdBack(rest: Buffer): void {
    this.socket.pause();
    this.socket.unshift(rest);
    this.place.holds(this.socket.readableLength);
    if (this.waitsFor !== 'nothing') return;
    if (this.isFull) this.waitForAnswer();
    else this.waitForTurn();
  }

  private get isFull(): boolean {
    return this.options.isFull(this.isPatient);
  }

  private waitForAnswer(): void {
    this.waitsFor = 'an answer';
    this.lookLater();
  }

  private lookLater(): void {
    this.patience ??= setTimeout(this.look, this.options.aheadMillis).unref();
  }

  /** While nothing is read, a client that leaves is not noticed. */
  private readonly look = (): void => {
    this.patience = undefined;
    if (this.waitsFor !== 'an answer' && !this.socket.isPaused()) return;
    const { isFull, firstWaits, cut } = this.options;
    if (this.waitsFor === 'an answer' && !isFull(true)) {
      this.isPatient = true;
      this.waitForTurn();
    } else if (firstWaits()) cut();
    else this.lookLater();
  };

  private stopWaiting(): void {
    clearTimeout(this.patience);
    this.patience = undefined;
  }

  private waitForTurn(): void {
    this.waitsFor = 'its turn';
    this.place.resume(this.goOn);
  }

  private readonly goOn = (): void => {
    this.waitsFor = 'nothing';
    if (this.isOver || this.socket.destroyed) return;
    this.socket.resume();
    this.isTurn = true;
    // Emits the unread bytes now, not in the next tick.
    this.socket.read();
    this.isTurn = false;
  };

  private pass(chunk: Buffer): void {
    this.place.begun();
    const endMillis = performance.now() + SLICE_MILLIS;
    for (let at = 0; at < chunk.length; ) {
      const end = Math.min(chunk.length, at + PIECE_BYTES);
      const passed = at + this.passPiece(chunk.subarray(at, end));
      if (this.socket.destroyed || passed === chunk.length) return;
      // Node pauses the socket while answers are not taken, and for good at a WebSocket.
      if (this.isStopped) {
        this.socket.unshift(chunk.subarray(passed));
        if (!this.isOver) this.lookLater();
        return;
      }
      at = passed;
      if (this.isFull || performance.now() >= endMillis) {
        this.holdBack(chunk.subarray(at));
        return;
      }
    }
  }

  /** Whether the parser must not get more bytes now. */
  private get isStopped(): boolean {
    return this.isParserLost || this.socket.isPaused();
  }

  private get isParserLost(): boolean {
    if (!this.isOver && this.options.isDetached?.()) this.stop();
    return this.isOver;
  }

  /** Returns how many bytes have been passed on: all of them, unless the parser must not get more. */
  private passPiece(chunk: Buffer): number {
    const before = this.text.length;
    this.text += chunk.toString('latin1');
    this.parsed = before;
    this.searched = 0;
    while (this.parsed < this.text.length) {
      const end = this.nextCut();
      const piece = chunk.subarray(this.parsed - before, end - before);
      this.parsed = end;
      for (const listener of this.parser) listener.call(this.socket, piece);
      if (this.socket.destroyed || this.isStopped) break;
    }
    const passed = this.parsed - before;
    const isAll = passed === chunk.length;
    this.text = isAll ? this.text.slice(Math.max(this.searched, this.text.length - TAIL_CHARACTERS)) : '';
    return passed;
  }

  /** End of the next piece: the end of the bytes, or the first place where the parser may stop. */
  private nextCut(): number {
    const head = this.options.latest();
    const announced = head?.headers['content-length'];
    if (!head?.hasWish || head.complete) return this.endOfHead();
    // A chunked body also ends with a blank line.
    return announced === undefined
      ? (this.endOfBlankLine() ?? this.text.length)
      : this.endOfBody(head, Number(announced));
  }

  /** The end of the next head that contains one of the words. If the word is not a wish, the cut does no harm. */
  private endOfHead(): number {
    if (!this.isInWish && !this.find(WISH)) return this.text.length;
    const end = this.endOfBlankLine();
    this.isInWish = end === undefined;
    return end ?? this.text.length;
  }

  private endOfBody(head: ParsedHead, announcedBytes: number): number {
    if (this.bodyOf !== head) [this.bodyOf, this.bodyBytes] = [head, 0];
    const leftBytes = announcedBytes - this.bodyBytes;
    // A lenient parser takes a chunked body that announces another length.
    if (!(leftBytes > 0)) return this.endOfBlankLine() ?? this.text.length;
    const end = Math.min(this.text.length, this.parsed + leftBytes);
    this.bodyBytes += end - this.parsed;
    this.searched = end;
    return end;
  }

  /** The end of the next blank line that is not parsed yet. */
  private endOfBlankLine(): number | undefined {
    while (this.find(BLANK_LINE)) if (this.searched > this.parsed) return this.searched;
    return undefined;
  }

  private find(pattern: RegExp): boolean {
    pattern.lastIndex = this.searched;
    const isFound = pattern.test(this.text);
    if (isFound) this.searched = pattern.lastIndex;
    return isFound;
  }
}
