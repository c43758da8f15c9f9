// The commands and the program of docs/fmu.md, and an FMU that crashes in a server.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { ask, rpc } from '../asking.js';
import { GOALS, program } from '../bench/witness.js';
import { commandHere } from '../command-here.js';
import { healthOf } from '../in-time.js';
import { LaunchedServer, showOutputOfFailure } from '../launch.js';
import { STANDSTILLS } from '../soak/waited.js';
import { WireClient } from '../wire-client.js';
import { TestFmus } from './test-fmus.js';

const PAGE = readFileSync(fileURLToPath(new URL('../../../docs/fmu.md', import.meta.url)), 'utf8');
const COMMAND = fileURLToPath(new URL('../../lib/clients/cli/main.js', import.meta.url));
const PAUSE_MILLIS = 5;
/** The bystander is no newcomer then. */
const FIRST_ANSWERS = 50;
const INDEX = new URL('../../lib/index.js', import.meta.url).href;
const blocks = (language: string): string[] =>
  [...PAGE.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'))].map(([, block = '']) => block.trim());

/** The words of a command line; a word in quotes has blanks. */
const wordsOf = (line: string): string[] => (line.match(/'[^']*'|\S+/g) ?? []).map((word) => word.replaceAll("'", ''));

/** Asks again and again, and once more after the signal. @returns the longest wait in milliseconds. */
async function longestWait(question: () => Promise<unknown>, until: AbortSignal): Promise<number> {
  for (let longest = 0; ; ) {
    const isLast = until.aborted;
    const since = performance.now();
    await question();
    longest = Math.max(longest, performance.now() - since);
    if (isLast) return longest;
    await wait(PAUSE_MILLIS);
  }
}

/** Asks a process that only echoes: what the machine makes everybody wait. */
async function echoing(): Promise<{ question: () => Promise<unknown>; close: () => void }> {
  const echo = spawn(process.execPath, [program('echo')], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [port] = await once(echo.stdout, 'data');
  const socket = connect(Number(`${port}`), '127.0.0.1');
  const question = (): Promise<unknown> => {
    socket.write('x');
    return once(socket, 'data');
  };
  const close = (): void => {
    socket.destroy();
    echo.kill();
  };
  return { question, close };
}

describe('docs/fmu.md', function () {
  this.timeout(60_000);
  let fmus: TestFmus;
  let directory: string;
  let server: LaunchedServer | undefined;
  let echo: Awaited<ReturnType<typeof echoing>> | undefined;

  before(async function () {
    const compiled = await TestFmus.compiled([2]);
    if (typeof compiled === 'string') {
      console.log(`      skipped: ${compiled}`);
      return this.skip();
    }
    fmus = compiled;
    directory = dirname(fmus.make('plant', { generation: 2 }));
  });
  afterEach(async function () {
    showOutputOfFailure(this, server);
    await server?.kill();
    server = undefined;
    echo?.close();
  });
  after(() => fmus?.remove());

  const commands = blocks('sh').flatMap((block) => block.split('\n').map((line) => wordsOf(line).slice(1)));

  it('has commands that look at an FMU, run it and draw values for it, also where runs of a study fail', async () => {
    const [info, , fast, study] = commands as [string[], string[], string[], string[]];
    expect((await commandHere(info, {}, directory)).output).to.contain('plant.fmu: Ball, FMI 2.0');
    const ran = await commandHere(fast, {}, directory);
    expect(ran.output, ran.complaint).to.match(/^Ball\.h\t0\.\d+\n$/);
    // A run whose FMU ends its process, one whose FMU hangs and has longer than the run, and two that are well.
    writeFileSync(join(directory, 'modes.txt'), '3\n2\n0\n0\n');
    const more = '--jobs 1 --most-seconds 10 --vary Ball.mode=file(modes.txt) -- --limit=1000'.split(' ');
    const { output, complaint } = await commandHere([...study, ...more], {}, directory);
    const [, ended, hangs, ...well] = output.trim().split('\n');
    expect(ended, complaint).to.contain(
      'Ball (plant.fmu) is lost in a step: it has ended its process with exit code 3',
    );
    expect(hangs, complaint).to.contain('the run took longer than 10 s');
    expect(well, complaint).to.have.length(2);
    for (const row of well) expect(row).to.match(/^\d,\d+,(-[\d.]+,0|0,-[\d.]+),1,0\.\d+,$/);
  });

  it('has a run without a server end at a signal, though the FMU has longer', async () => {
    const hangs = join(directory, 'hangs');
    const words = `run plant.fmu --fast --until 1 --set Ball.mode=2 --set Ball.label=${hangs} -- --limit=1000`.split(
      ' ',
    );
    const child = spawn(process.execPath, [COMMAND, ...words], { cwd: directory });
    let complaint = '';
    child.stderr.on('data', (chunk) => {
      complaint += chunk;
    });
    const ended = once(child, 'close');
    while (!existsSync(hangs)) await wait(PAUSE_MILLIS);
    child.kill('SIGTERM');
    const [code] = await ended;
    expect(code, complaint).to.equal(143);
    expect(complaint).to.match(
      /^varwire: job Ball failed: Ball \(plant\.fmu\) is lost in a step: its process was ended/m,
    );
  });

  it('has a program', async () => {
    const [program = ''] = blocks('ts');
    writeFileSync(join(directory, 'drop.mjs'), program.replace("'varwire'", `'${INDEX}'`));
    const { output, complaint } = await commandHere(
      ['run', 'drop.mjs', '--fast', '--until', '0.1', '--read', 'shadow.u', '--read', 'ball.u'],
      {},
      directory,
    );
    expect(output, complaint).to.match(/^shadow\.u\t96\.\d+\nball\.u\t-0\.4\d+\n$/);
  });

  /** Stops the server while the FMU hangs. */
  async function stopHanging({ port }: LaunchedServer): Promise<string> {
    void ask({ port, path: '/jsonrpc', body: rpc('var/set', { values: { 'Ball.mode': 2 } }) }).catch(() => undefined);
    await healthOf(503, () => ask({ port, path: '/healthz' }));
    await server?.stop();
    return server?.output ?? '';
  }

  it("has a server end in time though an FMU hangs on the run's thread", async () => {
    server = await LaunchedServer.start(join(directory, 'plant.fmu'), {
      directory,
      options: ['--no-discovery', '--udp', 'off', '--stuck-after', '0.2'],
      simArguments: ['--not-isolated'],
    });
    expect(await stopHanging(server)).to.contain('does not return from native code, so the process is killed');
  });

  it('has a command that serves one, goes on serving when the FMU crashes, and from a checkpoint, and ends in time when it hangs', async () => {
    const [, [, file = '']] = commands as [string[], string[]];
    server = await LaunchedServer.start(join(directory, file), {
      directory,
      options: '--no-discovery --udp off --stuck-after 3 --set Ball.g=-1.62 --set Ball.label=moon'.split(' '),
      simArguments: ['--limit=1000'],
    });
    const { port } = server;
    const call = async (method: string, params: object) =>
      JSON.parse((await ask({ port, path: '/jsonrpc', body: rpc(method, params) })).text);
    const get = async (name: string) => (await call('var/get', { aliases: [name] })).result.values[name];
    expect([await get('Ball.floor.e'), await get('Ball.der_v'), await get('Ball.shown_label')]).to.deep.equal([
      0.7,
      -1.62,
      'moon',
    ]);
    expect(JSON.stringify(await call('var/set', { values: { 'Ball.g': 1 } }))).to.contain('Ball.g is read-only');
    expect(await call('sim/checkpoint', { file: 'before' })).to.not.have.property('error');
    const trick = await WireClient.tcp(port);
    echo = await echoing();
    const end = new AbortController();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const modes: unknown[] = [];
    const bystander = longestWait(async () => {
      const body = rpc('var/get', { aliases: ['Ball.mode'] });
      modes.push(JSON.parse((await ask({ port, path: '/jsonrpc', body, agent })).text).result.values['Ball.mode']);
    }, end.signal);
    const echoed = longestWait(echo.question, end.signal);
    while (modes.length < FIRST_ANSWERS) await wait(PAUSE_MILLIS);
    await call('var/set', { values: { 'Ball.mode': 1 } });
    const health = await healthOf(503, () => ask({ port, path: '/healthz' }));
    const sentence = 'Ball (plant.fmu) is lost in a step: its process has ended by a segmentation fault';
    expect(health).to.contain(sentence);
    expect(server.output).to.contain(sentence);
    end.abort();
    const [waited, machine] = await Promise.all([bystander, echoed]);
    agent.destroy();
    expect([modes[0], modes.at(-1)]).to.deep.equal([0, 1]);
    expect(waited).to.be.below(GOALS.worstMillis + STANDSTILLS * machine);
    expect((await call('sim/status', {})).result.mode).to.equal('freeze');
    expect(await get('Ball.mode')).to.equal(1);
    // A client of another protocol, that was there before.
    trick.send('trick.var_send_once("Ball.mode")\n');
    expect(await trick.line()).to.match(/^\d+\t1$/);
    trick.drop();
    expect((await call('sim/load-checkpoint', { file: 'before' })).error).to.equal(undefined);
    await call('sim/control', { action: 'run' });
    await healthOf(200, () => ask({ port, path: '/healthz' }));
    expect([await get('Ball.mode'), await get('Ball.shown_label')]).to.deep.equal([0, 'moon']);
    expect(await stopHanging(server)).to.contain(
      'Ball (plant.fmu) is lost in a step: its process was ended with the run, which could not wait for it',
    );
  });
});
