// Who is read on, and when, after many have sent much in one turn.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect } from 'chai';
import { CrowdReading, MOST_BACK_IN_TURN, MOST_BYTES_IN_TURN, MOST_RECENT, MOST_SENIOR } from './crowd-reading.js';

const CHUNK = 65_536;
const CHUNKS_OF_TURN = MOST_BYTES_IN_TURN / CHUNK;

/** A socket as far as a crowd knows it. */
class FakeSocket {
  destroyed = false;
  constructor(readonly remoteAddress = '192.0.2.1') {}
  readonly _handle = { reading: true, readStart: () => 0, readStop: () => 0 };
}

describe('reading from a crowd', () => {
  let later: (() => void)[];
  let crowd: CrowdReading;
  let sockets: FakeSocket[];
  let nowMillis: number;
  const nextTurn = (): void => {
    for (const call of later.splice(0)) call();
  };
  const read = (socket: FakeSocket | undefined, bytes = CHUNK): void =>
    crowd.hasRead(socket as unknown as Socket, bytes);
  const readings = (): number => sockets.filter(({ _handle }) => _handle.reading).length;
  const burst = (): void => {
    for (let k = 0; k < CHUNKS_OF_TURN; k++) read(sockets[k]);
  };

  beforeEach(() => {
    later = [];
    nowMillis = 0;
    crowd = new CrowdReading(
      (call) => later.push(call),
      () => nowMillis,
    );
    sockets = Array.from({ length: 200 }, () => new FakeSocket());
    for (const socket of sockets) crowd.add(socket as unknown as Socket);
  });

  it('goes on with all while a turn reads less than half a megabyte', () => {
    for (let turn = 0; turn < 5; turn++) {
      for (let k = 1; k < CHUNKS_OF_TURN - 1; k++) read(sockets[k]);
      nextTurn();
    }
    expect(readings()).to.equal(200);
  });

  it('reads only those who were the last to send little, then sixteen more in each turn until all are read', () => {
    read(sockets[5], 100);
    burst();
    expect(readings()).to.equal(MOST_RECENT);
    expect(sockets[5]?._handle.reading).to.equal(true);
    expect(sockets[0]?._handle.reading).to.equal(false);
    const counts = Array.from({ length: 11 }, () => {
      nextTurn();
      return readings();
    });
    expect(counts[0]).to.equal(MOST_RECENT + MOST_BACK_IN_TURN);
    expect(counts.at(-1)).to.equal(200);
    expect(later).to.deep.equal([]);
  });

  it('goes on reading those who have sent little before, whatever a crowd of others sends for the first time', () => {
    read(sockets[5], 100);
    nextTurn();
    read(sockets[5], 100);
    for (let k = 0; k < 500; k++) if (k % 200 !== 5) read(sockets[k % 200], 100);
    expect(readings()).to.be.at.most(MOST_RECENT + 1);
    expect(sockets[5]?._handle.reading).to.equal(true);
  });

  it('lets everybody back in the order of waiting, whatever others send meanwhile', () => {
    burst();
    const seen = new Set<FakeSocket>();
    for (let turn = 0; turn < 2 * Math.ceil(200 / MOST_BACK_IN_TURN); turn++) {
      nextTurn();
      for (const socket of sockets) if (socket._handle.reading) seen.add(socket);
      burst();
    }
    expect(seen.size).to.equal(200);
  });

  it('counts a small chunk as a kilobyte more than it has', () => {
    for (let k = 0; k < 400; k++) read(sockets[k % 200], 100);
    expect(readings()).to.equal(200);
    for (let k = 0; k < 70; k++) read(sockets[k % 200], 100);
    expect(readings()).to.equal(MOST_RECENT);
  });

  it('counts the time, too, but lets few sockets go on however long they take', () => {
    for (let k = 0; k < 30; k++) {
      nowMillis += 0.09;
      read(sockets[k], 100);
    }
    expect(readings()).to.equal(200);
    for (let k = 30; k < 40; k++) {
      nowMillis += 0.09;
      read(sockets[k], 100);
    }
    expect(readings()).to.equal(MOST_RECENT);
    for (let turn = 0; turn < 20; turn++) nextTurn();
    for (const socket of sockets.slice(MOST_RECENT + MOST_SENIOR)) crowd.remove(socket as unknown as Socket);
    read(sockets[0]);
    nowMillis += 5;
    read(sockets[1]);
    expect(readings()).to.equal(200);
  });

  /** All send little in three turns, the first of them first. */
  const becomeKnown = (): void => {
    for (let turn = 0; turn < 3; turn++) {
      for (const socket of sockets) read(socket, 100);
      nextTurn();
    }
    for (let turn = 0; turn < 20; turn++) nextTurn();
  };

  it('goes on reading those who have sent little for longest, while they still do', () => {
    becomeKnown();
    nowMillis += 11_000;
    for (const socket of sockets.slice(10)) read(socket, 100);
    nowMillis += 3;
    read(sockets[199], 100);
    const isRead = sockets.map(({ _handle }) => _handle.reading);
    expect(isRead.slice(0, 10)).to.not.include(true);
    expect(isRead.slice(10, 10 + MOST_SENIOR)).to.not.include(false);
    expect(isRead.slice(10 + MOST_SENIOR, -MOST_RECENT)).to.not.include(true);
    expect(isRead.slice(-MOST_RECENT)).to.not.include(false);
  });

  it('goes on reading one of each network, and lets one of each back, however many of another there are', () => {
    const other = new FakeSocket('198.51.100.7');
    const later = new FakeSocket('203.0.113.9');
    sockets.push(other);
    crowd.add(other as unknown as Socket);
    becomeKnown();
    sockets.push(later);
    crowd.add(later as unknown as Socket);
    for (const socket of sockets.slice(0, 150)) read(socket, 100);
    nowMillis += 3;
    read(sockets[0], 100);
    expect([other._handle.reading, later._handle.reading]).to.deep.equal([true, false]);
    nextTurn();
    expect(later._handle.reading).to.equal(true);
  });

  it('forgets who has gone', () => {
    for (let turn = 0; turn < 2; turn++) {
      read(sockets[5], 100);
      nextTurn();
    }
    burst();
    for (const socket of sockets) {
      socket.destroyed = true;
      crowd.remove(socket as unknown as Socket);
    }
    nextTurn();
    expect([readings(), later.length]).to.deep.equal([MOST_RECENT, 0]);
  });

  it('loses nothing of what real sockets send at once', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const real = new CrowdReading();
    const received: string[] = [];
    const whole = new Promise<void>((resolve) => {
      let ended = 0;
      server.on('connection', (socket) => {
        real.add(socket);
        let text = '';
        socket.on('data', (chunk: Buffer) => {
          real.hasRead(socket, chunk.length);
          text += chunk.toString('latin1');
        });
        socket.on('end', () => {
          received.push(text);
          if (++ended === 100) resolve();
        });
      });
    });
    const { port } = server.address() as AddressInfo;
    const sent = Array.from({ length: 100 }, (_, k) => `${k},`.repeat(40_000));
    for (const text of sent) connect(port, '127.0.0.1').end(text);
    await whole;
    expect(received.toSorted()).to.deep.equal(sent.toSorted());
    server.close();
  });
});
