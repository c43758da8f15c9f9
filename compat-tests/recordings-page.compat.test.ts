// The programs and commands of docs/recordings.md, with a recording of the ball.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { openRecording } from '../lib/index.js';
import { commandHere } from './command-here.js';
import { blocks, recordFlight, recordingsPage } from './documented-flight.js';
import { call, type Values } from './http-client.js';

const PROJECT = fileURLToPath(new URL('../../', import.meta.url));
const PAGE = recordingsPage();
const COMMAND = fileURLToPath(new URL('../lib/clients/cli/main.js', import.meta.url));

const BALL = fileURLToPath(new URL('../sims/ball.js', import.meta.url));

/** The port that a program says it serves on. */
function portSaid({ stdout }: ChildProcess): Promise<string> {
  let said = '';
  return new Promise((resolve) => {
    stdout?.on('data', (piece) => {
      said += piece;
      const [, port] = /(?:on port |127\.0\.0\.1:)(\d+)/.exec(said) ?? [];
      if (port !== undefined) resolve(port);
    });
  });
}

/** What each command prints, and its exit code. */
const EXPECTED: readonly (readonly [command: RegExp, output: RegExp, code: number])[] = [
  [/^info/, /^log_flight\.trk: Trick-10/, 0],
  [/^convert/, /^$/, 0],
  [/^convert/, /^$/, 0],
  [/^convert .*--encoding json/, /^$/, 0],
  [/^convert .*\.parquet/, /^$/, 0],
  [/^convert .*--every/, /^$/, 0],
  [/^diff .*flight.csv/, /^0 of 2 variables differ in 20 rows\n$/, 0],
  [/^diff .*flight.parquet/, /^0 of 2 variables differ in 20 rows\n$/, 0],
  [
    /^diff .*windy.trk/,
    /^NAME +ROWS +FIRST_TIME .*\nball\.position\[0\] +20 .*\n1 of 2 variables differ in 20 rows\n$/,
    1,
  ],
];

