// Whole answers that clients of plain HTTP do not take: when their connections are cut.
import { expect } from 'chai';
import { ManualClock } from '../../testing/aids/manual-clock.js';
import { UnreadAnswers } from './unread-answers.js';

const MIB = 1024 * 1024;
const KIB = 1024;

function setUp() {
  const clock = new ManualClock();
  const said: string[] = [];
  const answers = new UnreadAnswers(clock, (sentence) => said.push(sentence));
  const open = (peer: string) => {
    const connection = {
      peer,
      pendingBytes: 0,
      isDownloading: false,
      isCut: false,
      destroy(): void {
        this.isCut = true;
        take(this.pendingBytes);
      },
    };
    const watch = answers.watch(connection);
    /** What waits becomes fewer, or nothing when the connection has closed. */
    const take = (bytes: number): void => {
      connection.pendingBytes -= bytes;
      watch.settle();
    };
    const answer = (bytes: number): void => {
      connection.pendingBytes += bytes;
      watch.add(bytes);
    };
    const download = (isDownloading: boolean): void => {
      connection.isDownloading = isDownloading;
      watch.settle();
    };
    return { connection, answer, take, download };
  };
  return { clock, said, open };
}

describe('answers of plain HTTP that are not taken', () => {
  it('end their connection when they become no fewer for ten seconds and a second for each 64 KB', () => {
    const { clock, said, open } = setUp();
    const { connection, answer } = open('127.0.0.1:5');
    answer(2 * MIB);
    clock.advance(10_000 + (2 * MIB) / 64 - 1);
    expect([connection.isCut, said]).to.deep.equal([false, []]);
    clock.advance(1);
    expect(connection.isCut).to.equal(true);
    expect(said).to.deep.equal([
      '127.0.0.1:5 was let go: its answers were not taken: 2097152 bytes wait, and they have not become fewer for long',
    ]);
    expect(clock.pending).to.equal(0);
  });

  it('may wait for ever where those of their address are few', () => {
    const { clock, open } = setUp();
    const [one, other] = [open('10.0.0.1:1'), open('10.0.0.2:1')];
    one.answer(MIB / 2);
    other.answer(MIB / 2);
    expect(clock.pending).to.equal(0);
  });

  it('are counted by address: of many connections that take nothing, few bytes are left', () => {
    const { clock, open } = setUp();
    const all = Array.from({ length: 64 }, (_, port) => open(`[2001:db8::${port + 1}]:80`));
    for (const { answer } of all) answer(500 * KIB);
    clock.advance(10_000 + (64 * 500 * KIB) / 64);
    expect(all.map(({ connection }) => connection.isCut)).to.deep.equal([false, ...Array<boolean>(63).fill(true)]);
    expect(clock.pending).to.equal(0);
  });

  it('end no connection that takes some of them in time, one behind the other', () => {
    const { clock, said, open } = setUp();
    const { answer, take } = open('127.0.0.1:5');
    for (let k = 0; k < 16; k++) answer(MIB);
    // A line of 64 KB a second, which has one answer after the other.
    for (let k = 0; k < 16; k++) {
      clock.advance(MIB / 64);
      take(MIB);
    }
    expect([said, clock.pending]).to.deep.equal([[], 0]);
  });

  it('of several connections have the time that the line of their address needs for all', () => {
    const { clock, said, open } = setUp();
    const all = Array.from({ length: 8 }, (_, port) => open(`10.0.0.1:${port}`));
    for (const { answer } of all) answer(MIB);
    // The line carries all of them at once, and all are done at its end.
    clock.advance((8 * MIB) / 64);
    for (const { take } of all) take(MIB);
    clock.advance(600_000);
    expect([said, clock.pending]).to.deep.equal([[], 0]);
  });

  it('end the connection when only others of the address have been taken', () => {
    const { clock, open } = setUp();
    const [stuck, busy] = [open('10.0.0.1:1'), open('10.0.0.1:2')];
    stuck.answer(MIB);
    for (let k = 0; k < 60; k++) {
      busy.answer(MIB);
      clock.advance(1000);
      busy.take(MIB);
    }
    expect([stuck.connection.isCut, busy.connection.isCut]).to.deep.equal([true, false]);
  });

  it('have their time when the download before them has ended, and not before', () => {
    const { clock, open } = setUp();
    const { connection, answer, download } = open('10.0.0.1:1');
    download(true);
    answer(2 * MIB);
    clock.advance(3_600_000);
    expect([connection.isCut, clock.pending]).to.deep.equal([false, 0]);
    download(false);
    clock.advance(10_000 + (2 * MIB) / 64 - 1);
    expect(connection.isCut).to.equal(false);
    clock.advance(1);
    expect(connection.isCut).to.equal(true);
  });

  it('may stay when others of the address have gone meanwhile and few bytes are left', () => {
    const { clock, open } = setUp();
    const [stuck, other] = [open('10.0.0.1:1'), open('10.0.0.1:2')];
    other.answer(MIB);
    stuck.answer(100 * KIB);
    other.take(MIB);
    clock.advance(600_000);
    expect([stuck.connection.isCut, clock.pending]).to.deep.equal([false, 0]);
  });
});
