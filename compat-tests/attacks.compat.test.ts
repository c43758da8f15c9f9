// What once hung, ended or misled the server: it says one sentence, serves a bystander, and goes on.
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import WebSocket from 'ws';
import { batch, get, lines, post as request, rpc } from './attacks/peer.js';
import { post } from './http-client.js';
import { endAfterFailure, LaunchedServer } from './launch.js';
import { WireClient } from './wire-client.js';

const TARGET = new URL('./attacks/target.js', import.meta.url);
const INPUT = 'trick.real_time_enable()\ntrick.exec_set_freeze_command(False)\n';
const LONG = 'x'.repeat(30_000);
/** Answers of an attack that nobody reads; far above what a bounded server keeps. */
const MEMORY_GROWTH_BYTES = 400 * 2 ** 20;

/** Everything that comes back for some bytes on a bare connection, until it ends or a pattern is met. */
async function converse(port: number, bytes: string, isEnough: RegExp): Promise<string> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  let text = '';
  const done = new Promise<void>((resolve) => {
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk;
      if (isEnough.test(text)) resolve();
    });
    socket.on('close', () => resolve());
  });
  socket.write(Buffer.from(bytes, 'latin1'));
  await done;
  socket.destroy();
  return text;
}

/** What Trick says of a block, read until a sentence is met. */
async function said(port: number, block: string, sentence: RegExp): Promise<string> {
  const client = await WireClient.tcp(port);
  client.send(`trick.var_set_send_stdio(True)\n${block}\n`);
  const text = await client.through((received) => sentence.test(received), `${sentence}`);
  client.drop();
  return text;
}

async function errorOf(port: number, body: string): Promise<string> {
  const { text } = await post(port, body);
  return (JSON.parse(text) as { readonly error?: { readonly message: string } }).error?.message ?? text.slice(0, 500);
}

interface Scene {
  readonly server: LaunchedServer;
  readonly port: number;
  readonly directory: string;
}

type Deed = (scene: Scene) => Promise<unknown>;

/** Blocks of Trick text that must end in a sentence. */
const BLOCKS: Readonly<Record<string, readonly [block: string, sentence: RegExp]>> = {
  'comparisons of nested lists with equal long texts': [
    `a="${LONG}"\nb="${LONG}"\nx = [[a]*100000]*50 == [[b]*100000]*50`,
    /Error: /,
  ],
  'a search among 100,000 long texts, twenty times': [
    `L=["${LONG}"]*100000\ns="${LONG.slice(1)}y"\n${'r = s in L\n'.repeat(20)}print("through")`,
    /Error: |through\n/,
  ],
  'an unknown name of 60 KB beside four that are like it': [
    `${[...'abcd'].map((letter) => `${letter.repeat(60_000)}=1\n`).join('')}x = ${'abcd'.repeat(15_000)}`,
    /Error: /,
  ],
  'var_set of a path of 7,000 members': [
    'trick.var_set("target." + "member_number_"*7000, 1)',
    /4096|too long|Error: |Error/,
  ],
  'a line of 190 KB': [`x = [${'1,'.repeat(95_000)}1]`, /Error: /],
  'repr of nested lists that are shared': [`L=[1]*10\n${'L=[L]*10\n'.repeat(6)}print(len(repr(L)))`, /Error: |\d+\n/],
  'powers of powers as text': [`n = 7\n${'n = n * n\n'.repeat(30)}print(n)`, /Error: /],
};

