// `varwire record SERVER -o FILE`: a simulation recorded from outside, by Trick's wire alone.
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { openRecording, type Recording } from '../lib/index.js';
import { commandHere, signalHere } from './command-here.js';
import { call } from './http-client.js';
import { endAfterFailure, ServerHere } from './launch.js';
import { TrickStandIn } from './trick-stand-in.js';

describe('varwire record', () => {
  let directory: string;
  let server: ServerHere;
  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'varwire-record-'));
    server = await ServerHere.start('sims/ball.js', {
      options: ['--no-discovery', '--udp', 'off', '--run-dir', directory],
    });
  });
  after(async function () {
    await endAfterFailure(this, server);
    await server?.stop();
    rmSync(directory, { recursive: true });
  });
  const record = (file: string, ...args: string[]) =>
    commandHere(['record', `127.0.0.1:${server.port}`, '-o', file, ...args], {}, directory);
  const opened = (file: string): Recording => openRecording(join(directory, file));
  const times = (recording: Recording) => Array.from({ length: recording.rows }, (_, row) => recording.seconds(row));

  for (const file of ['run.mcap', 'run.trk', 'run.csv'])
    it(`writes ${file}, with a row at each multiple of the cycle`, async () => {
      const until = Math.ceil(await server.seconds()) + 1;
      const { code, complaint } = await record(file, '--variables', 'ball.*', '--cycle', '0.05', '--until', `${until}`);
      expect(code, complaint).to.equal(0);
      const recording = opened(file);
      expect(complaint).to.equal(`varwire: ${recording.rows} rows of 4 values in ${file}\n`);
      expect(recording.faults).to.deep.equal([]);
      expect(recording.columns.map(({ name, units }) => `${name} ${units}`)).to.deep.equal([
        'sys.exec.out.time s',
        'ball.position[0] m',
        'ball.position[1] m',
        'ball.velocity[0] m/s',
        'ball.velocity[1] m/s',
      ]);
      expect(recording.rows).to.be.at.least(10);
      const steps = times(recording);
      for (const [row, seconds] of steps.entries()) {
        expect(Math.abs(seconds / 0.05 - Math.round(seconds / 0.05))).to.be.below(1e-6);
        if (row > 0) expect(seconds).to.be.above(steps[row - 1] as number);
      }
      expect(steps.at(-1)).to.equal(until);
      recording.close();
    });

  it('ends at Ctrl-C with a whole file', async () => {
    const ended = record('interrupted.mcap', '--variables', 'ball.position');
    const file = join(directory, 'interrupted.mcap');
    while (!existsSync(file) || statSync(file).size < 3000) await new Promise((resolve) => setTimeout(resolve, 20));
    signalHere('SIGINT');
    expect((await ended).code).to.equal(0);
    const recording = opened('interrupted.mcap');
    expect(recording.faults).to.deep.equal([]);
    expect(recording.rows).to.be.above(1);
    recording.close();
  });

  it('has all rows in the file while the simulation stands', async () => {
    const ended = record('held.mcap', '--variables', 'ball.position', '--cycle', '0.01');
    const file = join(directory, 'held.mcap');
    const pause = () => new Promise((resolve) => setTimeout(resolve, 20));
    while (!existsSync(file) || statSync(file).size < 3000) await pause();
    await call(server.port, 'sim/control', { action: 'freeze' });
    const seconds = await server.seconds();
    let last = 0;
    while (last < seconds - 0.011) {
      await pause();
      const recording = opened('held.mcap');
      last = recording.rows === 0 ? 0 : recording.seconds(recording.rows - 1);
      recording.close();
    }
    await call(server.port, 'sim/control', { action: 'run' });
    signalHere('SIGINT');
    expect((await ended).code).to.equal(0);
  });

  it('has the command lines of docs/recordings.md', async () => {
    const page = readFileSync(new URL('../../docs/recordings.md', import.meta.url), 'utf8');
    const [, block = ''] = /```sh\n(varwire record .*?)```/s.exec(page) ?? [];
    for (const line of block.trim().split('\n')) {
      const [, , , , file = '', ...more] = line
        .replaceAll("'", '')
        .replace(/--until \d+/, '')
        .replace('run.', 'page.')
        .trim()
        .split(/ +/);
      const { code, complaint } = await record(file, ...more, '--until', `${Math.ceil(await server.seconds()) + 1}`);
      expect([code, complaint]).to.satisfy(([ended, said]: [number, string]) => ended === 0 && said.includes(file));
    }
  });

  it('refuses what cannot be, in one sentence', async () => {
    const before = readFileSync(join(directory, 'run.trk'));
    for (const [args, sentence] of [
      [['run.txt'], /^varwire: run\.txt would be of a form that is not written/],
      [['run.trk'], /^varwire: run\.trk is there already; --force replaces it\n$/],
      [['none/run.trk'], /^varwire: none\/run\.trk cannot be written: there is no such file\n$/],
      [['a.trk', '--variables', 'bal.*'], /^varwire: no variable has a name like bal\.\*\n$/],
      [['a.trk', '--variables', 'ball.positio'], /ball\.positio.*did you mean ball\.position/],
      [['a.trk', '--variables', 'trick_sys.sched.sim_name', '--cycle', '0'], /--cycle takes seconds above 0, not 0/],
      [['a.trk', '--until', '0.001'], /^varwire: --until 0\.001 has passed: it is \S+ s; there are 0 rows of/],
    ] as const) {
      const { code, complaint } = await record(...(args as unknown as [string]));
      expect(code, args.join(' ')).to.be.within(1, 2);
      expect(complaint)
        .to.match(sentence)
        .and.match(/^[^\n]*\n$/);
    }
    expect(readFileSync(join(directory, 'run.trk'))).to.deep.equal(before);
  });

  it("records a simulation on NASA's Trick, and keeps what it has when that dies", async () => {
    const trick = await new TrickStandIn().start();
    const args = [
      'record',
      `127.0.0.1:${trick.port}`,
      '-o',
      'trick.trk',
      '--variables',
      'fx.x',
      'fx.d',
      'fx.grid',
      'fx.phase',
    ];
    const ended = commandHere(args, {}, directory);
    const file = join(directory, 'trick.trk');
    while (!existsSync(file) || statSync(file).size < 80_000) await new Promise((resolve) => setTimeout(resolve, 20));
    await trick.stop();
    const { code, complaint } = await ended;
    const recording = opened('trick.trk');
    expect(code).to.equal(1);
    expect(complaint).to.match(/^varwire: .*connection.*; there are \d+ rows of 1203 values in trick\.trk\n$/);
    const value = (name: string) => recording.value(recording.columns.find((one) => one.name === name) as never, 1);
    expect([value('fx.x'), value('fx.d'), value('fx.phase'), value('fx.grid[1][599]')]).to.deep.equal([
      3,
      1.5,
      7,
      1199 + 1 / 3,
    ]);
    recording.close();
  });
});
