// What sockets send is passed on in one fair queue for all of them, of an address first and then of its sockets, before it
// is parsed: a turn of the event loop is never longer than the queue allows, and who sends little does not wait.
import type { Duplex } from 'node:stream';
import { networkOf } from '../network/network.js';
import { AddressShare, ClientShare } from '../scheduling/fair-queue.js';
import { Turns } from '../scheduling/turns.js';

/** The place of one socket, or of what is inside its TLS, in the queue. */
export interface Place {
  readonly share: ClientShare;
}

/** The sockets of one address. */
interface Neighbours {
  readonly share: AddressShare;
  sockets: number;
}

export class Door {
  private readonly addresses = new Map<string, Neighbours>();
  private readonly places = new WeakMap<Duplex, Place>();

  constructor(
    readonly turns = new Turns(undefined, undefined, (error) => {
      process.nextTick(() => {
        throw error;
      });
    }),
  ) {}

  /** Its place as long as the socket is open. */
  placeOf(socket: Duplex): Place {
    const known = this.places.get(socket);
    if (known) return known;
    const address = networkOf((socket as { remoteAddress?: string }).remoteAddress ?? '');
    const neighbours = this.addresses.get(address) ?? { share: new AddressShare(), sockets: 0 };
    this.addresses.set(address, neighbours);
    neighbours.sockets++;
    socket.once('close', () => {
      if (--neighbours.sockets === 0 && this.addresses.get(address) === neighbours) this.addresses.delete(address);
    });
    const place = { share: new ClientShare(neighbours.share) };
    this.places.set(socket, place);
    return place;
  }
}

/** Of all sockets of the process. */
export const door = new Door();
