// What a client asks over one WebSocket: how much may be unanswered and unread, and when reading stops.
import type { QueuePlace } from '../../serving/scheduling/few-at-a-time.js';
import { whenStill } from '../../serving/scheduling/when-still.js';
import type { SessionRegistry } from '../../serving/session/registry.js';
import type { Session } from '../../serving/session/session.js';
import type { AnswerText } from './answer-text.js';
import { type Caller, turnWhileThere } from './caller.js';
import { Presence } from './presence.js';
import { RpcCode, RpcError } from './rpc-error.js';

/** The most unanswered requests of one socket; only waits and polls take long. */
const MAX_PENDING = 1000;
/** The most messages that may wait for the work of those before them before the socket is paused. */
const MAX_WORK = 32;
/** The most bytes of messages whose work waits: what they say takes several times as much memory. */
const MAX_WORK_BYTES = 64 * 1024;

/** A message of fewer bytes is not counted while it waits for its answer. */
const COUNTED_BYTES = 4 * 1024;
/** What a longer message says takes several times its memory. */
const LONG_MESSAGE_BYTES = 8 * 1024;
const SHORT_ANSWER_BYTES = 64 * 1024;

/** A transport's WebSocket. */
interface Socket {
  pauseReading(): void;
  resumeReading(): void;
}

export interface AskingParts {
  readonly registry: SessionRegistry;
  /** False when the client makes too many requests. */
  mayAsk(): boolean;
}

/** What a protocol does with the messages of one socket. */
export interface Answering {
  answer(message: Buffer): Promise<void>;
  /** Tells the client that it may not send this message. */
  refused(refusal: RpcError): void;
  /** Gets what `answer` throws while the client is there. */
  failed(error: unknown): void;
}

export class AskingSocket {
  readonly caller: Caller;
  private readonly presence = new Presence();
  /** Begin messages that wait for those before them. */
  private readonly later: (() => void)[] = [];
  /** How many turns of this client are waited for. */
  private turns = 0;
  /** Whether what has had its turn may go on. */
  private goesOn = false;
  private pending = 0;
  /** Bytes of the messages that have come since no work waited. */
  private workBytes = 0;
  private readonly places = new Set<QueuePlace>();
  /** Messages that wait for their places. */
  private waiting = 0;

  /** @param socket the session's own. */
  constructor(
    private readonly session: Session,
    private readonly socket: Socket,
    private readonly parts: AskingParts,
  ) {
    const { registry } = parts;
    const { account } = session;
    const { presence } = this;
    const turn = turnWhileThere(() => this.ownTurn(registry.turns.turn(account)), presence);
    this.caller = { account, presence, turn, mayAsk: () => parts.mayAsk() };
  }

  get isClosed(): boolean {
    return this.presence.isOver;
  }

  /** Has a message answered, unless the client may not send it. */
  async take(message: Buffer, by: Answering): Promise<void> {
    const { length } = message;
    const refusal = this.begin(length);
    if (refusal) return by.refused(refusal);
    try {
      await this.during(length, () => {
        const answering = by.answer(message);
        this.pauseIfBusy();
        return answering;
      });
    } catch (error) {
      if (!this.isClosed) by.failed(error);
    }
    this.answered(length);
  }

  /** Begins a message of so many bytes, unless the client may not send it; `answered` ends it. */
  private begin(bytes: number): RpcError | undefined {
    if (!this.parts.mayAsk()) return tooMany('this client makes more requests than allowed');
    if (this.pending >= MAX_PENDING) return tooMany(`${MAX_PENDING} requests of this client are not answered yet`);
    if (!this.keeps(bytes)) return TOO_LONG;
    this.pending++;
    this.workBytes += bytes;
    return undefined;
  }

  /**
   * Does the work of a message when those before it are answered, or wait for what is no turn, such as a frame; of a long
   * one when it has a place among those of its address. Work of a client that goes meanwhile is done too, and finds that
   * the client has gone.
   */
  private async during(bytes: number, work: () => Promise<void>): Promise<void> {
    if (this.isWorking) await this.afterOthers();
    else this.goOn();
    if (bytes <= LONG_MESSAGE_BYTES) return work();
    const place = this.parts.registry.longMessages.enter(this.caller.account);
    this.places.add(place);
    try {
      if (place.turn) await this.waitFor(place.turn);
      await work();
    } finally {
      this.places.delete(place);
      place.leave();
    }
  }

  private afterOthers(): Promise<void> {
    return new Promise((begin) => {
      this.later.push(begin);
      this.pauseIfBusy();
    });
  }

  private async waitFor(turn: Promise<void>): Promise<void> {
    this.waiting++;
    this.pauseIfBusy();
    await turn;
    this.waiting--;
    this.goOn();
  }

  private async ownTurn(turn: Promise<void>): Promise<void> {
    this.turns++;
    await turn;
    this.turns--;
    this.goOn();
  }

  /** What has had its turn goes on in promises. When these are still, the next message begins. */
  private goOn(): void {
    if (this.goesOn) return;
    this.goesOn = true;
    whenStill(() => {
      this.goesOn = false;
      if (this.isWorking) return;
      const begin = this.later.shift();
      if (begin) this.goOn();
      else this.workBytes = 0;
      begin?.();
      this.readOn();
    });
  }

  private get isWorking(): boolean {
    return this.goesOn || this.turns > 0 || this.waiting > 0;
  }

  /** @param bytes as `begin` was given. */
  private answered(bytes: number): void {
    this.pending--;
    if (bytes >= COUNTED_BYTES) this.caller.account.give('keptBytes', bytes);
  }

  /** Counts a message until it has been answered: a batch that waits keeps its text. False when that is too much. */
  private keeps(bytes: number): boolean {
    return bytes < COUNTED_BYTES || this.caller.account.tryTake('keptBytes', bytes);
  }

  /** Stops reading while the client does not take its answers, or they are not made yet. */
  pauseIfBusy(): void {
    if (this.isBusy) this.socket.pauseReading();
  }

  readOn(): void {
    if (!this.isClosed && !this.isBusy) this.socket.resumeReading();
  }

  send(message: string | Uint8Array): void {
    this.session.outbound.reply(typeof message === 'string' ? Buffer.from(message) : message, 'text');
    this.pauseIfBusy();
  }

  /** Sends a whole answer; so many bytes of it count until the client has taken them. A long one is put together in turns. */
  async sendAnswer(text: AnswerText | undefined, heldBytes: number): Promise<void> {
    if (text) this.send(text.byteLength <= SHORT_ANSWER_BYTES ? text.bytes : await text.joined(this.caller.turn));
    this.session.outbound.count(heldBytes);
  }

  /** The client has taken what waited. */
  drained(): void {
    this.session.outbound.release();
    this.readOn();
  }

  /** The client has gone. Its session is closed last, because work that ends gives back what it held. */
  close(): void {
    this.presence.end(() => this.parts.registry.turns.turn(this.session.account));
    this.session.outbound.close();
    for (const place of this.places) place.leave();
  }

  private get isBusy(): boolean {
    if (this.waiting > 0 || this.session.outbound.isFull) return true;
    return this.later.length >= MAX_WORK || (this.isWorking && this.workBytes > MAX_WORK_BYTES);
  }
}

const TOO_LONG = new RpcError(
  RpcCode.tooMany,
  'messages of this client that wait for their answers have as many bytes as this server keeps for it; send it later',
);

const tooMany = (sentence: string): RpcError => new RpcError(RpcCode.tooMany, sentence);
