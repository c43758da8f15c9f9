// The commands and the program of docs/bridge.md, with the ball in place of a simulation in C++.
import { type ChildProcess, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { commandHere } from './command-here.js';
import { call, type Values } from './http-client.js';
import { LaunchedServer, showOutputOfFailure } from './launch.js';
import { TrickStandIn } from './trick-stand-in.js';

const PROJECT = fileURLToPath(new URL('../../', import.meta.url));
const PAGE = readFileSync(join(PROJECT, 'docs/bridge.md'), 'utf8');
const COMMAND = fileURLToPath(new URL('../lib/clients/cli/main.js', import.meta.url));
const block = (language: string): string => new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'ms').exec(PAGE)?.[1] ?? '';

/** The port on which a bridge serves. */
function portSaid({ stdout, stderr }: ChildProcess): Promise<number> {
  let said = '';
  return new Promise((resolve, reject) => {
    stderr?.on('data', (piece) => {
      said += piece;
    });
    stdout?.on('data', (piece) => {
      said += piece;
      const [, port] = /(?:serves at |nc 127\.0\.0\.1 )(\d+)/.exec(said) ?? [];
      if (port !== undefined) resolve(Number(port));
    });
    stdout?.on('close', () => reject(new Error(`it says no port: ${said}`)));
  });
}

describe('docs/bridge.md', () => {
  let simulation: LaunchedServer;
  let child: ChildProcess | undefined;
  before(async () => {
    simulation = await LaunchedServer.start('sims/ball.js');
  });
  afterEach(function () {
    showOutputOfFailure(this, simulation);
    child?.kill();
  });
  after(() => simulation.kill());

  it('has commands that serve a simulation which runs already, and read it', async () => {
    const [bridgeLine = '', getLine = ''] = block('sh').trim().split('\n');
    const [, ...args] = bridgeLine.replace('7000', `${simulation.port}`).replace('--port 8000', '--port 0').split(' ');
    child = spawn(process.execPath, [COMMAND, ...args, '--udp', 'off', '--no-discovery']);
    const port = await portSaid(child);
    const [, ...get] = getLine.replace('localhost:8000', `127.0.0.1:${port}`).split(' ');
    const { output, complaint } = await commandHere(get);
    expect([complaint, output]).to.satisfy(
      ([said, values]: string[]) => said === '' && /^ball\.position\t/.test(values ?? ''),
    );
  });

  it('has a command that takes the only simulation that announces itself', async function () {
    const trick = await new TrickStandIn().start();
    const socket = createSocket('udp4').bind(0, '127.0.0.1');
    await once(socket, 'listening');
    socket.setMulticastInterface('127.0.0.1');
    const fields = [
      '127.0.0.1',
      trick.port,
      'ada',
      12,
      '/sims',
      'S_main',
      'RUN_test/input.py',
      '25.1.1',
      '',
      trick.port,
      1,
    ];
    const announce = () => socket.send(`${fields.join('\t')}\t5\n`, 9265, '239.3.14.15');
    const timer = setInterval(announce, 200);
    try {
      const served = await LaunchedServer.command('bridge', '--udp', 'off', '--messages', 'off');
      expect((await call<Values>(served.port, 'var/get', { aliases: ['fx.d'] })).values).to.deep.equal({ 'fx.d': 1.5 });
      await served.stop();
      while (trick.sessions.size > 0) await new Promise((resolve) => setTimeout(resolve, 10));
    } catch (error) {
      const [reason] = /(no|several) (simulation of Trick )?ha\w+ announced/.exec((error as Error).message) ?? [];
      if (reason === undefined) throw error;
      console.log(`      skipped: there is no multicast on loopback here, or another simulation: ${reason}`);
      this.skip();
    } finally {
      clearInterval(timer);
      socket.close();
      await trick.stop();
    }
  });

  it('has a program that does the same, read-only', async () => {
    const program = block('js')
      .replace('7000', `${simulation.port}`)
      .replace('{ port: 8000 }', "{ port: 0, udp: 'off', discovery: false }");
    const here = `${program}\nconsole.log('serves at ' + server.port);`;
    child = spawn(process.execPath, ['--input-type=module', '--eval', here], { cwd: PROJECT });
    const port = await portSaid(child);
    expect((await call<Values>(port, 'var/get', { aliases: ['ball.position'] })).values).to.have.property(
      'ball.position',
    );
    const refusal = await call(port, 'var/set', { alias: 'ball.position[0]', value: 1 }).catch(
      (error: Error) => error.message,
    );
    expect(refusal).to.match(/this source cannot be written: it is a bridge to \S*localhost:\d+/);
  });

  it('has a command that says in one sentence why it does not start', async () => {
    const { code, complaint } = await commandHere(['bridge', '127.0.0.1:1', '--port', '0']);
    expect(code).to.equal(1);
    expect(complaint).to.match(/^varwire: 127\.0\.0\.1:1: .*ECONNREFUSED.*\n$/);
    expect((await commandHere(['bridge', 'one:1', 'two:2'])).code).to.equal(2);
    expect((await commandHere(['bridge', '127.0.0.1:1', '--run-dir', 'x'])).complaint).to.equal(
      'varwire: --run-dir is for simulations that run here; varwire bridge --help shows how\n',
    );
  });
});
