// A Connection over datagrams: each write sends one datagram, and each chunk of data is one.
import type { Socket } from 'node:dgram';
import { networkOf } from '../network/network.js';
import { formatAddress } from './address.js';
import { type Connection, type ConnectionEvents, MAX_DATAGRAM_BYTES } from './connection.js';
import { sendDatagram } from './datagram-socket.js';
import { DoorPlace, door } from './door.js';
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
  /** Called when it has closed and nothing more is sent. */
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
  /** Messages that wait for their turn, each with where it goes. */
  private readonly queue: { readonly bytes: Uint8Array; readonly target: DatagramAddress }[] = [];
  private queuedBytes = 0;
  /** Sources of datagrams can be forged, so no address shares it. */
  private readonly place = new DoorPlace(door);

  constructor(settings: DatagramSettings) {
    this.kind = settings.kind;
    this.local = settings.local;
    this.settings = settings;
    this.target = settings.target;
    this.place.begun();
  }

  get peer(): string {
    return formatAddress(this.target.address, this.target.port);
  }

  /** Messages lost on the way out (too long, no route, to port 0) or in (too many while reading was paused). */
  get droppedMessages(): number {
    return this.dropped;
  }

  get pendingBytes(): number {
    return this.closed === undefined ? this.queuedBytes + this.settings.sender.getSendQueueSize() : 0;
  }

  get pendingWrites(): number {
    return this.queue.length;
  }

  get isClosed(): boolean {
    return this.closed !== undefined;
  }

  /** Drops and counts a message that is longer than a datagram can be; it still returns true. */
  write(message: Uint8Array | string): boolean {
    if (this.closed !== undefined) return false;
    const bytes = typeof message === 'string' ? Buffer.from(message) : message;
    if (bytes.length > MAX_DATAGRAM_BYTES) {
      this.drop();
      return true;
    }
    this.queue.push({ bytes, target: this.target });
    this.queuedBytes += bytes.length;
    if (this.queue.length === 1) this.place.begin(this.sendNext);
    this.behind ||= this.pendingBytes > 0;
    return true;
  }

  /** Sending one takes 10 us and more, and a burst of thousands at once would hold up everybody. */
  private readonly sendNext = (): void => {
    const next = this.queue.shift();
    if (!next) return;
    this.queuedBytes -= next.bytes.length;
    sendDatagram(this.settings.sender, next.bytes, next.target, this.sent);
    if (this.queue.length > 0) this.place.resume(this.sendNext);
    else if (this.closed !== undefined) this.settings.onClosed();
  };

  /** Whether the address is the one that it answers, or in its network of IPv6. */
  isOf({ address }: DatagramAddress): boolean {
    return address === this.target.address || networkOf(address) === networkOf(this.target.address);
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

  /** What waits is sent in its turns. */
  end(): void {
    this.close('closed by this side');
  }

  destroy(): void {
    if (this.closed === undefined) while (this.queue.pop()) this.drop();
    this.queuedBytes = 0;
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
    if (this.queue.length === 0) this.settings.onClosed();
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
