// What a WebSocket's parser gets of a large read: pieces, in turns, and nothing while nobody reads.
import { Duplex } from 'node:stream';
import { expect } from 'chai';
import { Door } from './door.js';
import { WebSocketFeed } from './websocket-feed.js';

const CHUNK = Buffer.from(Uint8Array.from({ length: 65_536 }, (_, k) => k % 251));

describe('the feed of a WebSocket', () => {
  let later: (() => void)[];
  let now: number;
  let door: Door;
  let isStopped: boolean;
  beforeEach(() => {
    [later, now, isStopped] = [[], 0, false];
    door = new Door(
      () => now,
      (call) => later.push(call),
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
      door,
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

  it('lets a socket that sends little go before those that wait, and no turn take longer than its time', async () => {
    const many = Array.from({ length: 10 }, () => open(1));
    for (const { socket } of many) socket.push(CHUNK);
    await settle();
    const before = now;
    const little = open(0.1);
    little.socket.push(CHUNK.subarray(0, 100));
    await settle();
    // It waits for those alone that have had nothing either.
    await nextTurn();
    await nextTurn();
    expect(bytes(little.got)).to.equal(100);
    expect(now - before).to.be.within(5, 8);
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
