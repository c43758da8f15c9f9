// Faults are seen: a simulation's thread that dies or never returns, a run that a fault has frozen, a log that is gone.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { serve } from '../lib/index.js';
import { ask, rpc } from './asking.js';
import { healthOf } from './in-time.js';
import { LaunchedServer, ServerHere, showOutputOfFailure } from './launch.js';

const FAULTY = 'compat-tests/fixture/faulty.js';
const HOSTILE = 'compat-tests/fixture/hostile.js';
const BUILD = new URL('../', import.meta.url);

describe('a fault of the simulation', () => {
  let server: LaunchedServer | ServerHere | undefined;
  let port: number;
  const OPTIONS = ['--no-discovery', '--udp', 'off'];
  const start = async (engineOptions: readonly string[] = []): Promise<LaunchedServer> => {
    const launched = await LaunchedServer.start(FAULTY, { options: OPTIONS, engineOptions });
    server = launched;
    port = launched.port;
    return launched;
  };
  afterEach(async function () {
    showOutputOfFailure(this, server);
    if (server instanceof LaunchedServer) await server.kill();
    else await server?.stop();
    server = undefined;
  });

  const set = (path: string, value: number, wait = false) =>
    ask({ port, path: '/jsonrpc', body: rpc('var/set', { values: { [path]: value }, ...(wait ? { wait } : {}) }) });
  const get = async (path: string) =>
    JSON.parse((await ask({ port, path: '/jsonrpc', body: rpc('var/get', { aliases: [path] }) })).text);
  const health = () => ask({ port, path: '/healthz' });

  it('ends the process with the code that a job gave, and says why', async () => {
    const launched = await start();
    await set('order.of', 1);
    await launched.ended;
    expect(launched.output).to.match(/\[exit 3\]\n$/);
    expect(launched.output).to.contain(
      "the simulation has ended with code 3: the simulation's thread has ended by itself",
    );
  });

  it('ends the process when the thread runs out of memory', async () => {
    // Little memory is used up soon.
    const launched = await start(['--max-old-space-size=128']);
    await set('order.of', 2);
    await launched.ended;
    expect(launched.output).to.match(/\[exit 1\]\n$/);
    expect(launched.output).to.match(/the simulation's thread failed: .*memory/);
  });

  it('says which job does not return, ends what waits for it, and goes on when it does', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'varwire-faults-'));
    const release = join(directory, 'release');
    const options = [...OPTIONS, '--stuck-after', '1s'];
    const here = await ServerHere.start(FAULTY, { options, simArguments: [release], by: serve });
    server = here;
    port = here.port;
    await set('order.of', 4);
    // Nothing can be read for as long as one's own write is on its way: it ends with a sentence.
    const reads = await Promise.all([get('order.of'), get('order.of')]);
    const refused = reads.filter(({ error }) => error);
    for (const { error } of refused) expect(error.message).to.contain('the simulation has not answered for ');
    const sentence = await healthOf(503, health);
    expect(sentence).to.match(/^the simulation has not answered for \d+(\.\d)? s: it is busy with job obey\n$/);
    expect((await ask({ port, path: '/metrics' })).text).to.contain('\nvarwire_healthy 0\n');
    const refusal = JSON.parse((await set('order.of', 0, true)).text);
    expect(refusal.error.message).to.contain('is busy with job obey');
    writeFileSync(release, '');
    expect(await healthOf(200, health)).to.equal('ok\n');
    expect(here.output).to.match(/has not answered for .*job obey\n[\s\S]*the simulation goes on/);
    expect((await get('order.of')).error).to.equal(undefined);
    rmSync(directory, { recursive: true });
  });

  it('is in /healthz when it has frozen the run, until that goes on; ended by then, it gives the process a code', async () => {
    const launched = await start();
    await set('order.of', 3);
    const reason = /^job obey failed: told to \(faulty\.js, line \d+\)$/;
    expect((await healthOf(503, health)).trimEnd()).to.match(reason);
    const status = async () => JSON.parse((await ask({ port, path: '/jsonrpc', body: rpc('sim/status', {}) })).text);
    const { result } = await status();
    expect(result.mode).to.equal('freeze');
    expect(result.reason).to.match(reason);
    expect(result.cpu_sec).to.be.a(process.platform === 'linux' ? 'number' : 'undefined');
    // With the line of the simulation that threw, and none of varwire's own.
    expect(launched.output).to.match(
      /job obey failed: told to; the simulation is frozen\n +at .*faulty\.js:\d+:\d+\)?\n(?! +at .*lib\/)/,
    );
    await set('order.of', 0);
    await ask({ port, path: '/jsonrpc', body: rpc('sim/control', { action: 'run' }) });
    expect(await healthOf(200, health)).to.equal('ok\n');
    expect((await status()).result).not.to.have.property('reason');
    await set('order.of', 3);
    await healthOf(503, health);
    await ask({ port, path: '/jsonrpc', body: rpc('sim/control', { action: 'terminate' }) });
    await launched.ended;
    expect(launched.output).to.match(/\[exit 1\]\n$/);
  });

  it('is told in one sentence, wherever the code has thrown something that cannot be read', async () => {
    const simArguments = [
      ['job', 'a message that throws'],
      ['timer', 'a revoked proxy'],
      ['promise', 'a symbol'],
    ].flat();
    const here = await ServerHere.start(HOSTILE, { options: OPTIONS, simArguments, by: serve });
    server = here;
    port = here.port;
    for (const sentence of [
      /^job hurt failed: something was thrown that cannot be shown\n$/,
      /^the simulation failed: something was thrown that cannot be shown\n$/,
      /^the simulation failed: Symbol\(no\)\n$/,
    ]) {
      expect(await healthOf(503, health)).to.match(sentence);
      await ask({ port, path: '/jsonrpc', body: rpc('sim/control', { action: 'run' }) });
      // The next one is told as such.
      while ((await health()).text.match(sentence)) await new Promise((resolve) => setTimeout(resolve, 10));
    }
    const built = { options: OPTIONS, simArguments: ['build', 'a proxy whose traps throw'] };
    const refusal = await ServerHere.start(HOSTILE, { ...built, by: serve }).catch(({ message }: Error) => message);
    expect(refusal).to.match(/hostile\.js cannot be built: something was thrown that cannot be shown$/);
  });
});