describe('docs/recordings.md', () => {
  let directory: string;
  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'varwire-recordings-page-'));
    await recordFlight(directory);
  });
  after(() => rmSync(directory, { recursive: true }));

  it('has a worked example whose picture is the one that it shows', async () => {
    const lines = (blocks(PAGE, 'sh')[0] ?? '').trim().split('\n');
    writeFileSync(join(directory, 'record.py'), blocks(PAGE, 'python')[0] ?? '');
    const ended = [];
    for (const line of lines.slice(0, -1)) {
      const [, ...words] = line.match(/'[^']*'|\S+/g) ?? [];
      const args = words.map((word) => word.replaceAll("'", '').replace('sims/ball', BALL));
      ended.push(await commandHere(args, {}, directory));
    }
    expect(ended.map(({ code }) => code)).to.deep.equal([0, 0, 1, 0]);
    expect(ended[2]?.output).to.match(/^ball\.position\[1\] .* 1\.4 .* 4\.2300/m);
    const pictures = [join(directory, 'runs.svg'), join(PROJECT, 'docs/pictures/runs.svg')];
    const [made, shown] = pictures.map((file) => readFileSync(file, 'utf8'));
    expect(made).to.equal(shown);
    const [, , ...files] = lines.at(-1)?.split(' ') ?? [];
    const both = openRecording(files.slice(0, 2).map((file) => join(directory, file)));
    expect(both.runs.map(({ name }) => name)).to.deep.equal(['run1', 'run2']);
    both.close();
  });

  it('has commands that look at recordings, and print what it says', async () => {
    const lines = (blocks(PAGE, 'sh').find((block) => block.startsWith('varwire info')) ?? '').trim().split('\n');
    expect(lines).to.have.length(EXPECTED.length);
    for (const [index, line] of lines.entries()) {
      const [, ...args] = line.split(' ');
      const { output, code, complaint } = await commandHere(args, {}, directory);
      const [command, meant, meantCode] = EXPECTED[index] as (typeof EXPECTED)[number];
      expect(args.join(' ')).to.match(command);
      expect(code, complaint).to.equal(meantCode);
      expect(complaint).to.equal('');
      expect(output).to.match(meant);
      if (args[0] === 'info') expect(PAGE).to.include(output.trimEnd().replaceAll(/^(?=.)/gm, '    '));
    }
  });

  it('writes the variables, times and rows that are chosen', async () => {
    const [titles, ...rows] = readFileSync(join(directory, 'part.csv'), 'utf8').trimEnd().split('\n');
    expect(titles).to.equal('"sys.exec.out.time {s}","ball.position[1] {m}"');
    expect(rows.map((row) => Math.round(10 * Number(row.split(',')[0])))).to.deep.equal([5, 7, 9]);
    const refused = async (...args: string[]) =>
      (await commandHere(['convert', 'log_flight.trk', 'no.csv', ...args], {}, directory)).complaint;
    expect(await refused('--variables', 'ball.positon')).to.equal(
      'varwire: log_flight.trk has no variable ball.positon; did you mean ball.position?\n',
    );
    expect(await refused('--every', '-1')).to.equal('varwire: --every takes a number from 0 up, not -1\n');
    expect(await refused('--from', 'noon')).to.equal('varwire: --from takes a number, not noon\n');
    expect(existsSync(join(directory, 'no.csv'))).to.equal(false);
  });

  it('tells what is wrong with recordings and command lines in one sentence', async () => {
    const said = async (...args: string[]) => {
      const { code, complaint } = await commandHere(args, {}, directory);
      return [code, complaint];
    };
    writeFileSync(join(directory, 'bad.trk'), 'Trick-10-L\xff\xff\xff\x7f', 'latin1');
    expect(await said('info', 'bad.trk')).to.deep.equal([
      1,
      'varwire: bad.trk announces 2147483647 variables, too many for it\n',
    ]);
    expect(await said('info', 'no.trk')).to.satisfy(([, complaint]: string[]) =>
      /^varwire: no\.trk cannot be read: .*\n$/.test(complaint ?? ''),
    );
    expect((await said('diff', 'log_flight.trk'))[0]).to.equal(2);
    expect((await said('diff', 'log_flight.trk', 'log_flight.trk', '--tolerance', '-1'))[0]).to.equal(2);
    writeFileSync(join(directory, 'there.csv'), '');
    expect(await said('convert', 'log_flight.trk', 'there.csv')).to.deep.equal([
      1,
      'varwire: there.csv is there already; --force replaces it\n',
    ]);
    const { output } = await commandHere(['diff', 'log_flight.trk', 'log_windy.trk', '--json'], {}, directory);
    expect(JSON.parse(output).differences[0]).to.include({ name: 'ball.position[0]', rows: 20 });
  });

  describe('has a command that plays one', () => {
    let child: ChildProcess;
    let port: string;
    before(async () => {
      child = playing(0);
      port = await portSaid(child);
    });
    after(() => child.kill());

    /** One of the command lines of the page. */
    function playing(line: number): ChildProcess {
      const [, ...args] =
        (blocks(PAGE, 'sh').find((block) => block.startsWith('varwire play')) ?? '')
          .trim()
          .split('\n')
          [line]?.split(' ') ?? [];
      const options = ['--port', '0', '--udp', 'off', '--no-discovery'];
      return spawn(process.execPath, [COMMAND, ...args, ...options], { cwd: directory });
    }

    it('whose server is taken in the place of a file', async () => {
      const server = `127.0.0.1:${port}`;
      const here = (...args: string[]) => commandHere(args, {}, directory);
      const info = await here('info', server);
      expect(info.output).to.match(
        /^127\.0\.0\.1:\d+: recording, in mode freeze\na recording from 0 to 1\.9 s\n\nNAME +UNITS +TYPE\nball\.position +m +double\[2\]\n$/,
      );
      expect((await here('diff', server, 'log_flight.trk')).output).to.equal('0 of 2 variables differ in 20 rows\n');
      expect(await here('diff', 'log_windy.trk', server)).to.include({ code: 1, complaint: '' });
      expect(await here('convert', server, 'served.trk', '--variables', 'ball.position')).to.include({ complaint: '' });
      expect(
        readFileSync(join(directory, 'served.trk')).equals(readFileSync(join(directory, 'log_flight.trk'))),
      ).to.equal(true);
      expect((await here('plot', server, 'ball.position[1]', '--text')).output).to.match(
        /^[▁-█]{60} {2}ball\.position\[1\]/,
      );
      writeFileSync(join(directory, 'ball.dp'), 'PLOTS: PAGE 1: "P" PLOT 1: "Up" Y_VARIABLE: "ball.position[1]"');
      const layout = ['--layout', 'ball.dp', '--svg', 'served.svg'];
      expect(await here('plot', server, ...layout)).to.include({ code: 0, complaint: '' });
      expect((await here('convert', server, 'no.trk', '--variables', 'ball.positon')).complaint).to.equal(
        'varwire: there is no variable ball.positon; did you mean ball.position?\n',
      );
    });

    it('or several, as runs on one time, at another rate', async () => {
      const both = playing(1);
      try {
        const other = Number(await portSaid(both));
        const windy = openRecording(join(directory, 'log_windy.trk'));
        await call(other, 'sim/seek', { to_sec: 0.5 });
        const { values } = await call<Values>(other, 'var/get', {
          aliases: ['run1.ball.position', 'run2.ball.position'],
        });
        const wind = windy.columns.slice(1).map((column) => windy.value(column, 5));
        expect([windy.seconds(5), values['run2.ball.position']]).to.deep.equal([0.5, wind]);
        expect(values['run1.ball.position']).to.not.deep.equal(wind);
        expect(await call(other, 'sim/status', {})).to.include({ clock_ratio: 0.5, mode: 'freeze' });
        windy.close();
      } finally {
        both.kill();
      }
    });

    const varwire = async (command: string, server: string, ...args: string[]) => {
      const { output, complaint } = await commandHere([command, server, ...args]);
      return output + complaint;
    };

    it('which shows its rows, bit for bit, on Trick text and on JSON-RPC', async () => {
      const recording = openRecording(join(directory, 'log_flight.trk'));
      const columns = recording.columns.slice(1);
      for (const [row, step] of [0, 1, 12].entries()) {
        const at = [0, 1, 13][row] as number;
        if (step > 0) expect(await varwire('step', `http://127.0.0.1:${port}`, `${step}`)).to.match(/^freeze\t/);
        const values = columns.map((column) => recording.value(column, at));
        const text = `ball.position\t[${values.join(', ')}]\tm\n`;
        expect(await varwire('get', `127.0.0.1:${port}`, 'ball.position')).to.equal(text);
        expect(await varwire('get', `http://127.0.0.1:${port}`, 'ball.position')).to.equal(text);
        expect((await call<Values>(Number(port), 'var/get', { aliases: ['ball.position'] })).sim_time.sec_si).to.equal(
          recording.seconds(at),
        );
      }
      recording.close();
    });

    it('which clients run, freeze and move in time, and cannot write', async () => {
      await call(Number(port), 'sim/seek', { to_sec: 1.25 });
      expect(await varwire('status', `127.0.0.1:${port}`)).to.match(/^mode\tfreeze\ntime\t1\.2\ts$/m);
      expect(await varwire('step', `127.0.0.1:${port}`, '2')).to.equal('freeze\t1.4\ts\n');
      expect(await varwire('set', `127.0.0.1:${port}`, 'ball.position[0]', '1')).to.equal(
        'varwire: this source cannot be written: it is a recording\n',
      );
      await varwire('resume', `127.0.0.1:${port}`);
      await call(Number(port), 'var/wait', {
        condition: 'trick_sys.sched.mode == 1',
        timeout_ms: 30_000,
      });
      expect(await varwire('status', `127.0.0.1:${port}`)).to.match(/^mode\tfreeze\ntime\t1\.9\ts$/m);
    });

    it('which refuses options that are about simulations', async () => {
      const { code, complaint } = await commandHere(['play', 'log_flight.trk', '--run-dir', 'x'], {}, directory);
      expect([code, complaint]).to.deep.equal([
        2,
        'varwire: --run-dir is for simulations, not for recordings; varwire play --help shows how\n',
      ]);
      const fast = await commandHere(['play', 'log_flight.trk', '--speed', '2000', '--port', '0'], {}, directory);
      expect([fast.code, fast.complaint]).to.deep.equal([
        1,
        'varwire: the rate of a playback is a number from 0.001 to 1000, or from -1000 to -0.001, not 2000\n',
      ]);
    });
  });

  it('has a program that plays one', async () => {
    const [, program = ''] = blocks(PAGE, 'js');
    const here = program
      .replace("'log_flight.trk'", JSON.stringify(join(directory, 'log_flight.trk')))
      .replace('port: 7000', "port: 0, udp: 'off', discovery: false");
    const child = spawn(process.execPath, ['--input-type=module', '--eval', here], { cwd: PROJECT });
    try {
      const port = Number(await portSaid(child));
      await call(port, 'var/wait', { condition: 'trick_sys.sched.mode == 1', timeout_ms: 30_000 });
      expect((await call<Values>(port, 'var/get', { aliases: ['ball.position'] })).sim_time.sec_si).to.equal(1.9);
    } finally {
      child.kill();
    }
  });

  it('has a program that reads a recording', () => {
    const [program = ''] = blocks(PAGE, 'js');
    const here = program.replace("'log_flight.trk'", JSON.stringify(join(directory, 'log_flight.trk')));
    const args = ['--input-type=module', '--eval', here];
    const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: PROJECT, encoding: 'utf8' });
    expect(stderr).to.equal('');
    const lines = stdout.trim().split('\n');
    expect(lines.slice(0, 3)).to.deep.equal(['sys.exec.out.time s', 'ball.position[0] m', 'ball.position[1] m']);
    expect(lines.at(-1)).to.equal('1.9');
    expect(stdout).to.match(/\[ \S+, \S+, \S+ \]/);
  });
});
