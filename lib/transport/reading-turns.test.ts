// Who may read on in a turn of the event loop.
import { expect } from 'chai';
import { ReadingTurns } from './reading-turns.js';

describe('reading in turns', () => {
  const CHUNK = 65_536;
  let later: (() => void)[];
  let turns: ReadingTurns;
  let wentOn: number[];
  const sockets = Array.from({ length: 40 }, () => ({}));
  const read = (socket: number, bytes = CHUNK): boolean =>
    turns.mayReadOn(sockets[socket] as object, bytes, () => wentOn.push(socket));
  const nextTurn = (): number[] => {
    wentOn = [];
    for (const call of later.splice(0)) call();
    return wentOn;
  };

  beforeEach(() => {
    [later, wentOn] = [[], []];
    turns = new ReadingTurns((call) => later.push(call));
  });

  it('lets one socket read a quarter of a megabyte in a turn', () => {
    expect(Array.from({ length: 4 }, () => read(0))).to.deep.equal([true, true, true, false]);
    expect([nextTurn(), read(0), nextTurn(), later.length]).to.deep.equal([[0], true, [], 0]);
  });

  it('lets those who send much wait for each other, four in a turn, and goes on in their order', () => {
    for (let socket = 0; socket < 10; socket++) read(socket);
    expect(nextTurn()).to.deep.equal([3, 4, 5, 6]);
    expect(read(3)).to.equal(false);
    expect([nextTurn(), nextTurn()]).to.deep.equal([[7, 8, 9, 3], []]);
  });

  it('never lets those wait who send little', () => {
    for (let socket = 0; socket < 20; socket++) read(socket);
    expect(Array.from({ length: 1000 }, () => read(30, 100)).every((mayGo) => mayGo)).to.equal(true);
  });

  it('lets what has been read wait when others have sent a quarter of a megabyte, unless it is little', () => {
    const wait = (socket: number, bytes: number) =>
      turns.mustWait(sockets[socket] as object, bytes, () => wentOn.push(socket));
    for (let socket = 0; socket < 3; socket++) read(socket);
    expect(wait(30, 20_000)).to.equal(false);
    read(3);
    expect([wait(30, 20_000), wait(31, 2048), wait(32, 2047)]).to.deep.equal([true, true, false]);
    expect([nextTurn(), wait(33, 20_000)]).to.deep.equal([[3, 30, 31], false]);
  });

  it('forgets who has gone', () => {
    for (let socket = 0; socket < 5; socket++) read(socket);
    turns.forget(sockets[3] as object);
    expect(nextTurn()).to.deep.equal([4]);
  });
});
