// The client controls a running simulation: waits, modes, steps, functions, files, TLS, and types from the definition.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, connect as dial } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import {
  CommandRefusedError,
  ConnectionLostError,
  TrickClient,
  ValueTypeError,
  WaitTimeoutError,
} from '../lib/clients/trick/index.js';
import type tank from './fixture/tank.js';
import { ServerHere, showOutputOfFailure } from './launch.js';
import { selfSigned } from './self-signed.js';

const COMMAND = fileURLToPath(new URL('../lib/clients/cli/main.js', import.meta.url));
const execute = promisify(execFile);
const caught = (promise: Promise<unknown>): Promise<unknown> => promise.catch((error: unknown) => error);

describe('the client in control', () => {
  let server: ServerHere;
  let client: TrickClient<typeof tank>;
  let directory: string;

  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'client-control-'));
    server = await ServerHere.start('compat-tests/fixture/tank.js', {
      options: ['--no-discovery', '--udp', 'off', '--run-dir', directory],
    });
  });
  beforeEach(async () => {
    client = await TrickClient.connect({ port: server.port });
  });
  afterEach(function () {
    client.close();
    showOutputOfFailure(this, server);
  });
  after(async () => {
    await server.stop();
    rmSync(directory, { recursive: true });
  });

  it('keeps the shape of arrays of one element, and gives scalars as scalars', async () => {
    const names = [
      'tank.one',
      'tank.single',
      'tank.wide',
      'tank.level',
      'tank.row',
      'tank.row[0]',
      'tank.one[0]',
    ] as const;
    expect(await client.get(names)).to.deep.equal([[2], [3], [4n], 1, [1, 2, 3], [1], 2]);
    expect(await client.get('tank.one', { units: 'xx' })).to.deep.equal({ value: [2], units: 'm' });
    expect(await client.get('tank.one', { units: 'cm' })).to.deep.equal({ value: [200], units: 'cm' });
    const ascii = await TrickClient.connect<typeof tank>({ port: server.port, form: 'ascii' });
    expect(await ascii.get(names)).to.deep.equal([[2], [3], [4], 1, [1, 2, 3], [1], 2]);
    for await (const { values } of ascii.subscribe(['tank.one', 'tank.title'])) {
      expect(values).to.deep.equal([[2], 'main']);
      break;
    }
    for await (const { values } of client.subscribe(['tank.one', 'tank.level'], { cycleSeconds: 0.02 })) {
      expect(values).to.deep.equal([[2], 1]);
      break;
    }
    for (const each of [client, ascii]) {
      const labelled = await each.get(['tank.mode', 'tank.level', 'tank.title'], { labels: true });
      expect(labelled).to.deep.equal(['IDLE', 1, 'main']);
    }
    ascii.close();
    await client.set('tank.one', [2.5]);
    expect(await client.get('tank.one')).to.deep.equal([2.5]);
    expect(await caught(client.set('tank.single', [1.5, 2]))).to.be.instanceOf(Error);
    await client.set('tank.one', [2]);
  });

  it('sets labels and waits for a condition, as text and as a function', async () => {
    await client.set('tank.mode', 'FILL');
    const start = await client.get('tank.level');
    const update = await client.wait(`tank.level > ${start + 0.05}`, { cycleSeconds: 0.02, timeoutSeconds: 20 });
    expect(update.values[0]).to.be.above(start + 0.05);
    const { values } = await client.wait(
      ['tank.level', 'tank.mode'],
      ([level, mode]) => Number(level) > start + 0.1 && mode === 1,
      {
        timeoutSeconds: 20,
      },
    );
    expect(values[0]).to.be.above(start + 0.1);
    await client.set('tank.mode', 'IDLE');
    expect(await caught(client.wait('tank.level < -1', { timeoutSeconds: 0.2 }))).to.be.instanceOf(WaitTimeoutError);
    expect(await client.wait('tank.mode == IDLE', { timeoutSeconds: 20 })).to.have.deep.property('values', [0]);
    expect(await caught(client.wait('tank.mode == FULL'))).to.have.property('message', 'tank.mode has no label FULL');
    expect(await caught(client.wait('tank.level is low'))).to.be.instanceOf(TypeError);
    expect(await caught(client.wait('tank.title == "main"', { timeoutSeconds: 20 }))).to.have.deep.property('values', [
      'main',
    ]);
  });

  it('freezes, makes exact steps, and runs', async () => {
    await client.freeze();
    const times = ['trick_sys.sched.mode', 'trick_sys.sched.time_tics'] as const;
    const [mode, before] = await client.get(times);
    expect(mode).to.equal(1);
    await client.step();
    await client.step(7);
    const [after, end] = await client.get(times);
    expect([after, Number(end) - Number(before)]).to.deep.equal([1, 80_000]);
    await client.run();
    expect(await client.get('trick_sys.sched.mode')).to.equal(5);
    expect(await caught(client.step(3))).to.be.instanceOf(CommandRefusedError);
    expect(await caught(client.step(0))).to.be.instanceOf(RangeError);
  });

  it('calls functions, with arguments in order, by name and with units, and says what is wrong with them', async () => {
    await client.set('tank.level', 10);
    expect(await client.call('drain', [1])).to.deep.equal(9);
    expect(await client.call('drain', { amount: { value: 100, units: 'cm' } })).to.deep.equal(8);
    expect(await client.call('rename', ['say "hi"'])).to.equal('say "hi"');
    expect(await client.get('tank.title')).to.equal('say "hi"');
    await client.call('rename', ['main']);
    const error = await caught(client.call('drain', ['much']));
    expect(error).to.be.instanceOf(CommandRefusedError);
    expect((error as Error).message).to.include('amount');
    expect((await caught(client.call('nosuch'))) as Error).to.be.instanceOf(CommandRefusedError);
    expect(await caught(client.call('drain(1)) or os.system("x"', []))).to.be.instanceOf(TypeError);
  });

  it('reads refusals of values', async () => {
    const error = await caught(client.set('tank.mode', 'NOSUCH' as 'IDLE'));
    expect((error as Error).name).to.equal('SetRefusedError');
    expect((error as { printed: string }).printed).to.include('NOSUCH');
    expect(await caught(client.set('tank.level', 'high' as never))).to.be.instanceOf(ValueTypeError);
  });

  it('writes checkpoints and loads them', async () => {
    await client.set('tank.level', 42);
    await client.checkpoint('full');
    await client.set('tank.level', 1);
    await client.load('full');
    await client.wait('tank.level == 42', { timeoutSeconds: 20 });
    expect(readdirSync(directory, { recursive: true }).join()).to.include('full');
    expect(await caught(client.checkpoint('../../outside'))).to.be.instanceOf(CommandRefusedError);
    const many = ['nosuch', '../x', '../y'].map((name) =>
      caught(name === 'nosuch' ? client.call(name) : client.checkpoint(name)),
    );
    await Promise.all([client.get('tank.level'), client.set('tank.level', 42)]);
    for (const error of await Promise.all(many)) expect(error).to.be.instanceOf(CommandRefusedError);
    await client.record(false);
    await client.record();
  });

  it('speaks TLS to a proxy, and refuses a certificate that it does not trust', async function () {
    const made = selfSigned(directory);
    if (typeof made === 'string') {
      console.log(`      skipped: ${made}`);
      return this.skip();
    }
    const proxy = createTlsServer({ cert: readFileSync(made.cert), key: readFileSync(made.key) }, (socket) => {
      const inner = dial(server.port, '127.0.0.1');
      for (const end of [socket, inner]) end.on('error', () => undefined);
      socket.pipe(inner).pipe(socket);
    }).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const { port } = proxy.address() as { port: number };
    try {
      const tls = { ca: made.ca, servername: 'localhost' };
      const secure = await TrickClient.connect<typeof tank>({ port, tls });
      expect(await secure.get('tank.title')).to.equal('main');
      for await (const { values } of secure.subscribe(['tank.title'])) {
        expect(values).to.deep.equal(['main']);
        break;
      }
      secure.close();
      const env = { ...process.env, NODE_EXTRA_CA_CERTS: made.cert };
      const args = [COMMAND, 'get', '--tls', `localhost:${port}`, 'tank.title'];
      expect((await execute(process.execPath, args, { env })).stdout).to.equal('tank.title\tmain\n');
      expect(await caught(TrickClient.connect({ port, tls: true }))).to.be.instanceOf(ConnectionLostError);
      expect(await caught(TrickClient.connect({ port, timeoutMillis: 300 }))).to.be.instanceOf(Error);
      expect(await caught(TrickClient.connect({ port, tls, transport: 'udp' }))).to.be.instanceOf(TypeError);
    } finally {
      proxy.close();
    }
  });

  it('gives up a port that does not speak TLS in time', async () => {
    const silent = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as { port: number };
    const error = await caught(TrickClient.connect({ port, tls: true, timeoutMillis: 200 }));
    expect(error).to.be.instanceOf(ConnectionLostError);
    silent.close();
  });

  it('ends the simulation', async () => {
    await client.terminate();
    await server.ended;
    expect(server.output).to.match(/\[exit 0\]/);
    expect(await caught(client.get('tank.title'))).to.be.instanceOf(ConnectionLostError);
  });
});
