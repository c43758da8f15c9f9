// The whole answers of one HTTP connection that its client has not taken, for whoever watches that it takes them.
import type { NodeHttpExchange } from './http-exchange.js';

/** A connection whose client has answers to take. */
export interface AnsweredConnection {
  /** `127.0.0.1:53412`, IPv6 in brackets. */
  readonly peer: string;
  /** Bytes of whole answers that the client could have taken and has not. */
  readonly pendingBytes: number;
  /** Whether they wait behind a download that goes on; whoever sends that watches that the client takes it. */
  readonly isDownloading: boolean;
  /** Cuts the connection. */
  destroy(): void;
}

/** Watches whether the client of one connection takes its answers. */
export interface AnswerWatch {
  /** So many bytes more are the client's to take. */
  add(bytes: number): void;
  /** The client has taken an answer or a part of one, or has gone, or a download before them has ended. */
  settle(): void;
}

export type WatchAnswers = (connection: AnsweredConnection) => AnswerWatch;

export class AnswerQueue implements AnsweredConnection {
  private readonly watch: AnswerWatch | undefined;
  /** Exchanges whose bytes the watch knows. */
  private readonly told = new Set<NodeHttpExchange>();

  /** @param exchanges those of the connection that are not done, in the order of their requests. */
  constructor(
    private readonly exchanges: ReadonlySet<NodeHttpExchange>,
    readonly peer: string,
    readonly destroy: () => void,
    watchAnswers?: WatchAnswers,
  ) {
    this.watch = watchAnswers?.(this);
  }

  /** An answer behind one that the server owes cannot be taken, so it does not count yet. */
  get pendingBytes(): number {
    let bytes = 0;
    for (const exchange of this.exchanges) {
      if (!exchange.isAnswered) break;
      bytes += exchange.pendingBytes;
    }
    return bytes;
  }

  get isDownloading(): boolean {
    const [first] = this.exchanges;
    return first?.isDownloading === true;
  }

  /** One of them has been answered: those behind it may be the client's to take now, too. */
  answered(): void {
    for (const exchange of this.exchanges) {
      if (!exchange.isAnswered) return;
      const { pendingBytes } = exchange;
      if (pendingBytes === 0 || this.told.has(exchange)) continue;
      this.told.add(exchange);
      this.watch?.add(pendingBytes);
    }
  }

  /** The client has taken a part of one, or a stream has ended. */
  taken(): void {
    if (this.told.size > 0) this.watch?.settle();
  }

  /** One of them is done; it is no longer among the exchanges. */
  done(exchange: NodeHttpExchange): void {
    if (this.told.delete(exchange) || this.told.size > 0) this.watch?.settle();
  }
}
