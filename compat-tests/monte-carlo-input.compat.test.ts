// `varwire monte-carlo --input`: a table of the runs that a Trick input file asks for, each of which can be made again.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { type MonteCarloOptions, monteCarlo } from '../lib/index.js';
import cannon from '../sims/cannon.js';
import { commandHere } from './command-here.js';
import { runHere } from './run-here.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const CANNON = fileURLToPath(new URL('../sims/cannon.js', import.meta.url));
const RECORD = `group = trick.DRAscii("flight")
group.set_cycle(0.1)
group.add_variable("dyn.cannon.pos[0]")
trick.add_data_record_group(group)
trick.stop(1.0)
`;
/** By Trick's two ways: the file, and where the runs write. */
const FILES = {
  'of variables with values': [
    `trick.mc_set_enabled(1)
trick.mc_set_num_runs(4)
angle = trick.MonteVarRandom("dyn.cannon.init_angle", trick.MonteVarRandom.GAUSSIAN, "d")
angle.set_mu(30)
angle.set_sigma(5)
angle.set_min(-10)
angle.set_max(10)
trick_mc.mc.add_variable(angle)
trick_mc.mc.add_variable(trick.MonteVarFile("dyn.cannon.init_speed", "RUN_test/speeds", 2))
${RECORD}`,
    'MONTE_RUN_test/RUN_0000',
    'monte_input.py',
    'dyn.cannon.init_angle {degree}',
  ],
  'that a generator makes': [
    `monte_carlo.mc_master.activate("RUN_more")
monte_carlo.mc_master.set_num_runs(4)
if monte_carlo.mc_master.active:
    if monte_carlo.mc_master.generate_dispersions:
        angle = trick.MonteCarloVariableRandomUniform("dyn.cannon.init_angle", 3, 20, 40)
        angle.units = "d"
        monte_carlo.mc_master.add_variable(angle)
        monte_carlo.mc_master.add_variable(trick.MonteCarloVariableFile("dyn.cannon.init_speed", "RUN_test/speeds", 2))
${RECORD}`,
    'MONTE_RUN_more/RUN_',
    'monte_input.py',
    'dyn.cannon.init_angle {degree}',
  ],
} as const;

