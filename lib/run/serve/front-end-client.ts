// A client of a front-end that an embedding program brings: what it asks is answered in turns, and within bounds.
import type { Frame } from '../../model/frame/reader.js';
import type { DeadBands } from '../../serving/session/change-gate.js';
import type { Log } from '../../serving/session/log.js';
import { lateFrames, MessageReader } from '../../serving/session/message-reader.js';
import type { MessageKind } from '../../serving/session/outbound.js';
import type { Reference } from '../../serving/session/reference.js';
import type { SessionRegistry } from '../../serving/session/registry.js';
import type { Session } from '../../serving/session/session.js';
import type { SubscriptionTable } from '../../serving/session/subscription-table.js';
import type { Connection } from '../../serving/transport/connection.js';

/** An answer; an empty one is not sent. A WebSocket sends a string as text, and bytes as a binary message. */
export type FrontEndMessage = string | Uint8Array;

/**
 * Answers what has come from a client. The next answer is asked for when the client has taken what it was sent, in a
 * turn of its own; after a promise, when that has settled.
 */
export type AnswerChunk = (chunk: Buffer) => Iterable<FrontEndMessage | Promise<FrontEndMessage>>;

/** What a client wants to be sent again and again. */
export interface WatchWish {
  readonly references: readonly Reference[];
  /** Milliseconds of simulation time between messages. Default 0: every tick. */
  readonly cycleMillis?: number;
  /** Sends messages only when a value has changed by more than this. Default: all of them. */
  readonly deadBands?: DeadBands;
  /** How a WebSocket sends the messages. Default `text`. */
  readonly kind?: MessageKind;
}

interface ClientParts {
  readonly registry: SessionRegistry;
  readonly subscriptions: SubscriptionTable;
  readonly log: Log;
}

const NO_BYTES = new Uint8Array();
const nothing = (): void => undefined;
const bytesOf = (message: FrontEndMessage): Uint8Array =>
  typeof message === 'string' ? Buffer.from(message) : message;

/**
 * A client of a front-end, which `FrontEndParts.accept` makes. A client that does not take its answers is read no
 * further and, if it goes on so, disconnected; what it watches ends with its connection.
 */
export class FrontEndClient {
  readonly session: Session;
  /** What has come and is not answered; the first is being answered. */
  private readonly chunks: Buffer[] = [];
  private readonly watches = new Set<() => void>();
  /** Called when the client has taken something, or has gone. */
  private whenTaken = nothing;
  private hasPeerEnded = false;
  private isOver = false;

  constructor(
    private readonly parts: ClientParts,
    private readonly frontEnd: string,
    private readonly connection: Connection,
    private readonly answer: AnswerChunk,
  ) {
    const { registry } = parts;
    const { peer, kind: transport } = connection;
    this.session = registry.create({ frontEnd, peer, transport }, connection);
    connection.listen({
      data: (chunk) => this.take(chunk),
      drain: () => this.drained(),
      ended: () => {
        this.hasPeerEnded = true;
        this.regulate();
      },
      close: () => this.close(),
    });
  }

  /**
   * Sends a message of these variables now and whenever one is due, until the returned function is called. A client
   * that reads slowly gets the latest values. Throws an OverBoundError.
   */
  watch(wish: WatchWish, message: (frame: Frame) => FrontEndMessage): () => void {
    if (this.isOver) return nothing;
    const { references, cycleMillis = 0, deadBands, kind = 'text' } = wish;
    const { subscriptions, registry } = this.parts;
    const subscription = subscriptions.create({ account: this.session.account, references, cycleMillis, deadBands });
    const delivery = {
      kind,
      message: (frame: Frame) => this.messageOf(() => message(frame)),
      withDropped: (made: Uint8Array) => made,
      release: nothing,
    };
    const late = lateFrames(subscription, registry);
    const reader = new MessageReader(this.session.outbound, delivery, nothing, late);
    const stop = (): void => {
      this.watches.delete(stop);
      subscriptions.remove(subscription);
      this.regulate();
    };
    this.watches.add(stop);
    subscriptions.attach(subscription, reader);
    return stop;
  }

  /** Sends what has been answered, then closes the connection; nothing more is answered. */
  end(): void {
    this.isOver = true;
    this.connection.end();
  }

  private take(chunk: Buffer): void {
    if (this.isOver) return;
    if (this.chunks.push(chunk) === 1) this.serve().catch((error: unknown) => this.failed(error));
    this.regulate();
  }

  private async serve(): Promise<void> {
    for (let chunk = this.chunks[0]; chunk && !this.isOver; chunk = this.chunks[0]) {
      await this.answerAll(chunk);
      this.chunks.shift();
    }
    this.regulate();
  }

  /** Each answer is made in a turn of this client, when there is room for it. */
  private async answerAll(chunk: Buffer): Promise<void> {
    const answers = await this.inTurn(() => this.answer(chunk)[Symbol.iterator]());
    try {
      while (!this.isOver) {
        const { done, value } = await this.inTurn(() => answers.next());
        if (done) return;
        const message = await value;
        // It may have gone meanwhile.
        if (this.isOver) return;
        this.reply(message);
        while (this.session.outbound.isFull && !this.isOver) await this.room();
      }
    } finally {
      answers.return?.();
    }
  }

  /** No bytes, and the end of this client, if the front-end throws. */
  private messageOf(make: () => FrontEndMessage): Uint8Array {
    try {
      return bytesOf(make());
    } catch (error) {
      this.failed(error);
      return NO_BYTES;
    }
  }

  private async inTurn<T>(work: () => T): Promise<T> {
    await this.parts.registry.turns.turn(this.session.account);
    return work();
  }

  private room(): Promise<void> {
    return new Promise((resolve) => {
      this.whenTaken = resolve;
    });
  }

  private reply(message: FrontEndMessage): void {
    const bytes = bytesOf(message);
    const { account, outbound } = this.session;
    try {
      account.take('unreadBytes', bytes.length);
    } catch (error) {
      this.session.letGo((error as Error).message);
      return;
    }
    outbound.reply(bytes, typeof message === 'string' ? 'text' : 'binary');
    outbound.count(bytes.length);
  }

  private drained(): void {
    this.session.outbound.release();
    this.whenTaken();
    this.regulate();
  }

  /** Reads on when everything is answered and there is room for more answers. */
  private regulate(): void {
    const { connection } = this;
    if (this.isOver) return;
    if (this.chunks.length > 0 || this.session.outbound.isFull) connection.pauseReading();
    else if (this.hasPeerEnded && this.watches.size === 0) this.end();
    else connection.resumeReading();
  }

  /** A fault of the front-end ends one client, and no other. */
  private failed(err: unknown): void {
    if (this.isOver) return;
    const { peer } = this.connection;
    const facts = { peer, session: this.session.id, err: err as Error };
    this.parts.log('error', `${this.frontEnd} failed to answer ${peer}`, facts);
    this.connection.destroy();
  }

  private close(): void {
    this.isOver = true;
    this.whenTaken();
    for (const stop of this.watches) stop();
    this.session.close();
  }
}
