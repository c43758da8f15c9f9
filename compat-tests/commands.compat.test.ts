// The commands against a running ball: forms of output, both kinds of server, control, functions, and exit codes.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { commandHere, type Ended } from './command-here.js';
import { ServerHere } from './launch.js';

describe('the commands', () => {
  let server: ServerHere;
  let directory: string;
  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'varwire-commands-'));
    server = await ServerHere.start('sims/ball.js', { options: ['--no-discovery', '--run-dir', directory] });
    await run('freeze', 'PORT');
    await run('set', 'PORT', 'ball.position', '[3, 4]');
  });
  after(async () => {
    await server.stop();
    rmSync(directory, { recursive: true });
  });

  function run(...args: readonly string[]): Promise<Ended> {
    return runWith({}, args);
  }
  function runWith(environment: Readonly<Record<string, string>>, args: readonly string[]): Promise<Ended> {
    return commandHere(
      args.map((arg) => arg.replace('PORT', String(server.port))),
      environment,
    );
  }

  for (const place of ['PORT', 'http://127.0.0.1:PORT']) {
    it(`get prints lines, JSON and comma-separated values, from ${place}`, async () => {
      expect((await run('get', place, 'ball.position')).output).to.equal('ball.position\t[3, 4]\tm\n');
      expect(JSON.parse((await run('get', place, 'ball.position', '--json')).output)).to.deep.equal({
        'ball.position': { value: [3, 4], units: 'm' },
      });
      expect((await run('get', place, 'ball.position', '--csv')).output).to.equal(
        'name,value,units\nball.position,"[3, 4]",m\n',
      );
      expect((await run('get', place, 'ball.position{km}')).output).to.equal('ball.position\t[0.003, 0.004]\tkm\n');
    });

    it(`watch ends after so many updates, from ${place}`, async () => {
      const { output } = await run('watch', place, 'ball.position', '--count', '2', '--cycle', '0.02', '--json');
      const updates = output
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(updates.map(({ values }) => values)).to.deep.equal([
        { 'ball.position': [3, 4] },
        { 'ball.position': [3, 4] },
      ]);
    });

    it(`list finds what a pattern stands for, from ${place}`, async () => {
      const { output } = await run('list', place, 'ball.*', '--csv');
      expect(output).to.equal('name,type,units\nball.position,double[2],m\nball.velocity,double[2],m/s\n');
    });

    it(`status tells the mode, from ${place}`, async () => {
      const status = JSON.parse((await run('status', place, '--json')).output);
      expect(status.mode).to.deep.equal({ value: 'freeze' });
    });
  }

  it('get takes patterns and structures', async () => {
    const expected = /^ball\.position\t.*\nball\.velocity\t.*\n$/;
    expect((await run('get', 'PORT', 'ball.*')).output).to.match(expected);
    expect((await run('get', 'PORT', 'ball')).output).to.match(expected);
  });

  it('use the server of the environment when none is named', async () => {
    const { output } = await runWith({ VARWIRE_SERVER: String(server.port) }, ['get', 'ball.position']);
    expect(output).to.equal('ball.position\t[3, 4]\tm\n');
  });

  it('call lists functions and calls them, with units', async () => {
    expect((await run('call', 'PORT')).output).to.equal(
      'kick(vx: double {m/s}, vy: double {m/s})\tadds to the velocity\n',
    );
    await run('set', 'PORT', 'ball.velocity', '[0, 0]');
    expect(await run('call', 'PORT', 'kick', 'vx=36{km/h}', 'vy=-2')).to.include({ code: 0, output: '' });
    expect((await run('get', 'PORT', 'ball.velocity')).output).to.equal('ball.velocity\t[10, -2]\tm/s\n');
    await run('call', 'PORT', 'kick', '-10', '-2');
    expect((await run('get', 'PORT', 'ball.velocity')).output).to.equal('ball.velocity\t[0, -4]\tm/s\n');
  });

  it('step, run and freeze change what the simulation does', async () => {
    const [, before] = (await run('step', 'PORT')).output.split('\t');
    const [mode, after] = (await run('step', 'PORT', '5')).output.split('\t');
    expect(mode).to.equal('freeze');
    expect(Number(after) - Number(before)).to.be.closeTo(0.05, 1e-9);
    expect((await run('run', 'PORT')).output).to.match(/^run\t[\d.]+\ts\n$/);
    expect((await run('freeze', 'PORT')).output).to.match(/^freeze\t[\d.]+\ts\n$/);
    expect((await run('resume', 'http://localhost:PORT')).output).to.match(/^run\t/);
    expect((await run('freeze', 'http://localhost:PORT')).output).to.match(/^freeze\t/);
  });

  it('control and files have JSON for programs', async () => {
    const json = async (...args: readonly string[]) => JSON.parse((await run(...args, '--json')).output);
    for (const place of ['PORT', 'http://127.0.0.1:PORT']) {
      expect((await json('resume', place)).mode).to.deep.equal({ value: 'run' });
      const { mode, time } = await json('freeze', place);
      expect([mode, time.units]).to.deep.equal([{ value: 'freeze' }, 's']);
      const after = await json('step', place, '5');
      expect(after.time.value - time.value).to.be.closeTo(0.05, 1e-9);
    }
    expect(await json('checkpoint', 'PORT', 'here')).to.deep.equal({ file: 'here', done: 'written' });
    expect(await json('checkpoint', 'PORT', 'here', '--load')).to.deep.equal({ file: 'here', done: 'loaded' });
    expect(await json('record', 'PORT', 'off')).to.deep.equal({ recording: false });
    expect(await json('send', 'PORT', 'print(1 + 1)', 'trick.var_exists("ball.position")')).to.deep.equal({
      answers: [{ indicator: 1, text: '1' }],
      printed: '2\n',
      errors: '',
    });
    const failed = await run('send', 'PORT', 'nosuch()', '--json');
    expect([failed.code, JSON.parse(failed.output).errors]).to.satisfy(
      ([code, errors]: [number, string]) => code === 1 && errors.includes('NameError'),
    );
  });

  it('send prints what a block prints and what it answers', async () => {
    const { output } = await run('send', 'PORT', 'print(1 + 1)', 'trick.var_exists("ball.position")');
    expect(output).to.equal('2\n1\t1\n');
    const failed = await run('send', 'PORT', 'nosuch()');
    expect(failed.code).to.equal(1);
    expect(failed.complaint).to.match(/NameError/);
  });

  it('describe tells types, and more by JSON-RPC', async () => {
    expect((await run('describe', 'PORT', 'ball.position')).output).to.equal(
      'name\tball.position\nelements\t2\ntype\tdouble\ndimensions\t[2]\nunits\tm\nabout\tx to the right, y up\naccess\tread-write\n',
    );
    const { output } = await run('describe', 'PORT', 'ball', 'trick_sys.sched.mode');
    expect(output).to.match(
      /^type\tBallSimObject$[\s\S]*^members\n {2}position\tdouble\[2\]\tm\tx to the right, y up$/m,
    );
    expect(output).to.match(/^labels\t\{"Initialization":0,"Freeze":1,/m);
    const [described] = JSON.parse((await run('describe', 'http://127.0.0.1:PORT', 'ball.position', '--json')).output);
    expect(described).to.include({ alias: 'ball.position', unit: 'm', about: 'x to the right, y up' });
  });

  for (const shell of ['bash', 'zsh', 'fish']) {
    it(`completion has a script for ${shell} that knows the commands`, async () => {
      const { output } = await run('completion', shell);
      for (const name of ['get', 'monte-carlo', 'checkpoint']) expect(output).to.include(name);
    });
  }

  it('have help that lists their options', async () => {
    for (const name of ['get', 'set', 'watch', 'list', 'status', 'step', 'call', 'send', 'describe', 'record']) {
      const { code, output } = await run(name, '--help');
      expect([code, output.includes(`varwire ${name}`), output.includes('--timeout')], name).to.deep.equal([
        0,
        true,
        true,
      ]);
    }
  });

  const failures: readonly (readonly [args: readonly string[], code: number, complaint: RegExp])[] = [
    [['get', 'PORT', 'nosuch.*'], 1, /^varwire: no variable has a name like nosuch\.\*\n$/],
    [['get', 'PORT', 'ball.x', '--json', '--csv'], 2, /^varwire: --json and --csv exclude each other\n$/],
    [['get', 'http://127.0.0.1:PORT', 'nosuch'], 1, /^varwire: .*nosuch.*\n$/],
    [['get', 'http://127.0.0.1:1', 'x'], 1, /^varwire: 127\.0\.0\.1:1: .*\n$/],
    [['watch', 'PORT', 'ball.position', '--count', '0'], 2, /^varwire: --count takes a whole number above 0, not 0\n$/],
    [['step', 'PORT', 'many'], 2, /^varwire: varwire step takes .*\n$/],
    [['call', 'PORT', 'kick', '1'], 1, /^varwire: kick\(\) takes 2 arguments \(vx, vy\), not 1\n$/],
    [['call', 'PORT', 'nosuch'], 1, /^varwire: .*no function nosuch\n$/],
    [['send', 'http://127.0.0.1:PORT', 'x'], 2, /^varwire: varwire send speaks Trick text: .*\n$/],
    [['record', 'PORT', 'maybe'], 2, /^varwire: varwire record takes .*\n$/],
    [['completion', 'csh'], 2, /^varwire: varwire completion takes bash, zsh or fish\n$/],
    [['nosuch'], 2, /^varwire: there is no command nosuch; .*\n$/],
    [['stauts', 'PORT'], 2, /^varwire: there is no command stauts; did you mean status\?\n$/],
    [['help', 'sevrers'], 2, /^varwire: there is no help on sevrers; did you mean servers\?\n$/],
    [['step', 'PORT', '0'], 2, /^varwire: varwire step takes .*\n$/],
    [
      ['get', 'PORT', 'x', '--timeout', '1e9'],
      2,
      /^varwire: --timeout takes seconds above 0, at most 2000000, not 1e9\n$/,
    ],
    [['types', 'PORT', 'nosuch'], 1, /^varwire: no variable of \S+ has a name that starts with nosuch\n$/],
    [['run', 'sims/bal'], 2, /^varwire: there is no simulation sims\/bal; did you mean sims\/ball\?\n$/],
    [['run', 'README.md'], 2, /^varwire: README\.md is no simulation: that is a \.js, \.mjs, \.ts or \.fmu file\n$/],
    [['run', 'sims/ball', '--until=3'], 2, /^varwire: --until goes with --fast; .*\n$/],
  ];
  for (const [args, code, complaint] of failures) {
    it(`${args.join(' ')} fails with one sentence and exit code ${code}`, async () => {
      const result = await run(...args);
      expect([result.code, result.output]).to.deep.equal([code, '']);
      expect(result.complaint).to.match(complaint);
    });
  }

  it('as processes, end with the code and print the sentence', () => {
    const command = fileURLToPath(new URL('../lib/clients/cli/main.js', import.meta.url));
    for (const [args, code, complaint] of [
      [['get', 'http://127.0.0.1:1', 'x'], 1, /^varwire: 127\.0\.0\.1:1: .*\n$/],
      [['stauts'], 2, /^varwire: there is no command stauts; did you mean status\?\n$/],
    ] as const) {
      const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...args], { encoding: 'utf8' });
      expect([status, stdout]).to.deep.equal([code, '']);
      expect(stderr).to.match(complaint);
    }
  });
});