describe('a log that cannot be written', () => {
  const children: ChildProcess[] = [];
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
  });

  const COMMAND = fileURLToPath(new URL('lib/clients/cli/main.js', BUILD));
  const FILE = fileURLToPath(new URL(FAULTY, BUILD));

  async function start(log: string, stderr: 'pipe' | number): Promise<{ child: ChildProcess; port: number }> {
    const args = [COMMAND, 'run', FILE, '--port', '0', '--no-discovery', '--udp', 'off', '--log', log, '--verbose'];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', stderr] });
    children.push(child);
    child.stdout?.setEncoding('utf8');
    let text = '';
    for (;;) {
      const [chunk] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [string];
      text += chunk;
      const port = /SSE +curl \S+ \S+:(\d+)\//.exec(text)?.[1];
      if (port) return { child, port: Number(port) };
    }
  }

  async function serves({ child, port }: Awaited<ReturnType<typeof start>>): Promise<void> {
    for (let i = 0; i < 20; i++) await ask({ port, path: '/sse?sub=none', headers: { origin: 'http://evil.example' } });
    await healthOf(200, () => ask({ port, path: '/healthz' }));
    expect(child.exitCode).to.equal(null);
  }

  for (const log of ['text', 'json']) {
    it(`as ${log} whose reader has gone away, or on a full disk, does not end the server`, async () => {
      const [unread, full] = await Promise.all([start(log, 'pipe'), start(log, openSync('/dev/full', 'w'))]);
      unread.child.stderr?.destroy();
      unread.child.stdout?.destroy();
      await Promise.all([serves(unread), serves(full)]);
    });
  }
});
