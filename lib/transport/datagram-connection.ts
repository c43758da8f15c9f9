// A Connection over datagrams: each write sends one datagram, and each chunk of data is one.
import type { Socket } from 'node:dgram';
import { formatAddress } from './address.js';
import { type Connection, type ConnectionEvents, MAX_DATAGRAM_BYTES } from './connection.js';
import { sendDatagram } from './datagram-socket.js';
import type { HeldBack } from './held-back.js';
import { ReadingGate } from './reading-gate.js';

/**
 * Most bytes kept while reading is paused. More datagrams are lost, as they would be in the operating system's buffer.
 */
const HELD_LIMIT_BYTES = 1_048_576;
/** What a datagram takes besides its bytes. */
const DATAGRAM_BYTES = 512;

export interface DatagramAddress {
  readonly address: string;
  readonly port: number;
}

export interface DatagramSettings {
  readonly kind: 'udp' | 'multicast';
  /** The socket that sends. */
  readonly sender: Socket;
  readonly local: string;
  readonly target: DatagramAddress;
  /** Counts lost datagrams. */
  readonly heldBack?: HeldBack | undefined;
  onClosed(): void;
}

export class DatagramConnection implements Connection {
  readonly kind: 'udp' | 'multicast';
  readonly local: string;
  private readonly settings: DatagramSettings;
  private readonly gate = new ReadingGate(HELD_LIMIT_BYTES, DATAGRAM_BYTES);
  private target: DatagramAddress;
  private events: ConnectionEvents | undefined;
  private closed: string | undefined;
  private dropped = 0;
  private behind = false;

  constructor(settings: DatagramSettings) {
    this.kind = settings.kind;
    this.local = settings.local;
    this.settings = settings;
    this.target = settings.target;
  }

  get peer(): string {
    return formatAddress(this.target.address, this.target.port);
  }

  /** Messages lost on the way out (too long, no route, to port 0) or in (too many while reading was paused). */
  get droppedMessages(): number {
    return this.dropped;
  }

  get pendingBytes(): number {
    return this.closed === undefined ? this.settings.sender.getSendQueueSize() : 0;
  }

  /** Drops and counts a message that is longer than a datagram can be; it still returns true. */
  write(message: Uint8Array | string): boolean {
    if (this.closed !== undefined) return false;
    const bytes = typeof message === 'string' ? Buffer.from(message) : message;
    if (bytes.length > MAX_DATAGRAM_BYTES) {
      this.drop();
      return true;
    }
    sendDatagram(this.settings.sender, bytes, this.target, this.sent);
    this.behind ||= this.pendingBytes > 0;
    return true;
  }

  /** Takes one datagram; later answers go to `from`, if given. */
  receive(message: Buffer, from?: DatagramAddress): void {
    if (from !== undefined) this.target = from;
    if (!this.gate.push(message)) this.drop();
  }

  pauseReading(): void {
    this.gate.pause();
  }

  resumeReading(): void {
    this.gate.resume();
  }

  /** Ends and destroys alike, because the operating system already has every datagram. */
  end(): void {
    this.close('closed by this side');
  }

  destroy(): void {
    this.close('closed by this side');
  }

  listen(events: ConnectionEvents): void {
    this.events = events;
    const reason = this.closed;
    if (reason !== undefined) process.nextTick(() => events.close(reason));
    else this.gate.listen((message) => events.data(message));
  }

  /** Closes with the reason given. */
  close(reason: string): void {
    if (this.closed !== undefined) return;
    this.closed = reason;
    this.gate.close();
    this.settings.onClosed();
    // Called later, never inside the call that closed the connection, as for every other kind of connection.
    if (this.events !== undefined) process.nextTick(() => this.events?.close(reason));
  }

  private drop(): void {
    this.dropped += 1;
    this.settings.heldBack?.note('datagrams');
  }

  private readonly sent = (error: Error | null): void => {
    if (error) this.drop();
    if (this.closed !== undefined || !this.behind || this.pendingBytes > 0) return;
    this.behind = false;
    this.events?.drain?.();
  };
}