describe('the Monte Carlo of an input file', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(ROOT, 'build', 'monte-input-'));
    mkdirSync(join(directory, 'RUN_test'));
    writeFileSync(join(directory, 'RUN_test/speeds'), '# name speed\na 50\nb 60\nc 70\nd 80\n');
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  const write = (text: string) => writeFileSync(join(directory, 'RUN_test/input.py'), text);
  const study = (...options: readonly string[]) =>
    commandHere(['monte-carlo', CANNON, '--input', 'RUN_test/input.py', ...options], {}, directory);
  /** The same runs on this thread, which needs no other one. */
  const studyHere = async (options: Omit<MonteCarloOptions, 'inputFile'>) => {
    const before = process.cwd();
    process.chdir(directory);
    try {
      return await monteCarlo(cannon, { inputFile: 'RUN_test/input.py', ...options });
    } finally {
      process.chdir(before);
    }
  };
  const fast = (file: string, ...options: readonly string[]) =>
    commandHere(['run', CANNON, '--fast', '--input', file, ...options], {}, directory);
  /** The lines of a table, as cells. */
  const cellsOf = (csv: string) =>
    csv
      .trim()
      .split('\n')
      .map((line) => line.split(','));

  for (const [what, [text, start, name, angle]] of Object.entries(FILES)) {
    it(`makes runs ${what}, and one of them once more alone`, async () => {
      write(text);
      const made = await studyHere({ read: ['dyn.cannon.pos[0]'] });
      const recorded = readdirSync(directory).filter((one) => one.startsWith('MONTE_'));
      expect(recorded).to.have.length(1);
      const [head, ...rows] = cellsOf(made.csv());
      expect(head).to.deep.equal([
        'run',
        'seed',
        angle,
        'dyn.cannon.init_speed',
        'time',
        'dyn.cannon.pos[0] {m}',
        'error',
      ]);
      expect(rows.map((row) => [row[0], row[3], row[4], row[6]])).to.deep.equal(
        [50, 60, 70, 80].map((speed, run) => [String(run), String(speed), '1', '']),
      );
      const row = rows[3] ?? [];
      const [angleDegrees, speed, at] = [row[2], row[3], row[5]].map(Number) as [number, number, number];
      // The job of the time at which it stops has run, too.
      expect(at).to.be.closeTo(1.01 * speed * Math.cos((angleDegrees * Math.PI) / 180), 1e-9);
      const own = join(directory, `${start}3`);
      expect(readdirSync(own).sort()).to.include.members(['log_flight.csv', name]);
      expect(Number(cellsOf(readFileSync(join(own, 'log_flight.csv'), 'utf8')).at(-1)?.[1])).to.be.closeTo(at, 1e-9);
      const alone = await fast(join(`${start}3`, name), '--read', 'dyn.cannon.pos[0]', '--seed', row[1] ?? '');
      expect([alone.code, alone.output]).to.deep.equal([0, `dyn.cannon.pos[0]\t${at}\n`]);
    });
  }

  it('makes the same runs on two threads, in another directory', async () => {
    write(FILES['that a generator makes'][0]);
    const one = await studyHere({ read: ['dyn.cannon.pos[0]'] });
    const options = ['--jobs', '2', '--run-dir', 'elsewhere', '--out', 'two.csv'];
    const two = await study('--read', 'dyn.cannon.pos[0]', ...options);
    expect([two.code, two.output]).to.deep.equal([0, '']);
    expect(two.complaint.split('\n').filter((line) => !/ of 4 runs, /.test(line))).to.deep.equal(['']);
    expect(readFileSync(join(directory, 'two.csv'), 'utf8')).to.equal(one.csv());
    expect(readdirSync(join(directory, 'elsewhere'))).to.have.length(4);
  });

  it('makes fewer runs, to another time, and sets and draws after the file', async () => {
    write(FILES['of variables with values'][0]);
    const options = ['--runs', '2', '--until', '0.5', '--jobs', '1', '--read', 'dyn.cannon.pos[0]{cm}'];
    const { output, code } = await study(
      ...options,
      '--set',
      'dyn.cannon.init_angle{degree}=60',
      '--vary',
      'dyn.cannon.init_speed=integer(10, 10)',
    );
    expect(code).to.equal(0);
    const [head, ...rows] = cellsOf(output);
    expect(head?.slice(2)).to.deep.equal([
      'dyn.cannon.init_angle {degree}',
      'dyn.cannon.init_speed {m/s}',
      'time',
      'dyn.cannon.pos[0] {cm}',
      'error',
    ]);
    expect(rows.map((row) => row.slice(2, 5))).to.deep.equal([
      ['60', '10', '0.5'],
      ['60', '10', '0.5'],
    ]);
    for (const row of rows) expect(Number(row[5])).to.be.closeTo(250, 1e-9);
  });

  it('has only an input file for runs that differ by what the command draws', async () => {
    write('dyn.cannon.init_speed = 40\ntrick.stop(0.5)\n');
    const none = await study();
    expect([none.code, none.output]).to.deep.equal([1, '']);
    expect(none.complaint).to.equal(
      'varwire: RUN_test/input.py asks for no Monte Carlo runs: trick.mc_set_enabled(1) does, or give their number (--runs)\n',
    );
    const table = await studyHere({
      runs: 2,
      draw: (random) => ({ 'dyn.cannon.init_angle': random.uniform(0, 1) }),
      read: ['dyn.cannon.init_speed'],
    });
    expect(
      cellsOf(table.csv())
        .slice(1)
        .map((row) => row.slice(3, 5)),
    ).to.deep.equal([
      ['0.5', '40'],
      ['0.5', '40'],
    ]);
  });

  it('shows runs that are not made, and why runs fail', async () => {
    write(`trick.mc_set_enabled(1)
trick.mc_set_num_runs(2)
trick.mc_set_dry_run(1)
trick.mc_add_variable(trick.MonteVarFixed("dyn.cannon.init_speed", 12))
`);
    const dry = await study('--jobs', '1');
    expect(
      cellsOf(dry.output)
        .slice(1)
        .map((row) => row.slice(2)),
    ).to.deep.equal([
      ['12', '', ''],
      ['12', '', ''],
    ]);
    expect(existsSync(join(directory, 'MONTE_RUN_test'))).to.equal(false);
    write(`trick.mc_set_enabled(1)
trick.mc_set_num_runs(2)
trick.stop(0.5)
trick.mc_add_variable(trick.MonteVarFile("dyn.cannon.nope[0]", "RUN_test/speeds", 2))
`);
    const { failed, rows } = await studyHere({});
    expect(failed).to.equal(2);
    expect(rows[0]?.error).to.match(/File "run 0", line 2[\s\S]*AttributeError: .* nope/);
    // The time of a run begins when its simulation has been loaded.
    write(`trick.mc_set_enabled(1)
trick.mc_set_num_runs(2)
trick.mc_set_timeout(0.01)
trick.exec_run()
trick.stop(1e5)
trick.mc_add_variable(trick.MonteVarFixed("dyn.cannon.init_speed", 12))
`);
    const late = await study('--jobs', '1');
    expect([late.code, cellsOf(late.output).map((row) => row.at(-1))]).to.deep.equal([
      1,
      ['error', ...Array(2).fill('the run took longer than 0.01 s')],
    ]);
    expect(late.complaint).to.match(/varwire: 2 of 2 runs have failed\n$/);
  });

  it('of the documentation gives its table with its command', async () => {
    const page = readFileSync(join(ROOT, 'docs/input-files.md'), 'utf8');
    const [, text = '', name = ''] = /```python\n(# (RUN_spread\S+\.py)\n.*?)```/s.exec(page) ?? [];
    mkdirSync(join(directory, 'RUN_spread'));
    writeFileSync(join(directory, name), text);
    const [, command = ''] = /`varwire (monte-carlo sims\/cannon .*?)`/s.exec(page) ?? [];
    const { code, output } = await commandHere(
      [...command.replace('sims/cannon', CANNON).split(' '), '--jobs', '1'],
      {},
      directory,
    );
    expect([code, output]).to.deep.equal([0, '']);
    const [head, ...rows] = cellsOf(readFileSync(join(directory, 'spread.csv'), 'utf8'));
    expect(head?.slice(2)).to.deep.equal([
      'dyn.cannon.init_angle {degree}',
      'time',
      'dyn.cannon.impactTime {s}',
      'error',
    ]);
    const angles = rows.map((row) => Number(row[2]));
    expect(new Set(angles).size).to.equal(20);
    expect(angles.every((angle) => angle > 20 && angle < 40)).to.equal(true);
    expect(rows.every((row) => row.at(-1) === '')).to.equal(true);
  });

  it('is not run by a server or as one run', async () => {
    for (const [text] of Object.values(FILES)) {
      write(text);
      const served = await runHere(
        CANNON,
        ['--no-discovery', '--port', '0', '--input', 'RUN_test/input.py'],
        directory,
      );
      for (const { code, said } of [
        { code: served.code, said: served.log },
        await fast('RUN_test/input.py').then((ended) => ({ code: ended.code, said: ended.complaint })),
      ]) {
        expect(code).to.equal(1);
        expect(said).to.match(
          /RuntimeError: an input file makes no Monte Carlo runs here; the command "varwire monte-carlo --input FILE" makes them/,
        );
      }
    }
  });
});
