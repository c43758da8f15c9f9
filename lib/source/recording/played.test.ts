// A recording as a source: what clients see of its rows, and what they may ask.
import { truncateSync } from 'node:fs';
import { expect } from 'chai';
import { Mode } from '../../model/frame/header.js';
import { readVariable } from '../../model/state/read.js';
import { ManualClock } from '../../testing/aids/manual-clock.js';
import { recordingsHere } from '../../testing/aids/recordings-here.js';
import { doubles, type TrkColumn, trkFile } from '../../testing/aids/trk-file.js';
import type { Control, Source } from '../source.js';
import { played } from './played.js';
import { RecordingFile } from './recording-file.js';
import { TrkRecording } from './trk.js';

const TIME = doubles('sys.exec.out.time', [0, 0.1, 0.2], 's');

describe('a recording that is played', () => {
  const here = recordingsHere();
  function play(columns: readonly TrkColumn[] | string) {
    const clock = new ManualClock();
    const isText = typeof columns === 'string';
    const recording = here.of(isText ? 'a.csv' : 'a.trk', isText ? columns : trkFile(columns));
    const { source, run } = played(recording, [], clock);
    source.onFrame(() => undefined);
    return { source, run, clock, control: (control: Control) => source.submit({ kind: 'control', control }) };
  }
  const read = ({ catalog, frame }: Source, path: string): unknown => {
    const found = catalog.find(path);
    if (!found) throw new Error(`there is no ${path}`);
    return readVariable(found, frame.memory);
  };
  const refusal = (answer: Promise<unknown>): Promise<unknown> =>
    answer.then(
      () => undefined,
      (error: Error) => error.message,
    );

  it('shows the values of its rows, bit for bit, as structures and arrays', async () => {
    const n: TrkColumn = { name: 'a.n', code: 14, sizeBytes: 8, values: [-9007199254740993n, 1n, 2n] };
    const flag: TrkColumn = { name: 'on', code: 17, sizeBytes: 1, values: [1, 0, 1] };
    const { source, control } = play([
      TIME,
      doubles('a.pos[0]', [0.1 + 0.2, -0, 1]),
      doubles('a.pos[1]', [1, 2, Number.NaN]),
      n,
      flag,
    ]);
    expect([...(read(source, 'a.pos') as number[])]).to.deep.equal([0.1 + 0.2, 1]);
    expect([read(source, 'a.n'), read(source, 'recording.on')]).to.deep.equal([-9007199254740993n, true]);
    await control({ action: 'step', frames: 1 });
    expect(Object.is(read(source, 'a.pos[0]'), -0)).to.equal(true);
    await control({ action: 'seek', toSeconds: 0.2 });
    expect([read(source, 'a.pos[1]'), source.frame.timeSeconds]).to.deep.equal([Number.NaN, 0.2]);
  });

  it('shows the poses of its simulation that it has the variables of', () => {
    const columns = [0, 1, 2].map((index) => doubles(`ship.place[${index}]`, [1, 2, 3], 'm'));
    const recording = here.of('a.trk', trkFile([TIME, ...columns]));
    const pose = { parent: null, metres: 1, attitude: null, shape: null, body: null };
    const poses = [
      { ...pose, name: 'ship', position: 'ship.place' },
      { ...pose, name: 'gone', position: 'gone.place' },
      { ...pose, name: 'mast', parent: 'gone', position: 'ship.place' },
      { ...pose, name: 'part', position: 'ship.place[0]' },
      { ...pose, name: 'turned', position: 'ship.place', attitude: 'ship.turn' },
    ];
    const { source } = played(recording, [], new ManualClock(), { poses });
    expect(source.catalog.poses.map(({ name }) => name)).to.deep.equal(['ship']);
  });

  it('runs to its end, where it freezes, and can be run, frozen and paced', async () => {
    const { source, run, clock, control } = play([TIME, doubles('x', [1, 2, 3])]);
    run();
    clock.advance(100);
    expect([read(source, 'recording.x'), source.frame.header.mode]).to.deep.equal([2, Mode.run]);
    await control({ action: 'freeze' });
    clock.advance(1000);
    expect(read(source, 'recording.x')).to.equal(2);
    await control({ action: 'clock-ratio', ratio: 0.1 });
    await control({ action: 'run' });
    clock.advance(999);
    expect(read(source, 'recording.x')).to.equal(2);
    clock.advance(2);
    expect([read(source, 'recording.x'), source.frame.header.mode]).to.deep.equal([3, Mode.freeze]);
    expect(source.playback).to.deep.equal({ firstSeconds: 0, lastSeconds: 0.2 });
  });

  it('refuses everything else with one sentence', async () => {
    const { source, control } = play([TIME, doubles('x', [1, 2, 3])]);
    const write = source.submit({ kind: 'write', writes: [], report: 'none' } as never);
    expect(await refusal(write)).to.equal('this source cannot be written: it is a recording');
    expect(await refusal(control({ action: 'terminate', code: 0, reason: '' }))).to.equal(
      'this source can only run, freeze, step, change its rate and seek: it is a recording',
    );
    expect(await refusal(control({ action: 'seek', toSeconds: 9 }))).to.equal(
      'times here are from 0 to 0.2 s; there is no 9 s',
    );
  });

  it('has its own time beside that of the playback when it begins below 0', async () => {
    const { source, control } = play('time,x\n-2,1\n-1,2\n');
    await control({ action: 'step', frames: 1 });
    expect([source.frame.timeSeconds, source.frame.header.clockSeconds]).to.deep.equal([1, -1]);
  });

  it('whose file is cut meanwhile tells so who asks for a row, and stands as it was', async () => {
    const times = Array.from({ length: 50_000 }, (_, row) => row / 10);
    const { source, control } = play([doubles('sys.exec.out.time', times, 's'), doubles('x', times)]);
    truncateSync(here.path('a.trk'), 200);
    for (const toSeconds of [4000, 4999.9])
      expect(await refusal(control({ action: 'seek', toSeconds }))).to.match(/a\.trk has become shorter while/);
    for (const toSeconds of [Number.NaN, 1e300, -1])
      expect(await refusal(control({ action: 'seek', toSeconds }))).to.match(/^times here are from 0 to 4999\.9 s; /);
    for (const ratio of [1e300, Number.NaN, 0, Number.NEGATIVE_INFINITY])
      expect(await refusal(control({ action: 'clock-ratio', ratio }))).to.match(/^the rate of a playback is a number/);
    expect([source.playback, source.frame.timeSeconds]).to.deep.equal([{ firstSeconds: 0, lastSeconds: 4999.9 }, 0]);
    expect(read(source, 'recording.x')).to.equal(0);
    // Those who come later are told how long the past is, whatever it is by now.
    expect([source.recorded?.seconds, source.recorded?.extent('recording.x')]).to.deep.equal([0, undefined]);
  });

  it('of a gigabyte begins by reading a few blocks of it', () => {
    const columns = [doubles('sys.exec.out.time', [0], 's'), doubles('a.x', [7])];
    here.of('big.trk', trkFile(columns));
    const headBytes = trkFile(columns).length - 16;
    truncateSync(here.path('big.trk'), headBytes + 2 ** 30);
    const file = RecordingFile.open(here.path('big.trk'));
    let bytes = 0;
    const read = file.read.bind(file);
    file.read = (offset, length) => {
      const piece = read(offset, length);
      bytes += piece.length;
      return piece;
    };
    const recording = new TrkRecording(file);
    const { source } = played(recording, []);
    expect([recording.rows, source.frame.timeSeconds]).to.deep.equal([2 ** 26, 0]);
    expect(bytes).to.be.below(2 ** 23);
    recording.close();
  });

  it('has a place for every name', () => {
    const names = ['a.b', 'a.b.c', 'x y', 'x_y', 'JOB_x.1.00(scheduled_0.100)', 'trick_sys.sched.x', 'a.b', '', 'é'];
    const { source } = play([TIME, ...names.map((name, index) => doubles(name, [index, 0, 0]))]);
    const values = [...source.catalog.variables()]
      .filter(({ path }) => !path.startsWith('trick_'))
      .map(({ path }) => read(source, path));
    expect(values.filter((value) => typeof value === 'number').sort()).to.deep.equal(names.map((_, index) => index));
  });

  it('makes no arrays for indices that are far apart', () => {
    const { source } = play([TIME, doubles('a.x[9999][9999][9999]', [7, 0, 0]), doubles('a.y[2]', [8, 0, 0])]);
    expect([read(source, 'a.x_9999_9999_9999_'), read(source, 'a.y_2_')]).to.deep.equal([7, 8]);
  });

  for (const [what, times, sentence] of [
    ['without rows', [], /a\.trk has no rows to play$/],
    ['whose last row has no time', [0, Number.NaN], /first row has the time 0 s, its last one NaN s$/],
    ['of times that nobody counts', [0, 1e300], /its last one 1e\+300 s$/],
  ] as const)
    it(`${what} is refused with one sentence`, () => {
      expect(() => play([doubles('t', [...times])])).to.throw(sentence);
    });
});
