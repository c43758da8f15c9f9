// The commands with names, units and types: both kinds of server give the same, and mistyped names are corrected.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { commandHere } from './command-here.js';
import { ServerHere, showOutputOfFailure } from './launch.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const COMMAND = join(ROOT, 'build/lib/clients/cli/main.js');

const PROGRAM = `
import { TrickClient } from 'varwire/client';
import type { Variables } from './sim.js';
const client = await TrickClient.connect<Variables>({ port: 7000 });
export const level: number = await client.get('tank.level');
export const one: readonly number[] = await client.get('tank.one');
export const flow: number = await client.get('tank.pipes[1].flow');
export const wide: bigint = await client.get('tank.wide[0]');
await client.set('tank.mode', 'FILL');
await client.set('tank.pipes[0].valve', 'OPEN');
// @ts-expect-error no such label
await client.set('tank.mode', 'FULL');
// @ts-expect-error no such name
await client.get('tank.levle');
`;

describe('the commands, of names', () => {
  let server: ServerHere;
  before(async () => {
    server = await ServerHere.start('compat-tests/fixture/tank.js', {
      options: ['--no-discovery', '--udp', 'off'],
    });
  });
  after(() => server.stop());
  afterEach(function () {
    showOutputOfFailure(this, server);
  });

  function program(file: string, args: readonly string[]): Promise<{ code: number; text: string }> {
    return new Promise((resolve) => {
      execFile(file, args, { cwd: ROOT }, (error, output, complaint) =>
        resolve({ code: error ? Number(error.code) : 0, text: output + complaint }),
      );
    });
  }
  const runWith = async (environment: Readonly<Record<string, string>>, args: readonly string[]) => {
    const words = args.map((arg) => arg.replace('PORT', String(server.port)));
    const { code, output, complaint } = await commandHere(words, environment);
    return { code, text: output + complaint };
  };
  const run = (...args: readonly string[]) => runWith({}, args);

  for (const place of ['PORT', 'http://127.0.0.1:PORT']) {
    it(`show structures, arrays of them and patterns, from ${place}`, async () => {
      const { text } = await run('get', place, 'tank.pipes', 'tank.on?', 'tank.level{cm}');
      const pipes = [0, 1].flatMap((index) => [
        `tank.pipes[${index}].flow\t0\tkg/s`,
        `tank.pipes[${index}].valve\tCLOSED`,
      ]);
      expect(text.trimEnd().split('\n')).to.have.members([...pipes, 'tank.one\t[2]\tm', 'tank.level\t100\tcm']);
      expect((await run('watch', place, 'tank.pipes', '--count', '1', '--csv')).text).to.match(
        /^time,tank\.pipes\[0\]\.flow,tank\.pipes\[0\]\.valve,.*\n[\d.]+,0,CLOSED,0,CLOSED\n$/,
      );
    });

    it(`show and set enumerations by label, from ${place}`, async () => {
      expect((await run('set', place, 'tank.pipes[0].valve', 'OPEN')).text).to.equal('tank.pipes[0].valve\tOPEN\n');
      const json = JSON.parse((await run('get', place, 'tank.pipes[0].valve', '--json')).text);
      expect(json).to.deep.equal({ 'tank.pipes[0].valve': { value: 'OPEN' } });
      const { text } = await run('watch', place, 'tank.pipes[0].valve', '--count', '1');
      expect(text.split('\t')[1]).to.equal('OPEN\n');
      await run('set', place, 'tank.pipes[0].valve', 'CLOSED');
    });

    it(`say what is wrong with a label, from ${place}`, async () => {
      const { code, text } = await run('set', place, 'tank.pipes[0].valve', 'OPNE');
      expect(code).to.equal(1);
      expect(text).to.match(/no label "?OPNE"?; did you mean OPEN\?\n$/);
    });

    it(`show the two values of a pair, from ${place}`, async () => {
      const { text } = await run('get', place, 'tank.span');
      expect(text).to.equal('tank.span.first\t0.5\ntank.span.second\t3\n');
    });

    it(`show an array of pairs, from ${place}`, async () => {
      const { text } = await run('get', place, 'tank.spans');
      expect(text.match(/^\S+/gm)).to.deep.equal([
        'tank.spans[0].first',
        'tank.spans[0].second',
        'tank.spans[1].first',
        'tank.spans[1].second',
      ]);
    });

    it(`set takes units with the name, from ${place}`, async () => {
      expect(await run('set', place, 'tank.one{cm}', '[300]')).to.deep.equal({
        code: 0,
        text: 'tank.one\t[300]\tcm\n',
      });
      expect((await run('set', place, 'tank.one', '[2]')).text).to.equal('tank.one\t[2]\tm\n');
    });

    it(`suggest what was meant, from ${place}`, async () => {
      for (const args of [
        ['get', place, 'tank.levle'],
        ['set', place, 'tank.levle', '3'],
        ['describe', place, 'tank.levle'],
      ]) {
        const { code, text } = await run(...args);
        expect([code, text]).to.deep.equal([1, text.match(/^varwire: .*; did you mean tank\.level.*\?\n$/)?.[0]]);
      }
    });

    it(`step makes steps, from ${place}`, async () => {
      const seconds = async (...args: readonly string[]) => Number((await run(...args)).text.split('\t')[1]);
      const before = await seconds('freeze', place);
      expect((await seconds('step', place, '7')) - before).to.be.closeTo(0.07, 1e-9);
      expect((await run('run', place)).text).to.match(/^run\t/);
    });
  }

  it('step takes a number of ticks alone when the environment names the server', async () => {
    const named = { VARWIRE_SERVER: String(server.port) };
    await runWith(named, ['freeze']);
    const seconds = async (...args: readonly string[]) =>
      Number((await runWith(named, ['step', ...args])).text.split('\t')[1]);
    const before = await seconds('1');
    expect((await seconds('7')) - before).to.be.closeTo(0.07, 1e-9);
    await run('run', 'PORT');
  });

  it('info, convert and plot take a simulation that runs for a recording of what it keeps', async () => {
    expect((await run('info', 'PORT')).text).to.match(
      /^\d+: tank, in mode run\nat [\d.]+ s by \S+, every 0\.01 s\nwhat is asked for is kept, every value of 600 s\n\nNAME +UNITS +TYPE\n(.*\n)*tank\.level +m +double\n/,
    );
    const { history_sec, variables } = JSON.parse((await run('info', 'PORT', '--json')).text);
    expect([history_sec, variables.length > 3]).to.deep.equal([600, true]);
    const directory = mkdtempSync(join(ROOT, 'build/past-'));
    try {
      const file = join(directory, 'past.csv');
      await run('set', 'PORT', 'tank.level', '1');
      expect(await run('convert', 'PORT', file)).to.deep.equal({ code: 0, text: '' });
      const [head = '', first = ''] = readFileSync(file, 'utf8').split('\n');
      const at = head.split(',').indexOf('"tank.level {m}"');
      expect([at > 0, first.split(',')[at]]).to.deep.equal([true, '1']);
      expect((await run('plot', 'PORT', 'tank.level', '--text')).text).to.match(
        /^[ ▁-█]{60} {2}tank\.level {2}1 to 1 m\n$/,
      );
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  it('call takes units with arguments in order', async () => {
    await run('set', 'PORT', 'tank.level', '1');
    expect((await run('call', 'PORT', 'drain', '50{cm}')).text).to.equal('0.5\n');
    expect((await run('call', 'PORT', 'rename', '1{cm}')).text).to.match(/^varwire: rename declares no 1 parameters/);
    await run('set', 'PORT', 'tank.level', '1');
  });

  it('types prints declarations with which a program compiles, and a wrong one does not', async () => {
    const { code, text } = await run('types', 'PORT');
    expect(code).to.equal(0);
    expect(text).to.include("  /** m */\n  readonly 'tank.level': number;");
    const directory = mkdtempSync(join(ROOT, 'build', 'types-'));
    try {
      writeFileSync(join(directory, 'sim.d.ts'), text);
      writeFileSync(join(directory, 'program.mts'), PROGRAM);
      const options = '--ignoreConfig --noEmit --strict --skipLibCheck --module nodenext --target es2022 --types node';
      const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
      const compiled = await program(process.execPath, [
        compiler,
        ...options.split(' '),
        join(directory, 'program.mts'),
      ]);
      expect(compiled).to.deep.equal({ code: 0, text: '' });
    } finally {
      rmSync(directory, { recursive: true });
    }
    expect((await run('types', 'PORT', 'tank.pipes')).text.match(/readonly/g)).to.have.length(2);
  });

  it('help explains commands and topics', async () => {
    for (const [topic, expected] of [
      ['get', /^Usage: varwire get <server> <name>/],
      ['servers', /VARWIRE_SERVER/],
      ['names', /ball\.height\{ft\}/],
      ['values', /LANDED/],
      ['exit-codes', /^2 {4}a command line/m],
      ['completion', /^Usage: varwire completion/],
      ['fmu info', /^Usage: varwire fmu info/],
    ] as const) {
      const { code, text } = await run('help', ...topic.split(' '));
      expect(code, topic).to.equal(0);
      expect(text).to.match(expected);
    }
  });

  it('completion completes commands and names in bash', async () => {
    const script = `
      varwire() { '${process.execPath}' '${COMMAND}' "$@"; }
      source <(varwire completion bash)
      complete_line() { COMP_LINE="$*"; COMP_POINT=\${#COMP_LINE}; _varwire; echo "\${COMPREPLY[@]}"; }
      complete_line varwire che
      complete_line varwire get ${server.port} tank.pipes[0]
      VARWIRE_SERVER=${server.port} complete_line varwire get tank.le
      complete_line varwire help des
    `;
    const { text } = await program('bash', ['-c', script]);
    expect(text.trim().split('\n')).to.deep.equal([
      'checkpoint',
      'tank.pipes[0].flow tank.pipes[0].valve',
      'tank.level',
      'describe',
    ]);
  });

  it('take leave of the server when they are interrupted, with exit code 130', async () => {
    let heard = '';
    const silent = createServer((socket) => {
      socket
        .on('error', () => undefined)
        .on('data', (bytes) => {
          heard += bytes.toString();
          // It answers the greeting, and nothing else.
          if (/var_send_list_size\(\)\n$/.test(heard) && !heard.includes('var_send_once')) socket.write('3\t0\n');
          if (/var_send_once.*\n.*\n.*\(\)\n$/.test(heard)) child.kill('SIGINT');
        });
    }).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as { port: number };
    const child = spawn(process.execPath, [COMMAND, 'get', String(port), 'x'], { stdio: 'pipe' });
    const [code] = await once(child, 'exit');
    expect(code).to.equal(130);
    expect(heard).to.match(/trick\.var_exit\(\)\n$/);
    silent.close();
  });
});
