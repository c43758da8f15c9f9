// What a WebSocket's parser gets of a large read: pieces, in turns, and nothing while nobody reads.
import { Duplex } from 'node:stream';
import { expect } from 'chai';
import { Paced } from './paced.js';
import { WebSocketFeed } from './websocket-feed.js';

const CHUNK = Buffer.from(Uint8Array.from({ length: 65_536 }, (_, k) => k % 251));

describe('the feed of a WebSocket', () => {
  let later: (() => void)[];
  let now: number;
  let pace: Paced;
  let isStopped: boolean;
  let unfinished: number;
  beforeEach(() => {
    [later, now, isStopped, unfinished] = [[], 0, false, 0];
    pace = new Paced(
      3,
      0,
      (call) => later.push(call),
      () => now,
    );
  });

  /** A socket whose parser takes so long for each piece. */
  function open(millisPerPiece: number): { readonly socket: Duplex; readonly got: Buffer[] } {
    const socket = new Duplex({ read: () => undefined, write: (_, __, done) => done() });
    const got: Buffer[] = [];
    socket.on('data', (piece: Buffer) => {
      got.push(piece);
      now += millisPerPiece;
    });
    new WebSocketFeed(
      socket,
      () => isStopped,
      () => unfinished,
      pace,
      () => now,
    );
    return { socket, got };
  }
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const bytes = (got: readonly Buffer[]): number => got.reduce((sum, piece) => sum + piece.length, 0);
  async function nextTurn(): Promise<void> {
    for (const call of later.splice(0)) call();
    await settle();
  }

  it('gives the parser 512 bytes even if the turn is used up, and more in the next', async () => {
    const [few, more] = [open(0), open(0)];
    pace.spend(() => {
      now += 3;
    });
    few.socket.push(CHUNK.subarray(0, 512));
    more.socket.push(CHUNK.subarray(0, 513));
    await settle();
    expect([bytes(few.got), bytes(more.got)]).to.deep.equal([512, 0]);
    await nextTurn();
    expect(bytes(more.got)).to.equal(513);
  });

  it('gives the parser all bytes in order, for a millisecond at a time', async () => {
    const { socket, got } = open(0.5);
    socket.push(CHUNK);
    await settle();
    expect(bytes(got)).to.equal(2 * 2048);
    for (let turn = 0; bytes(got) < CHUNK.length; turn++) {
      await nextTurn();
      expect(turn).to.be.below(16);
    }
    expect(Buffer.concat(got).equals(CHUNK)).to.equal(true);
  });

  it('lets the end of a long message wait while the turn is used up, and that of a short one not', async () => {
    const busy = open(4);
    busy.socket.push(CHUNK);
    await settle();
    const { socket, got } = open(1);
    const end = CHUNK.subarray(0, 100);
    for (const [before, passed] of [
      [64 * 1024, 100],
      [64 * 1024 + 1, 100],
    ] as const) {
      unfinished = before;
      socket.push(end);
      await settle();
      expect(bytes(got)).to.equal(passed);
    }
    await nextTurn();
    expect(bytes(got)).to.equal(200);
  });

  it('lets a socket that sends little go before those that wait, and no turn take longer than its time', async () => {
    const many = Array.from({ length: 10 }, () => open(1));
    for (const { socket } of many) socket.push(CHUNK);
    await settle();
    // Who comes begins before others go on, while there is time in this turn.
    expect(now).to.equal(3);
    const little = open(0.1);
    little.socket.push(CHUNK.subarray(0, 100));
    await settle();
    expect(bytes(little.got)).to.equal(100);
    const before = now;
    await nextTurn();
    // Seven begin and three go on: those that begin fill the turn, and one more goes on.
    expect(Math.round(now - before)).to.be.within(4, 5);
  });

  it('gives nothing while the WebSocket is not read, and goes on when it is', async () => {
    const { socket, got } = open(1);
    socket.push(CHUNK);
    await settle();
    const first = bytes(got);
    isStopped = true;
    await nextTurn();
    expect(bytes(got)).to.equal(first);
    isStopped = false;
    socket.resume();
    await settle();
    while (bytes(got) < CHUNK.length) await nextTurn();
    expect(Buffer.concat(got).equals(CHUNK)).to.equal(true);
  });

  it('drops what a connection has left that is cut', async () => {
    const { socket, got } = open(1);
    socket.push(CHUNK);
    await settle();
    const first = bytes(got);
    socket.on('error', () => undefined).destroy(new Error('cut'));
    await settle();
    await nextTurn();
    expect(bytes(got)).to.equal(first);
  });
});
