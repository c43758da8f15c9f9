// In whose turn what sockets send is passed on.
import { Duplex } from 'node:stream';
import { expect } from 'chai';
import { Turns } from '../scheduling/turns.js';
import { Door } from './door.js';

describe('the door', () => {
  let now: number;
  let later: (() => void)[];
  let door: Door;
  let order: string[];
  beforeEach(() => {
    [now, later, order] = [0, [], []];
    door = new Door(
      new Turns(
        () => now,
        (call) => later.push(call),
      ),
    );
  });

  function socketOf(remoteAddress: string): Duplex {
    const socket = new Duplex({ read: () => undefined, write: (_, __, done) => done() });
    return Object.assign(socket, { remoteAddress });
  }
  const send = (socket: Duplex, name: string, millis: number): void =>
    void door.turns.begin(door.placeOf(socket), () => {
      order.push(name);
      now += millis;
    });
  const turn = (): void => {
    for (const call of later.splice(0)) call();
  };

  it('lets one of another address go before all of a crowd that waits', () => {
    for (let k = 0; k < 100; k++) send(socketOf('10.0.0.1'), 'crowd', 1);
    const one = socketOf('10.0.0.2');
    send(one, 'one', 1);
    const before = order.length;
    turn();
    expect(order.slice(before)).to.include('one').and.to.have.length.within(3, 5);
  });

  it('lets one that sends little go before one of its address that sends much', () => {
    const [much, little] = [socketOf('10.0.0.1'), socketOf('10.0.0.1')];
    for (let k = 0; k < 20; k++) send(much, 'much', 1);
    send(little, 'little', 0.1);
    turn();
    expect(order.indexOf('little')).to.be.within(0, 8);
    expect(order.length).to.be.below(12);
  });

  it('knows a socket until it closes, and its address as long as one of it is open', async () => {
    const [first, second] = [socketOf('10.0.0.1'), socketOf('10.0.0.1')];
    const place = door.placeOf(first);
    expect(door.placeOf(first)).to.equal(place);
    expect(door.placeOf(second).share.address).to.equal(place.share.address);
    for (const socket of [first, second]) await new Promise((closed) => socket.once('close', closed).destroy());
    expect(door.placeOf(socketOf('10.0.0.1')).share.address).to.not.equal(place.share.address);
  });
});
