// A channel that is opened again, with growing pauses, when its connection is lost.
import { Channel, type ChannelOptions } from './channel.js';
import { ConnectionLostError } from './errors.js';

/** Whether there is a connection: `closed` is the end. */
export type ConnectionState = 'connected' | 'reconnecting' | 'closed';

const FIRST_PAUSE_MILLIS = 100;
const LONGEST_PAUSE_MILLIS = 5000;

export interface LastingChannelOptions extends ChannelOptions {
  readonly reconnect: boolean;
  /** Sets the new session up; called after every connection. */
  readonly greet: (channel: Channel) => Promise<void>;
  readonly onState?: ((state: ConnectionState, error?: Error) => void) | undefined;
}

interface Waiter {
  readonly resolve: (channel: Channel) => void;
  readonly reject: (error: Error) => void;
}

export class LastingChannel {
  private channel: Channel | undefined;
  private closed: Error | undefined;
  private pauseMillis = FIRST_PAUSE_MILLIS;
  private stopTimer: () => void = () => undefined;
  private readonly waiters = new Set<Waiter>();

  private constructor(private readonly options: LastingChannelOptions) {}

  /** Rejects with the error of the first connection. */
  static async open(options: LastingChannelOptions): Promise<LastingChannel> {
    const lasting = new LastingChannel(options);
    await lasting.connect();
    return lasting;
  }

  /**
   * Resolves to the channel, or to the next one while there is none; rejects after waiting longer than `timeoutMillis`.
   */
  current(): Promise<Channel> {
    if (this.channel) return Promise.resolve(this.channel);
    if (this.closed) return Promise.reject(this.closed);
    const { clock, timeoutMillis, target } = this.options;
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        resolve: (channel) => settle(() => resolve(channel)),
        reject: (error) => settle(() => reject(error)),
      };
      const lost = new ConnectionLostError(`no connection to ${target.host}:${target.port} for ${timeoutMillis} ms`);
      const cancel = clock.after(timeoutMillis, () => waiter.reject(lost));
      const settle = (act: () => void) => {
        cancel();
        this.waiters.delete(waiter);
        act();
      };
      this.waiters.add(waiter);
    });
  }

  close(): void {
    if (this.closed) return;
    this.channel?.close();
    this.end(new ConnectionLostError('the client has been closed'));
  }

  private async connect(): Promise<void> {
    const channel = await Channel.open(this.options);
    if (this.closed) return channel.close();
    let isReady = false;
    channel.onLoss = (error) => {
      if (isReady) this.lose(error);
    };
    try {
      await this.options.greet(channel);
    } catch (error) {
      channel.close();
      throw error;
    }
    if (this.closed) return channel.close();
    if (!channel.isOpen) throw new ConnectionLostError('the connection ended while it was set up');
    isReady = true;
    this.channel = channel;
    this.pauseMillis = FIRST_PAUSE_MILLIS;
    this.options.onState?.('connected');
    for (const { resolve } of [...this.waiters]) resolve(channel);
  }

  private lose(error: Error): void {
    this.channel = undefined;
    if (!this.options.reconnect) this.end(error);
    else {
      this.options.onState?.('reconnecting', error);
      this.retryLater();
    }
  }

  private retryLater(): void {
    const pauseMillis = this.pauseMillis;
    this.pauseMillis = Math.min(2 * pauseMillis, LONGEST_PAUSE_MILLIS);
    this.stopTimer = this.options.clock.after(pauseMillis, () => {
      this.connect().catch(() => {
        if (!this.closed) this.retryLater();
      });
    });
  }

  private end(error: Error): void {
    this.closed = error;
    this.channel = undefined;
    this.stopTimer();
    for (const { reject } of [...this.waiters]) reject(error);
    this.options.onState?.('closed', error);
  }
}
