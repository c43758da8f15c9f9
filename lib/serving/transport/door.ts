// What sockets send passes one fair queue before it is parsed: first among addresses, then among the sockets of an address. So a
// turn of the event loop is never longer than the queue allows, and who sends little does not wait.
import type { Duplex } from 'node:stream';
import { networkOf } from '../network/network.js';
import { AddressShare, ClientShare } from '../scheduling/fair-queue.js';
import { type Sharer, TURN_MILLIS, Turns } from '../scheduling/turns.js';

/** Who sends less asks little. */
export const LITTLE_BYTES = 2048;

/** The sockets of one address, in each line. */
class AddressSockets {
  readonly arriving = new AddressShare();
  readonly long = new AddressShare();
  readonly little = new AddressShare();
  sockets = 0;
}

/**
 * Lines in which the sockets of an address wait: what is long, or comes first over a connection, holds up nobody who asks
 * little; and one new connection is taken in a turn of the event loop, because each has 64 KB to read.
 */
export class Door {
  private readonly addresses = new Map<string, AddressSockets>();
  private readonly places = new WeakMap<Duplex, DoorPlace>();
  private readonly inside = new Set<{ readonly waiting: number }>();
  readonly arriving: Turns;
  readonly little: Turns;
  readonly long: Turns;

  constructor(nowMillis?: () => number, later?: (call: () => void) => void) {
    this.arriving = new Turns(nowMillis, later, throwLater, () => 0);
    this.little = new Turns(nowMillis, later, throwLater);
    this.long = new Turns(nowMillis, later, throwLater, () => (this.isBusyInside ? 0 : TURN_MILLIS));
  }

  /** While jobs wait in these turns, one long message is passed on in a turn of the event loop. Returns what ends that. */
  leadsTo(turns: { readonly waiting: number }): () => void {
    this.inside.add(turns);
    return () => this.inside.delete(turns);
  }

  private get isBusyInside(): boolean {
    for (const { waiting } of this.inside) if (waiting > 0) return true;
    return false;
  }

  /** Its place as long as the socket is open. */
  placeOf(socket: Duplex): DoorPlace {
    const known = this.places.get(socket);
    if (known) return known;
    const address = networkOf((socket as { remoteAddress?: string }).remoteAddress ?? '');
    const ofAddress = this.addresses.get(address) ?? new AddressSockets();
    this.addresses.set(address, ofAddress);
    ofAddress.sockets++;
    // Each layer of a WebSocket listens already, and node would warn of the eleventh listener.
    socket.setMaxListeners(0).once('close', () => {
      if (--ofAddress.sockets === 0 && this.addresses.get(address) === ofAddress) this.addresses.delete(address);
    });
    const place = new DoorPlace(this, ofAddress);
    this.places.set(socket, place);
    return place;
  }
}

/** The place of one socket, or of what is inside its TLS. */
export class DoorPlace {
  private readonly long: Sharer;
  private readonly little: Sharer;
  private isNew = true;
  private isLong = true;

  /** Without an address, it shares with no other. */
  constructor(
    private readonly entrance: Door,
    private readonly ofAddress = new AddressSockets(),
  ) {
    this.long = { share: new ClientShare(ofAddress.long) };
    this.little = { share: new ClientShare(ofAddress.little) };
  }

  /** Calls `job`, which takes the connection, in its turn. */
  arrive(job: () => void): void {
    this.entrance.arriving.begin({ share: new ClientShare(this.ofAddress.arriving) }, job);
  }

  /** Chooses its line by how much waits for its turn. */
  holds(bytes: number): void {
    this.isLong = this.isNew || bytes >= LITTLE_BYTES;
  }

  /** The first bytes of a connection, which cause the most work, have been passed on, or there are none. */
  begun(): void {
    if (this.isNew) this.isLong = false;
    this.isNew = false;
  }

  /** Whether a job would be called now. */
  get isFree(): boolean {
    return this.turns.isFree(this.sharer);
  }

  /** Calls `job` now, or in its turn when others wait. */
  begin(job: () => void): void {
    this.turns.begin(this.sharer, job);
  }

  /** Calls `job` in its turn. */
  resume(job: () => void): void {
    this.turns.resume(this.sharer, job);
  }

  private get turns(): Turns {
    return this.isLong ? this.entrance.long : this.entrance.little;
  }

  private get sharer(): Sharer {
    return this.isLong ? this.long : this.little;
  }
}

function throwLater(error: unknown): void {
  process.nextTick(() => {
    throw error;
  });
}

/** Of all sockets of the process. */
export const door = new Door();