const DEEDS: Readonly<Record<string, Deed>> = {
  'an upgrade to h2c behind another request (A3)': async ({ port }) => {
    // Not /healthz, which on a busy machine says that the server was late.
    const head = 'GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\n';
    const upgrade = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n';
    const text = await converse(port, `${head}\r\n${head}${upgrade}\r\n${head}\r\n`, /(?:HTTP\/1\.1 200[\s\S]*){3}/);
    expect(text.match(/HTTP\/1\.1 200/g)?.length).to.be.at.least(1);
  },
  'a batch of spellings of a large array (A5)': async ({ port }) => {
    const spellings = Array.from({ length: 8 }, (_, k) => `vast.doubles${' '.repeat(k)}`);
    const { text } = await post(
      port,
      batch(600, 'var/get', () => ({ aliases: spellings })),
    );
    expect(text.length).to.be.below(64 * 2 ** 20);
    expect(text.slice(-2000)).to.match(/"error":/);
  },
  'events that are called like modules, builtins and objects (A6)': async ({ port }) => {
    const client = await WireClient.tcp(port);
    client.send(lines(...['trick', 'print', 'target'].map((name) => `e_${name} = trick.new_event("${name}")`)));
    client.send('trick.var_send_once("target.label")\n');
    expect(await client.line()).to.equal('5\tas it was');
    const other = await said(
      port,
      'print("said")\ntarget.position[2] = 7\ntrick.var_send_once("target.position[2]")',
      /5\t7\n/,
    );
    expect(other).to.include('said');
    client.drop();
  },
  'objects that are called like builtins (A6)': async ({ port }) => {
    const names = ['sum', 'max', 'len', 'range', 'str'];
    const spawned: number[] = [];
    for (const name of names) {
      const body = rpc('world.spawn_entity', { components: { 'bevy_ecs::name::Name': name } });
      const { result } = JSON.parse((await post(port, body)).text) as { readonly result: { readonly entity: number } };
      spawned.push(result.entity);
    }
    const block = 'print(str(sum([1, 2])) + str(max(3, 4)) + str(len("abc")) + str(len(range(5))))';
    expect(await said(port, block, /Error: |3435/)).to.include('3435');
    for (const entity of spawned) await post(port, rpc('world.despawn_entity', { entity }));
  },
  'texts of names without end (A7)': async ({ port }) => {
    const client = await WireClient.tcp(port);
    client.send('trick.var_set_send_stdio(True)\nL=[0]*100000\n');
    for (let k = 0; k < 600; k++) client.send(`L[${k}]="${k}${LONG}"\n`);
    await client.through((text) => /Error: /.test(text), 'a sentence about what is kept');
    client.drop();
  },
  'reads without end (A7)': async ({ port }) => {
    const client = await WireClient.tcp(port);
    client.send('trick.var_set_send_stdio(True)\n');
    for (let k = 0; k < 1200; k++) client.send(`trick.add_read(${90_000 + k}, "#${LONG}")\n`);
    await client.through((text) => /too many reads wait already/.test(text), 'a sentence about what is kept');
    client.drop();
  },
  '1,000 large answers that nobody reads (A9)': async ({ port, server }) => {
    const before = server.residentBytes;
    const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, { perMessageDeflate: false });
    await once(socket, 'open');
    socket.on('error', () => undefined);
    socket.pause();
    for (let k = 0; k < 1000; k++) socket.send(rpc('var/get', { aliases: ['target.doubles'] }, k));
    for (let k = 0; k < 20; k++) await bystander(port);
    // Memory that is free again may take its time.
    while (server.residentBytes - before >= MEMORY_GROWTH_BYTES) await bystander(port);
    socket.terminate();
  },
  'a pattern of stars': async ({ port }) => {
    const message = await errorOf(port, rpc('var/list', { pattern: '*'.repeat(900_000) }));
    expect(message).to.match(/pattern|characters|"result"/);
  },
  'a batch of 1,000 lists': async ({ port }) => {
    const { text } = await post(
      port,
      batch(1000, 'var/list', () => null),
    );
    expect(text).to.match(/"result"/);
  },
  'a wrong path of 900 KB': async ({ port }) => {
    expect(await errorOf(port, rpc('var/get', { aliases: [`target${'.a'.repeat(450_000)}`] }))).to.match(
      /long|characters/,
    );
  },
  '100,000 wrong aliases': async ({ port }) => {
    const aliases = Array.from({ length: 100_000 }, (_, k) => `x${k}`);
    expect(await errorOf(port, rpc('var/get', { aliases }))).to.match(/aliases/);
  },
  'a name with a tab and units in it': async ({ port }) => {
    const forger = await WireClient.tcp(port);
    forger.send('trick.var_pause()\ntrick.var_add("target.position[1]\\tft")\ntrick.var_send()\n');
    await forger.line();
    const client = await WireClient.tcp(port);
    client.send('trick.var_pause()\ntrick.var_add("target.position[1]","ft")\ntrick.var_send()\n');
    expect(await client.line()).to.match(/^0\t6\.56\d* \{ft\}$/);
    forger.drop();
    client.drop();
  },
  'a checkpoint over the input file and over a recording': async ({ port, directory }) => {
    const recording = lines(
      'g = trick.DRAscii("mine")',
      'g.set_cycle(0.1)',
      'g.set_freq(trick.DR_Always)',
      'g.add_variable("target.position[0]")',
      'trick.add_data_record_group(g)',
    );
    await said(port, `${recording}trick.checkpoint("input.py")`, /Error|not/);
    expect(readFileSync(join(directory, 'input.py'), 'utf8')).to.equal(INPUT);
    // Before its first row has opened it, and after.
    await said(port, 'trick.checkpoint("log_mine.csv")', /Error|not/);
    while (!existsSync(join(directory, 'log_mine.csv'))) await bystander(port);
    await said(port, 'trick.checkpoint("log_mine.csv")', /Error|not/);
    expect(readFileSync(join(directory, 'log_mine.csv'), 'latin1')).to.not.include('Variable Assignments');
  },
  'escape sequences for the terminal of whoever reads the log': async ({ port, server }) => {
    const tag = 'trick.var_set_client_tag("seen\\x1b[31m")\n';
    await said(port, `${tag}trick.message_publish(3, "cleared \\x1b[2J\\x9b0m\\u202e")\nprint("through")`, /through/);
    while (!/cleared/.test(server.output)) await bystander(port);
    expect(server.output).to.match(/cleared \\x1b\[2J/);
    expect(server.output).to.not.match(/(?!\n)[\p{Cc}\p{Cf}]/u);
  },
  'a checkpoint through a link to another directory': async ({ port, directory }) => {
    const outside = mkdtempSync(join(tmpdir(), 'varwire-outside-'));
    symlinkSync(outside, join(directory, 'link'));
    await said(port, 'trick.checkpoint("link/leaked")', /Error|not/);
    expect(existsSync(join(outside, 'leaked'))).to.equal(false);
    rmSync(outside, { recursive: true });
  },
  'a client that narrows who may connect': async ({ port }) => {
    const client = await WireClient.tcp(port);
    client.send('trick.var_add_ip("10.0.0.1")\ntrick.var_exists("target.label")\n');
    await client.line();
    expect(await converse(port, get('/metrics'), /\r\n\r\n[\s\S]+/)).to.match(/^HTTP\/1\.1 200/);
    const other = await WireClient.tcp(port);
    other.send('trick.var_exists("target.label")\n');
    expect(await other.line()).to.equal('1\t1');
    client.drop();
    other.drop();
  },
  'a HEAD of an event stream': async ({ port }) => {
    const { text } = await post(port, rpc('var/subscribe', { aliases: ['target.position'], cycle_ms: 100 }));
    const { result } = JSON.parse(text) as { readonly result: { readonly sse_url: string } };
    const head = `HEAD ${result.sse_url} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`;
    const answers = await converse(port, head + get('/healthz'), /(?:HTTP\/1\.1 [\s\S]*){2}/);
    expect(answers.match(/HTTP\/1\.1 200/g)).to.have.length(2);
  },
  'TLS, HTTP/2 and PROPFIND on the plain port': async ({ port }) => {
    const hello = '\x16\x03\x01\x00\xf8\x01\x00\x00\xf4\x03\x03';
    expect(await converse(port, hello, /^\x15\x03/)).to.match(/^\x15\x03/);
    expect(await converse(port, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', /505/)).to.match(/505/);
    expect(await converse(port, 'PROPFIND / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n', /\r\n\r\n/)).to.match(/40[45]/);
  },
  'parameters that were swallowed': async ({ port }) => {
    expect(await errorOf(port, rpc('sim/status', []))).to.include('"name":"target"');
    const proto =
      '{"jsonrpc":"2.0","id":1,"method":"var/set","params":{"values":{"target.position[1]":2,"__proto__":1}}}';
    expect(await errorOf(port, proto)).to.match(/__proto__/);
    const infinite =
      '{"jsonrpc":"2.0","id":1,"method":"var/set","params":{"alias":"target.position[1]","value":1e400}}';
    expect(await errorOf(port, infinite)).to.match(/finite|infinit|number/);
  },
  'all subscriptions that there are': async ({ port }) => {
    const taken = batch(1000, 'var/subscribe', (k) => ({ aliases: [`target.doubles[${k}]`], cycle_ms: 10_000 }));
    const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, { perMessageDeflate: false });
    await once(socket, 'open');
    let refusal = '';
    socket.on('message', (data) => {
      refusal ||= /"message":"[^"]*subscriptions[^"]*"/.exec(`${data}`)?.[0] ?? '';
    });
    for (let k = 0; k < 12; k++) socket.send(taken);
    while (refusal === '') await bystander(port);
    expect(await errorOf(port, rpc('var/subscribe', { aliases: ['target.label'] }))).to.include('subscription_id');
    socket.terminate();
  },
  'waits whose client has left': async ({ port }) => {
    const waits = batch(500, 'var/wait', (k) => ({ condition: `target.position[0] < -${k}`, timeout_ms: 600_000 }));
    for (let k = 0; k < 10; k++) {
      const socket = connect(port, '127.0.0.1').on('error', () => undefined);
      await new Promise((resolve) => socket.write(request(waits), resolve));
      socket.destroy();
    }
    for (let k = 0; k < 20; k++) await bystander(port);
    expect(await errorOf(port, rpc('var/wait', { condition: 'target.position[1] == 2' }))).to.include('"value":2');
  },
  'a recording of a million rows a second': async ({ port, directory }) => {
    const recording = lines(
      'g = trick.DRAscii("fast")',
      'g.set_cycle(1e-6)',
      'g.add_variable("target.position[0]")',
      'trick.add_data_record_group(g)',
    );
    const text = await said(port, `${recording}print(trick.get_data_record_group("fast") == None)`, /True|False/);
    expect(text).to.match(/a client's recording has a cycle of 0\.0001 s or more[\s\S]*True/);
    expect(existsSync(join(directory, 'log_fast.csv'))).to.equal(false);
  },
};

/** Somebody else is served as ever. */
async function bystander(port: number): Promise<void> {
  const client = await WireClient.tcp(port);
  client.send('trick.var_send_once("target.label,target.position[1]", 2)\n');
  expect(await client.line()).to.equal('5\tas it was\t2');
  client.close();
}

describe('what once hung, ended or misled the server', () => {
  let scene: Scene | undefined;

  beforeEach(async () => {
    if (scene) return;
    const directory = mkdtempSync(join(tmpdir(), 'varwire-attacks-'));
    mkdirSync(join(directory, 'inside'));
    writeFileSync(join(directory, 'input.py'), INPUT);
    const options = ['--no-discovery', '--input', join(directory, 'input.py'), '--run-dir', directory];
    const server = await LaunchedServer.start(TARGET, { options, simArguments: ['--large', '130000'] });
    scene = { server, port: server.port, directory };
  });
  afterEach(async function () {
    // The next one meets a fresh server.
    if (await endAfterFailure(this, scene?.server)) scene = undefined;
  });
  after(async () => {
    await scene?.server.stop();
    if (scene) rmSync(scene.directory, { recursive: true });
  });

  for (const [what, [block, sentence]] of Object.entries(BLOCKS)) {
    it(`is no longer: ${what}`, async () => {
      const { port, server } = scene as Scene;
      const computing = said(port, block, sentence);
      await bystander(port);
      await computing;
      await bystander(port);
      expect(server.isRunning).to.equal(true);
    });
  }

  for (const [what, deed] of Object.entries(DEEDS)) {
    it(`is no longer: ${what}`, async () => {
      const { port, server } = scene as Scene;
      await deed(scene as Scene);
      await bystander(port);
      expect(server.isRunning).to.equal(true);
      expect(server.output).to.not.include('internal error');
    });
  }
});
