// In whose turn what sockets send is passed on.
import { Duplex } from 'node:stream';
import { expect } from 'chai';
import type { ClientShare } from '../scheduling/fair-queue.js';
import { Door, type DoorPlace } from './door.js';

describe('the door', () => {
  let now: number;
  let later: (() => void)[];
  let door: Door;
  let order: string[];
  beforeEach(() => {
    [now, later, order] = [0, [], []];
    door = new Door(
      () => now,
      (call) => later.push(call),
    );
  });

  function socketOf(remoteAddress: string): Duplex {
    const socket = new Duplex({ read: () => undefined, write: (_, __, done) => done() });
    return Object.assign(socket, { remoteAddress });
  }
  function send(socket: Duplex, name: string, millis: number): void {
    door.placeOf(socket).begin(() => {
      order.push(name);
      now += millis;
    });
  }
  /** A socket that has sent its first bytes. */
  function known(remoteAddress: string): Duplex {
    const socket = socketOf(remoteAddress);
    door.placeOf(socket).begun();
    return socket;
  }
  const addressOf = (place: DoorPlace): unknown =>
    (place as unknown as { long: { share: ClientShare } }).long.share.address;
  const turn = (): void => {
    for (const call of later.splice(0)) call();
  };

  it('lets one of another address go before all of a crowd that waits', () => {
    for (let k = 0; k < 100; k++) send(socketOf('10.0.0.1'), 'crowd', 1);
    send(socketOf('10.0.0.2'), 'one', 1);
    const before = order.length;
    turn();
    expect(order.slice(before)).to.include('one').and.to.have.length.within(3, 5);
  });

  it('lets one that sends little go before a crowd of its address that is new, or sends much', () => {
    const crowd = Array.from({ length: 100 }, (_, k) => (k % 2 ? socketOf : known)('10.0.0.1'));
    for (const socket of crowd) {
      door.placeOf(socket).holds(65_536);
      send(socket, 'crowd', 1);
    }
    const one = known('10.0.0.1');
    for (let k = 0; k < 50; k++) {
      door.placeOf(one).holds(30);
      send(one, 'one', 0.05);
      turn();
      expect(order.filter((name) => name === 'one')).to.have.length(k + 1);
    }
  });

  it('takes the first bytes of a connection for much, however few', () => {
    const place = door.placeOf(socketOf('10.0.0.1'));
    send(socketOf('10.0.0.1'), 'crowd', 6);
    place.holds(10);
    expect(place.isFree).to.equal(false);
    place.begun();
    place.holds(10);
    expect(place.isFree).to.equal(true);
    place.holds(65_536);
    expect(place.isFree).to.equal(false);
  });

  it('lets in one long message a turn while jobs wait inside', () => {
    const inside = { waiting: 1 };
    const leave = door.leadsTo(inside);
    for (let k = 0; k < 20; k++) send(socketOf('10.0.0.1'), 'long', 0.1);
    for (let k = 1; k < 5; k++, turn()) expect(order).to.have.length(k);
    inside.waiting = 0;
    turn();
    expect(order).to.have.length(20);
    leave();
  });

  it('knows a socket until it closes, and its address as long as one of it is open', async () => {
    const sockets = [socketOf('10.0.0.1'), socketOf('10.0.0.1')] as const;
    const [first, second] = [door.placeOf(sockets[0]), door.placeOf(sockets[1])];
    expect(door.placeOf(sockets[0])).to.equal(first);
    expect(addressOf(second)).to.equal(addressOf(first));
    for (const socket of sockets) await new Promise((closed) => socket.once('close', closed).destroy());
    expect(addressOf(door.placeOf(socketOf('10.0.0.1')))).to.not.equal(addressOf(first));
  });
});
