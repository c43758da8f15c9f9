// A Monte Carlo that keeps its runs: what is in its directory, and the directory played with its results.
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { openRecording, playRecording, type RunningServer, serveSource } from '../lib/index.js';
import { commandHere } from './command-here.js';
import { call, type Values } from './http-client.js';

const SIMULATION = `
import { double, simulation } from ${JSON.stringify(new URL('../lib/index.js', import.meta.url).href)};
export default simulation({ name: 'fall', frameSeconds: 0.1 }, (sim) => {
  const ball = sim.object('ball').components({ height: double({ units: 'm' }), step: double({ units: 'm' }) }, { height: 10 });
  sim.job(0.1, () => {
    if (ball.step > 3.5) throw new Error('too fast');
    ball.height -= ball.step;
  });
  sim.record('fall', { format: 'binary', cycleSeconds: 0.1, variables: ['ball.height'] });
});
`;

const QUIET = { port: 0, udp: 'off', discovery: false } as const;

describe('a Monte Carlo that keeps its recordings', () => {
  let directory: string;
  let server: RunningServer;
  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'varwire-kept-'));
    writeFileSync(join(directory, 'fall.mjs'), SIMULATION);
    writeFileSync(join(directory, 'steps.csv'), '# of runs\nname, step\na, 1\nb, 2\nc, 3\nd, 4\n');
    const given = [
      '--vary',
      'ball.step=file(steps.csv, step)',
      '--read',
      'ball.height{ft}',
      '--require',
      'ball.height > -5',
    ];
    const ended = await varwire(
      'monte-carlo',
      'fall.mjs',
      '--runs',
      '4',
      '--until',
      '1',
      '--keep-recordings',
      '--jobs',
      '1',
      ...given,
    );
    expect(ended.code, ended.complaint).to.equal(0);
    expect(ended.complaint).to.include('ball.height > -5: 1 of 4 runs, 25 % (4.6 to 69.9 % with 95 % confidence)');
    const { source } = playRecording(openRecording(join(directory, 'MONTE_fall')));
    source.freeze();
    server = await serveSource(source, { ...QUIET, log: () => undefined });
  });
  after(async () => {
    await server?.close();
    rmSync(directory, { recursive: true });
  });
  const varwire = (...args: string[]) => commandHere(args, {}, directory);

  it('has a directory for each run, and the list of them that koviz reads', () => {
    for (const run of [0, 1, 2, 3])
      expect(existsSync(join(directory, `MONTE_fall/RUN_0000${run}/log_fall.trk`)), `${run}`).to.equal(true);
    const lines = readFileSync(join(directory, 'MONTE_fall/monte_runs'), 'utf8').split('\n');
    expect(lines.slice(0, 2)).to.deep.equal(['#NAME:\tseed\t#UNIT:\t--', '#NAME:\tball.step\t#UNIT:\tm']);
    for (const [run, line] of lines.slice(2, 6).entries())
      expect(line).to.match(RegExp(`^0000${run} \\d+ ${run + 1}$`));
  });

  it('tells its results by JSON-RPC, and the command that repeats a run', async () => {
    const all = await call<Results>(server.port, 'runs/results', { with_repeat: true });
    expect(all).to.include({ name: 'fall', runs: 4, missing: 0 });
    expect(all.open).to.deep.equal([0, 1, 2, 3]);
    expect(all.columns.map(({ name, kind, units }) => [name, kind, units].join(' ').trim())).to.deep.equal([
      'run run',
      'seed seed',
      'ball.step drawn m',
      'time time s',
      'ball.height result ft',
      'ball.height result m',
      'ball.height > -5 requirement',
      'error error',
    ]);
    expect(all.columns[6]?.values).to.deep.equal([true, false, false, false]);
    expect(all.columns[7]?.values[3]).to.include('too fast');
    expect(all.repeat?.[1]).to.match(
      /^varwire run fall\.mjs --fast --until 1 --read ball\.height\{ft\} --seed \d+ --set ball\.step\{m\}=2$/,
    );
    const some = await call<Results>(server.port, 'runs/results', { columns: ['ball.step'], from: 2, count: 1 });
    expect(some.columns).to.deep.equal([{ name: 'ball.step', kind: 'drawn', units: 'm', values: [3] }]);
    expect(some.directories).to.deep.equal(['RUN_00002']);
  });

  it('plays every run below its number', async () => {
    await call(server.port, 'sim/seek', { to_sec: 0.5 });
    const { values } = await call<Values>(server.port, 'var/get', {
      aliases: ['run0.ball.height', 'run2.ball.height'],
    });
    expect(values).to.deep.equal({ 'run0.ball.height': 4, 'run2.ball.height': -8 });
  });

  it('is made by the command of docs/recordings.md, too', async () => {
    const page = readFileSync(new URL('../../docs/recordings.md', import.meta.url), 'utf8');
    const [, block = ''] = /^## Many runs.*?```sh\n(.*?)```/ms.exec(page) ?? [];
    const [made = '', played] = block.replaceAll('\\\n', '').trim().split('\n');
    const gusts = SIMULATION.replaceAll('ball', 'air').replaceAll('step', 'mean').replaceAll('height', 'drift');
    writeFileSync(join(directory, 'gusts.mjs'), gusts.replace("'fall'", "'gusts'").replace('> 3.5', '> 13'));
    const words = made
      .replace('gusts.ts', 'gusts.mjs')
      .replace('--runs 100', '--runs 3 --jobs 1')
      .match(/'[^']*'|\S+/g);
    const { code, complaint } = await varwire(...(words ?? []).slice(1).map((word) => word.replaceAll("'", '')));
    expect([code, complaint]).to.satisfy(([ended, said]: [number, string]) => ended === 0 && / of 3 runs, /.test(said));
    expect(played).to.equal('varwire play MONTE_gusts --freeze');
    openRecording(join(directory, 'MONTE_gusts')).close();
  });

  it('repeats a run by that command', async () => {
    const { repeat = [] } = await call<Results>(server.port, 'runs/results', { with_repeat: true });
    const { output } = await varwire(...(repeat[1] ?? '').split(' ').slice(1));
    expect(output).to.include('-32.8');
  });

  it('shows the results alone of runs without recordings', async () => {
    const alone = join(directory, 'MONTE_alone');
    mkdirSync(join(alone, 'RUN_00000'), { recursive: true });
    copyFileSync(join(directory, 'MONTE_fall/monte_results.json'), join(alone, 'monte_results.json'));
    const played = playRecording(openRecording(alone));
    const served = await serveSource(played.source, { ...QUIET, log: () => undefined });
    played.run();
    const { open, repeat, ...results } = await call<Results>(served.port, 'runs/results', { with_repeat: true });
    const all = await call<Results>(server.port, 'runs/results', { with_repeat: true });
    await served.close();
    expect(open).to.deep.equal([]);
    expect({ ...results, open: all.open, repeat }).to.deep.equal(all);
    expect(() => openRecording(alone, { runs: [0] })).to.throw('has no recording such as log_flight.trk');
    rmSync(join(alone, 'monte_results.json'));
    expect(() => openRecording(alone)).to.throw('has no recording such as log_flight.trk');
  });

  it('opens one run by its number, and does not mix two studies', async () => {
    const one = openRecording(join(directory, 'MONTE_fall'), { runs: [2] });
    expect(one.columns.map(({ name }) => name)).to.deep.equal(['sys.exec.out.time', 'run2.ball.height']);
    one.close();
    expect(() => openRecording(join(directory, 'MONTE_fall'), { runs: [7] })).to.throw('has no recording of run 7');
    const again = await varwire(
      'monte-carlo',
      'fall.mjs',
      '--runs',
      '2',
      '--until',
      '1',
      '--keep-recordings',
      '--jobs',
      '1',
    );
    expect(again).to.include({ code: 1, output: '' });
    expect(again.complaint).to.match(/MONTE_fall has RUN_00003 of an earlier study/);
  });

  it('is refused in one sentence when its results are damaged', () => {
    const file = join(directory, 'MONTE_fall/monte_results.json');
    const text = readFileSync(file, 'utf8');
    for (const [damaged, sentence] of [
      [text.slice(0, 100), 'is no JSON: it is damaged'],
      ['null', 'does not hold the results of runs in the form 1'],
      [text.replace('"runs":4', '"runs":1000000000'), 'does not hold the results'],
    ] as const) {
      writeFileSync(file, damaged);
      expect(() => openRecording(join(directory, 'MONTE_fall'))).to.throw(sentence);
    }
  });
});

interface Results {
  readonly open: readonly number[];
  readonly columns: readonly {
    readonly name: string;
    readonly kind: string;
    readonly units?: string;
    readonly values: unknown[];
  }[];
  readonly directories: readonly string[];
  readonly repeat?: readonly string[];
}
