// Rows of a recording at their times, by a clock that the test moves.
import { appendFileSync, truncateSync } from 'node:fs';
import { expect } from 'chai';
import { ManualClock } from '../../testing/aids/manual-clock.js';
import { recordingsHere } from '../../testing/aids/recordings-here.js';
import { doubles, trkFile } from '../../testing/aids/trk-file.js';
import { type PlayClock, RecordingPlayer } from './player.js';

describe('the player of a recording', () => {
  const here = recordingsHere();

  /** A player of rows at some times, and what it has shown. */
  function playing(times: readonly number[], origin = 0, own?: PlayClock) {
    const recording = here.of('a.trk', trkFile([doubles('sys.exec.out.time', times, 's')]));
    const clock = new ManualClock();
    const shown: (number | string)[] = [];
    const player = new RecordingPlayer(
      recording,
      origin,
      {
        row: (_, seconds) => shown.push(seconds) > 0,
        end: () => void shown.push('end'),
        skipped: (rows) => void shown.push(`${rows} skipped`),
        failed: (reason) => void shown.push(reason.replace(/.*\//, '')),
      },
      own ?? clock,
    );
    const took = (): (number | string)[] => shown.splice(0);
    return { player, clock, took, file: recording.file };
  }

  it('shows each row at its time, and the end', () => {
    const { player, clock, took } = playing([0, 0.125, 0.5]);
    player.run(1);
    expect(took()).to.deep.equal([]);
    clock.advance(124);
    expect(took()).to.deep.equal([]);
    clock.advance(1);
    expect(took()).to.deep.equal([0.125]);
    clock.advance(375);
    expect([took(), clock.pending]).to.deep.equal([[0.5, 'end'], 0]);
    player.run(1);
    clock.advance(125);
    expect(took()).to.deep.equal([0, 0.125]);
  });

  it('plays at another rate, also from where it is', () => {
    const { player, clock, took } = playing([0, 1, 2, 3]);
    player.run(10);
    clock.advance(100);
    player.run(0.5);
    clock.advance(1999);
    expect(took()).to.deep.equal([1]);
    clock.advance(1);
    expect(took()).to.deep.equal([2]);
  });

  it('goes to the last row that is not later, and goes on from there if it ran', () => {
    const { player, clock, took } = playing([0, 1, 2, 3]);
    player.seek(2.5);
    clock.advance(5000);
    expect(took()).to.deep.equal([2]);
    player.run(1);
    player.seek(0);
    clock.advance(1000);
    expect(took()).to.deep.equal([0, 1]);
  });

  it('steps by rows, freezes at a time, and stands still', () => {
    const { player, clock, took } = playing([0, 1, 2, 3, 4]);
    player.step(2);
    player.step(1);
    player.step(9);
    expect(took()).to.deep.equal([2, 3, 4]);
    player.seek(0);
    player.freezeAt(2.5);
    player.run(1);
    clock.advance(2500);
    expect([took(), clock.pending]).to.deep.equal([[0, 1, 2, 'end'], 0]);
    player.run(1);
    clock.advance(1000);
    expect(took()).to.deep.equal([3]);
    player.freeze();
    expect(clock.pending).to.equal(0);
  });

  it('goes backwards, from the first row at the last, and steps back', () => {
    const { player, clock, took } = playing([0, 1, 2.5, 3, 4]);
    player.run(-2);
    clock.advance(750);
    expect(took()).to.deep.equal([4, 3, 2.5]);
    player.run(1);
    clock.advance(500);
    player.run(-1);
    clock.advance(1500);
    expect(took()).to.deep.equal([3, 2.5]);
    player.freezeAt(0.5);
    clock.advance(2000);
    expect([took(), clock.pending]).to.deep.equal([[1, 'end'], 0]);
    player.run(-1);
    clock.advance(1000);
    expect([took(), clock.pending]).to.deep.equal([[0, 'end'], 0]);
    player.step(4);
    player.step(-1);
    player.step(-9);
    expect(took()).to.deep.equal([4, 3, 0]);
  });

  it('goes backwards over rows whose time goes back', () => {
    const { player, clock, took } = playing([0, 1, 2, 0.5, 1.5]);
    player.run(-1);
    clock.advance(1000);
    expect(took()).to.deep.equal([1.5, 0.5, 2]);
    clock.advance(1000);
    expect(took()).to.deep.equal([1]);
  });

  it('shows the latest of many rows that are due at once, and counts the others', () => {
    const late = { millis: 0, due: (): void => undefined };
    const clock = {
      nowMillis: () => late.millis,
      after: (_: number, call: () => void) => {
        late.due = call;
        return () => undefined;
      },
    };
    const times = Array.from({ length: 30_000 }, (_, row) => row / 1000);
    const { player, took } = playing(times, 0, clock);
    player.run(1);
    late.millis = 26_000;
    late.due();
    const rows = took();
    expect([rows.length, rows.at(-1)]).to.deep.equal([20, 26]);
    player.freeze();
    expect(took()).to.deep.equal([`${26_000 - 20} skipped`]);
    player.run(1);
    player.freeze();
    expect(took()).to.deep.equal([]);
    player.run(-1);
    late.millis += 20_000;
    late.due();
    const back = took();
    expect([back.length, back.at(-1)]).to.deep.equal([20, 6]);
  });

  it('passes over rows without a time, and goes on where time goes back', () => {
    const { player, clock, took } = playing([0, Number.NaN, 1, 0.5, 0.75, -7, Number.POSITIVE_INFINITY, 2]);
    player.run(1);
    clock.advance(1000);
    expect(took()).to.deep.equal([1, 0.5]);
    clock.advance(250);
    expect(took()).to.deep.equal([0.75]);
    clock.advance(3000);
    expect(took()).to.deep.equal([2, 'end']);
  });

  it('has times from 0 up of a recording with negative ones', () => {
    const { player, took } = playing([-2, -1, 3], -2);
    expect([player.firstSeconds, player.lastSeconds]).to.deep.equal([0, 5]);
    player.seek(1.5);
    expect(took()).to.deep.equal([1]);
  });

  it('goes on with rows that were added meanwhile', () => {
    const { player, clock, took, file } = playing([0, 1]);
    player.run(1);
    const row = Buffer.alloc(8);
    row.writeDoubleLE(1.5);
    appendFileSync(file, row);
    clock.advance(1500);
    expect(took()).to.deep.equal([1, 1.5, 'end']);
  });

  it('stands still, with a sentence, when the file has become shorter', () => {
    const many = Array.from({ length: 50_000 }, (_, row) => row);
    const { player, clock, took, file } = playing(many);
    player.seek(32_766);
    took();
    player.run(1);
    truncateSync(file, 1000);
    clock.advance(3000);
    expect(took().at(-1)).to.equal('a.trk has become shorter while it was read');
    expect(clock.pending).to.equal(0);
  });
});
