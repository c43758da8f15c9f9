// Start-time fair queueing: an address first, then its clients; of those that wait, the one runs that has had least time.
import { type Due, DueHeap } from './due-heap.js';

let lastOrder = 0;

/** What is served in shares of time: an address, or a client of it. Its due time is the virtual time at which it starts. */
export class Share implements Due {
  dueMillis = 0;
  place = -1;
  /** Of two that start at the same time, the one that has been here longer is first. */
  readonly order = lastOrder++;
  /** Virtual time at which its last job was over. */
  finishMillis = 0;
}

/** The shares that wait for each other. */
class Round<T extends Share> {
  readonly waiting = new DueHeap<T>();
  private nowMillis = 0;

  /** Who has slept starts now, ahead of all who have been served since. */
  enter(share: T): void {
    if (share.place >= 0) return;
    share.dueMillis = Math.max(this.nowMillis, share.finishMillis);
    this.waiting.add(share);
  }

  /** Whether it would be first if it began to wait now, or is. */
  isFirst(share: T): boolean {
    const { first } = this.waiting;
    return !first || first === share || Math.max(this.nowMillis, share.finishMillis) <= first.dueMillis;
  }

  /** Counts time; one that waited starts its next job later, or leaves. */
  charge(share: T, millis: number, waitsOn: boolean): void {
    if (share.place < 0) share.dueMillis = Math.max(this.nowMillis, share.finishMillis);
    this.nowMillis = Math.max(this.nowMillis, share.dueMillis);
    share.finishMillis = share.dueMillis + millis;
    if (!waitsOn) {
      this.waiting.remove(share);
      return;
    }
    share.dueMillis = share.finishMillis;
    this.waiting.reorder(share);
  }
}

export class AddressShare extends Share {
  readonly clients = new Round<ClientShare>();
}

export class ClientShare extends Share {
  /** In their order. */
  readonly jobs: (() => unknown)[] = [];
  /** How many use it who are not done. */
  users = 0;

  constructor(readonly address: AddressShare) {
    super();
  }
}

export class FairQueue {
  private readonly addresses = new Round<AddressShare>();
  private count = 0;

  get length(): number {
    return this.count;
  }

  push(client: ClientShare, job: () => unknown): void {
    client.jobs.push(job);
    this.count++;
    client.address.clients.enter(client);
    this.addresses.enter(client.address);
  }

  /** Whether a job of this client may run now, because nobody who waits has had less. */
  isNext(client: ClientShare): boolean {
    return this.addresses.isFirst(client.address) && client.address.clients.isFirst(client);
  }

  /** Takes the next job; its client stays in its place until `served` is called. Call it only when some job waits. */
  next(): { readonly client: ClientShare; readonly job: () => unknown } {
    const client = this.addresses.waiting.first?.clients.waiting.first as ClientShare;
    this.count--;
    return { client, job: client.jobs.shift() as () => unknown };
  }

  /** Counts the time of a client's job. */
  charge(client: ClientShare, millis: number): void {
    const { clients } = client.address;
    clients.charge(client, millis, client.jobs.length > 0);
    this.addresses.charge(client.address, millis, clients.waiting.size > 0);
  }
}
