// `varwire run --fast` and `varwire monte-carlo`: what they print, their exit codes, and processes that are stopped.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { commandHere, signalHere } from './command-here.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const COMMAND = join(ROOT, 'build/lib/clients/cli/main.js');
const FILE = `
import { writeFileSync } from 'node:fs';
import { double, int, simulation } from 'varwire';
let builds = 0;
export const draw = (random) => ({ 'o.x': random.uniform(1, 2) });
export default simulation({ name: 'a', frameSeconds: 0.1, terminateSeconds: 2 }, (sim) => {
  const o = sim.object('o').components({ x: double({ units: 'm' }), way: int(), list: double(2) });
  // Two runs have ended by then.
  if (++builds === 4 && process.env.TOLD) writeFileSync(process.env.TOLD, '');
  sim.say('built');
  sim.record('x', { variables: ['o.x'], cycleSeconds: 0.5 });
  sim.job(0.1, function obey() {
    o.x += 1;
    if (sim.timeSeconds > 0.5 && o.way === 1) throw new Error('told to');
    if (sim.timeSeconds > 0.5 && o.way === 2) sim.stop({ code: 3, reason: 'told to stop' });
    if (sim.timeSeconds > 0.5 && o.way === 3) sim.freeze();
  });
});
`;

describe('a run without a server', () => {
  let directory: string;
  before(() => {
    directory = mkdtempSync(join(ROOT, 'build', 'fast-'));
    writeFileSync(join(directory, 'sim.mjs'), FILE);
    writeFileSync(join(directory, 'endless.mjs'), FILE.replace(', terminateSeconds: 2', ''));
  });
  after(() => rmSync(directory, { recursive: true }));

  const varwire = (...args: readonly string[]) => commandHere(args, {}, directory);
  const fast = (...args: readonly string[]) => varwire('run', 'sim', '--fast', ...args);

  it('takes units behind names', async () => {
    const given = await fast('--set', 'o.x{km}=1', '--read', 'o.x{cm}', '--until', '0.1');
    expect([given.code, given.output]).to.deep.equal([0, 'o.x{cm}\t100100\n']);
    const wrong = await fast('--read', 'o.x{kg}');
    expect(wrong.code).to.equal(1);
    expect(wrong.complaint).to.match(/^built\nvarwire: expected units that convert from "m" \(m\), found "kg" \(kg\)/);
    const drawn = await varwire(
      'monte-carlo',
      'sim',
      '--runs',
      '1',
      '--until',
      '0.1',
      '--vary',
      'o.x{km}=uniform(1, 1)',
      '--read',
      'o.x{cm}',
    );
    expect(drawn.output).to.match(
      /^run,seed,o\.x \{m\},o\.x \{km\},time,o\.x \{cm\},error\n0,\d+,[\d.]+,1,0\.1,100100,\n$/,
    );
  });

  it('prints the last values, says what the simulation says, and records', async () => {
    const { code, output, complaint } = await fast(
      '--read',
      'o.x',
      '--read',
      'o.list',
      '--set',
      'o.list=[1, 2.5]',
      '--set',
      'o.x=-3',
    );
    expect([code, output]).to.deep.equal([0, 'o.x\t18\no.list\t[1, 2.5]\n']);
    expect(complaint).to.match(
      /^built\nvarwire: 2 s simulated in [\d.]+ s: the simulation has reached its terminate time\n$/,
    );
    const rows = readFileSync(join(directory, 'RUN_varwire/log_x.csv'), 'utf8').trimEnd().split('\n');
    expect(rows).to.have.length(6);
  });

  it('keeps its recordings and its last values at Ctrl-C, and ends with 130', async () => {
    const args = ['run', 'endless', '--fast', '--until', '1000000', '--read', 'o.x'];
    const child = spawn(process.execPath, [COMMAND, ...args], { cwd: directory });
    let [stdout, stderr] = ['', ''];
    let isStopping = false;
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
      // A second signal would end it as usual, and more lines may come.
      if (isStopping || !stderr.startsWith('built')) return;
      isStopping = true;
      setTimeout(() => child.kill('SIGINT'), 300);
    });
    const [exitCode] = await once(child, 'close');
    expect(exitCode, stderr).to.equal(130);
    const [, seconds] = /\nvarwire: ([\d.]+) s simulated in [\d.]+ s: stopped\n$/.exec(stderr) ?? [];
    expect(Number(/^o\.x\t(\d+)\n$/.exec(stdout)?.[1])).to.equal(Math.round(Number(seconds) * 10));
    const rows = readFileSync(join(directory, 'RUN_varwire/log_x.csv'), 'utf8').trimEnd().split('\n').slice(1);
    // A row is made when the tick of its time begins, which a stop at that time does not.
    expect(rows).to.have.length(Math.ceil(Number(seconds) / 0.5 - 1e-9));
  });

  it('ends with the exit code and the reason of the simulation', async () => {
    const stopped = await fast('--until', '100', '--set', 'o.way=2');
    expect(stopped.code).to.equal(3);
    expect(stopped.complaint).to.match(/0.7 s simulated in [\d.]+ s: told to stop\n$/);
    expect((await fast('--set', 'o.way=3')).complaint).to.match(/0.7 s simulated in [\d.]+ s: it has frozen itself\n$/);
  });

  const REFUSED: readonly (readonly [args: string, status: number, sentence: string])[] = [
    ['--set o.way=1', 1, 'varwire: job obey failed: told to'],
    ['--set o.y=1', 1, 'varwire: o has no member y; did you mean'],
    ['--set o.x', 2, 'varwire: --set takes ball.height=3, not o.x'],
    ['--until soon', 2, 'varwire: --until takes a number, not soon'],
    ['--until -1', 2, ''],
    ['--until=-1', 1, 'varwire: a run ends at a time in seconds above 0, not -1'],
    ['--port 7000', 2, "varwire: Unknown option '--port'; varwire run --fast --help lists the options"],
    ['more', 2, 'varwire: varwire run --fast takes one simulation file'],
  ];
  for (const [args, status, sentence] of REFUSED) {
    it(`refuses ${args}`, async () => {
      const result = await fast(...args.split(' '));
      expect(result.code).to.equal(status);
      expect(result.complaint).to.include(sentence);
      expect(result.complaint).not.to.match(/^ +at /m);
    });
  }

  it('a thousand times over makes a table, with what the file draws', async () => {
    const common = ['monte-carlo', 'sim', '--runs', '6', '--read', 'o.x', '--jobs', '2'];
    const { code, output, complaint } = await varwire(...common, '--set', 'o.way=0');
    expect(code).to.equal(0);
    const [header, ...rows] = output.trimEnd().split('\n');
    expect(header).to.equal('run,seed,o.x {m},o.way,time,o.x at the end {m},error');
    expect(rows).to.have.length(6);
    for (const row of rows) expect(row).to.match(/^\d,\d+,1\.\d+,0,2,22\.\d+,$/);
    expect(complaint).to.include('6 of 6 runs');
    const failing = await varwire(...common, '--vary', 'o.way=integer(1,1)', '--out', 'table.csv');
    expect([failing.code, failing.output]).to.deep.equal([1, '']);
    expect(failing.complaint).to.include('varwire: 6 of 6 runs have failed');
    expect(readFileSync(join(directory, 'table.csv'), 'utf8')).to.match(
      /,"job obey failed: told to \(sim\.\w+, line \d+\)"\n$/,
    );
  });

  it('writes the table of the runs that have ended at a signal, and ends with its code', async () => {
    /** Resolves with how the command has ended that got a signal when two runs had ended. */
    const stopped = async (signal: 'SIGINT' | 'SIGTERM', ...options: readonly string[]) => {
      const told = join(directory, signal);
      const args = ['monte-carlo', 'sim', '--runs', '100000', '--read', 'o.x', '--jobs', '1', ...options];
      const env = { ...process.env, TOLD: told };
      const child = spawn(process.execPath, [COMMAND, ...args], { cwd: directory, env });
      let [stdout, stderr] = ['', ''];
      child.stdout.on('data', (chunk) => {
        stdout += chunk;
      });
      child.stderr.on('data', (chunk) => {
        stderr += chunk;
      });
      const closed = once(child, 'close');
      while (!existsSync(told)) await new Promise((resolve) => setTimeout(resolve, 20));
      child.kill(signal);
      const [code] = await closed;
      return { code, stdout, stderr };
    };
    const file = join(directory, 'table.parquet');
    const [printed, written] = await Promise.all([stopped('SIGINT'), stopped('SIGTERM', '--out', file)]);
    expect([printed.code, written.code], printed.stderr + written.stderr).to.deep.equal([130, 143]);
    const said = /stopped; the table has the (\d+) runs that have ended, of 100000\n/;
    expect(written.stderr).to.match(said);
    expect(readFileSync(file).subarray(0, 4).toString()).to.equal('PAR1');
    const [, ended = 'none'] = said.exec(printed.stderr) ?? [];
    expect(printed.stdout.trimEnd().split('\n')).to.have.length(Number(ended) + 1);
  });

  it('ends at a signal with its code while its input file goes on', async () => {
    writeFileSync(join(directory, 'input.py'), 'o.way = 0\nwhile True:\n    o.way = 1 - o.way\n');
    /** The signal comes once the command takes it. */
    const stopped = async (signal: 'SIGINT' | 'SIGTERM', ...args: readonly string[]) => {
      const taken = process.listenerCount(signal);
      const ended = varwire(...args, '--input', 'input.py');
      while (process.listenerCount(signal) === taken) await new Promise((resolve) => setImmediate(resolve));
      signalHere(signal);
      return ended;
    };
    const study = await stopped('SIGTERM', 'monte-carlo', 'sim', '--read', 'o.x');
    expect([study.code, study.output]).to.deep.equal([143, 'run,seed,time,error\n']);
    expect(study.complaint).to.match(/varwire: stopped; the table has the 0 runs that have ended\n$/);
    const single = await stopped('SIGINT', 'run', 'sim', '--fast', '--read', 'o.x');
    expect([single.code, single.output]).to.deep.equal([130, 'o.x\t0\n']);
  });

  it('refuses a Monte Carlo that cannot be', async () => {
    for (const [args, status, sentence] of [
      [['--runs', '0', '--read', 'o.x'], 1, 'varwire: the number of runs is a whole number from 1 to'],
      [['--runs', '3'], 2, 'varwire monte-carlo takes one simulation file, --runs and --read'],
      [['--runs', '3', '--read', 'o.x', '--vary', 'o.x=eval(1)'], 2, 'varwire: --vary takes uniform(low, high)'],
      [
        ['--runs', '3', '--read', 'o.x', '--out', '/nowhere/x.csv'],
        2,
        'varwire: --out names a file in a directory that',
      ],
      [
        ['--runs', '3', '--read', 'o.x', '--until', '-1'],
        2,
        'varwire: --until takes a value; one that begins with - is written --until=-1; varwire',
      ],
    ] as const) {
      const result = await varwire('monte-carlo', 'sim', ...args);
      expect([result.code, result.complaint.includes(sentence)], result.complaint).to.deep.equal([status, true]);
    }
  });
});
