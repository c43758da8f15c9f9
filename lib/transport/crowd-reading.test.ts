// Who is read on, and when, after many have sent much in one turn.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect } from 'chai';
import { CrowdReading, MOST_BACK_IN_TURN, MOST_BYTES_IN_TURN, MOST_EXEMPT } from './crowd-reading.js';

const CHUNK = 65_536;
const CHUNKS_OF_TURN = MOST_BYTES_IN_TURN / CHUNK;

/** A socket as far as a crowd knows it. */
class FakeSocket {
  destroyed = false;
  readonly _handle = { reading: true, readStart: () => 0, readStop: () => 0 };
}

describe('reading from a crowd', () => {
  let later: (() => void)[];
  let crowd: CrowdReading;
  let sockets: FakeSocket[];
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
    crowd = new CrowdReading((call) => later.push(call));
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
    expect(readings()).to.equal(MOST_EXEMPT);
    expect(sockets[5]?._handle.reading).to.equal(true);
    expect(sockets[0]?._handle.reading).to.equal(false);
    const counts = Array.from({ length: 10 }, () => {
      nextTurn();
      return readings();
    });
    expect(counts[0]).to.equal(MOST_EXEMPT + MOST_BACK_IN_TURN);
    expect(counts.at(-1)).to.equal(200);
    expect(later).to.deep.equal([]);
  });

  it('goes on reading those who have sent little before, whatever a crowd of others sends for the first time', () => {
    read(sockets[5], 100);
    nextTurn();
    read(sockets[5], 100);
    for (let k = 0; k < 500; k++) if (k % 200 !== 5) read(sockets[k % 200], 100);
    expect(readings()).to.be.at.most(MOST_EXEMPT + 1);
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
    expect(readings()).to.equal(MOST_EXEMPT);
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
    expect([readings(), later.length]).to.deep.equal([MOST_EXEMPT, 0]);
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
