// What a client of the Model Context Protocol can send that is wrong: one clear sentence each, nothing changes, another client goes on.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { expect } from 'chai';
import { type RunningServer, serve } from '../lib/index.js';
import { ask } from './asking.js';
import { ToolClient } from './mcp-client.js';

const BALL = new URL('../sims/ball.js', import.meta.url);
const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const LONG = 'x'.repeat(300_000);
const HEIGHT = 'ball.position[1]';

const message = (method: string, params: unknown, more: object = {}): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, params, ...more });
const call = (name: unknown, given: unknown = {}): string => message('tools/call', { name, arguments: given });

const linesOf = (stream: Readable) => createInterface({ input: stream })[Symbol.asyncIterator]();

/** What is no call of a tool, and what it is refused with. */
const MESSAGES: readonly (readonly [body: string, sentence: RegExp])[] = [
  ...['', '{', '\0\x01', '{"jsonrpc":', `{"a":${'['.repeat(5000)}`].map((body) => [body, /Invalid JSON/] as const),
  ...['null', '5', '"x"', '{}', '{"jsonrpc":"2.0"}', '{"jsonrpc":"1.0","id":1,"method":"tools/list"}'].map(
    (body) => [body, /not a valid JSON-RPC message/] as const,
  ),
  ...['[]', ' [1]', `[${call('get_status')},${call('get_status')}]`].map(
    (body) => [body, /^one message at a time/] as const,
  ),
  ...[null, 1e308, { a: 1 }, true].map((id) => [message('tools/list', {}, { id }), /not a valid JSON-RPC/] as const),
  ...[[1], 5, 'x'].map((params) => [message('tools/list', params), /not a valid JSON-RPC message/] as const),
  ...['nosuch', '__proto__', 'constructor', LONG].map((method) => [message(method, {}), /Method not found/] as const),
  [message('tools/list', { cursor: 'nosuch' }), /^all tools are on one page: ask without a cursor$/],
  [message('tools/list', { cursor: 5 }), /^params: cursor: expected string, received number$/],
  [message('tools/call', {}), /^params: name: expected string, received undefined$/],
  [message('tools/call', { name: 5 }), /^params: name: expected string, received number$/],
  [call('get_status', 5), /^params: arguments: expected record, received number$/],
  [call('get_status', [1]), /^params: arguments: expected record, received array$/],
];

/** Calls of tools, and what they are refused with. */
const CALLS: readonly (readonly [tool: string, given: object, sentence: RegExp])[] = [
  ...['__proto__', 'constructor', '', LONG].map(
    (tool) => [tool, {}, /^there is no tool "[^"]{0,101}"\. There are/] as const,
  ),
  ['get_values', { names: LONG }, /expected array, received string/],
  ['get_values', { names: { length: 1 } }, /expected array, received object/],
  ['get_values', { names: Array(201).fill('ball') }, /<=200 items/],
  ['get_values', { names: [LONG] }, /at most 4096 characters/],
  ['get_values', { names: [HEIGHT], units: { [HEIGHT]: LONG } }, /at most 256 characters/],
  ['get_values', { names: [HEIGHT], [LONG]: 1 }, /^get_values: Unrecognized key: "x{100,}/],
  ['get_values', JSON.parse('{"__proto__":{"names":["ball"]}}'), /^get_values: names: expected array/],
  ['find_variables', { words: LONG }, /<=200 characters/],
  ['list_variables', { pattern: '*'.repeat(5000) }, /at most 1000 characters/],
  ['get_history', { names: [HEIGHT], samples: 1e9 }, /<=500/],
  ['get_history', { names: [HEIGHT], from: 'yesterday' }, /expected number, received string/],
  ['watch_until', { names: [HEIGHT], condition: LONG }, /<=1000 characters/],
  ['watch_until', { names: [HEIGHT], condition: 'ball.kick() > 1' }, /is not a variable's path/],
  ['watch_until', { names: [HEIGHT], seconds: 1e9 }, /<=3600/],
  ['watch_until', { names: [HEIGHT], seconds: 1, timeout_seconds: 1e9 }, /<=600/],
  ['set_values', { values: { [LONG]: 1 } }, /at most 4096 characters/],
  ['set_values', { values: { 'ball.velocity': LONG } }, /does not fit/],
  ['set_values', { values: { [HEIGHT]: { $gt: 0 } } }, /does not fit/],
  ['set_values', { values: Object.fromEntries(Array.from({ length: 5000 }, (_, k) => [`v${k}`, 1])) }, /no object v0/],
  ['set_values', { values: JSON.parse('{"__proto__":1}') }, /\. Nothing has changed; /],
  ['control', { action: 'stop' }, /expected one of "run"/],
  ['control', { action: 'step', frames: 0.5 }, /expected int/],
  ['control', { action: 'clock_ratio', ratio: 0 }, /above 0/],
  ['call_function', { name: '__proto__' }, /no function __proto__/],
  ['call_function', { name: 'kick', arguments: { vx: {}, vy: [] } }, /does not fit/],
  ['call_function', { name: 'kick', arguments: [1, 2] }, /expected record, received array/],
  ...['/etc/x', '../x', 'a\0b', LONG, '.', 'a/../../x'].map(
    (file) => ['save_checkpoint', { file }, /Give a plain name/] as const,
  ),
  ...['/etc/passwd', '../../etc/passwd', LONG].map(
    (file) => ['load_checkpoint', { file }, /Nothing has changed/] as const,
  ),
  ...['../secret.csv', 'link.csv', '..%2fsecret.csv', 'a.csv\0'].map(
    (file) => ['open_run', { file }, /^there is no recorded file .* list_runs tells the files\.$/] as const,
  ),
  ['open_run', { file: LONG }, /<=1000 characters/],
  ['read_run', { file: 'a.csv', names: Array(21).fill('h') }, /<=20 items/],
  ['compare_runs', { one: 'a.csv', other: '../secret.csv' }, /^there is no recorded file/],
  ['compare_runs', { one: 'a.csv', other: 'a.csv', tolerance: -1 }, /^compare_runs: tolerance/],
  ['list_runs', { offset: -1 }, /^list_runs: offset/],
  ['get_events', { after_mark: 1e300 }, /after_mark/],
];

describe('hostile clients of the tools for language models', () => {
  let server: RunningServer;
  let folder: string;
  let other: ToolClient;
  let untouched: unknown;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'varwire-mcp-hostile-'));
    const runDirectory = join(folder, 'runs');
    mkdirSync(runDirectory);
    const rows = 'time {s},h {m}\n0,10\n1,2\n';
    writeFileSync(join(runDirectory, 'a.csv'), rows);
    writeFileSync(join(folder, 'secret.csv'), rows);
    symlinkSync(join(folder, 'secret.csv'), join(runDirectory, 'link.csv'));
    server = await serve(BALL, { port: 0, discovery: false, mcp: true, mcpRuns: [runDirectory], runDirectory });
    other = await ToolClient.overHttp(server.port);
    await other.use('control', { action: 'freeze' });
    untouched = await state();
  });
  afterEach('nothing has changed, and another client goes on', async () =>
    expect(await state()).to.deep.equal(untouched),
  );
  after(async () => {
    await other.close();
    await server.close();
    rmSync(folder, { recursive: true });
  });

  const post = (body: string, more: object = {}) =>
    ask({ port: server.port, path: '/mcp', body, headers: { ...HEADERS, ...more } });
  /** All that a client could have changed. */
  async function state(): Promise<unknown> {
    const { values } = await other.use<{ values: object }>('get_values', { names: ['ball.position', 'ball.velocity'] });
    const { mode, clock_ratio, sim_time } = await other.use<Record<string, unknown>>('get_status');
    return { values, mode, clock_ratio, sim_time, checkpoints: await other.use('list_checkpoints') };
  }

  it('who send no message are told so in one sentence', async () => {
    for (const [body, sentence] of MESSAGES) {
      const { status, text } = await post(body);
      const { error } = JSON.parse(text.replace(/^event: message\ndata: /, ''));
      expect(status, body.slice(0, 60)).to.be.oneOf([200, 400]);
      expect(error.message, body.slice(0, 60))
        .to.match(sentence)
        .and.match(/^[^\n]{10,200}$/);
    }
  });

  it('who call wrongly are told so, with what to do next', async () => {
    for (const [tool, given, sentence] of CALLS) expect(await other.refusal(tool, given)).to.match(sentence);
  });

  it('who write what is no message to `varwire mcp` are left without an answer, and are answered on', async () => {
    const args = [ToolClient.program, 'mcp', '--connect', `127.0.0.1:${server.port}`];
    const piped = spawn(process.execPath, args);
    const [told, faults] = [linesOf(piped.stdout), linesOf(piped.stderr)];
    const lines = [
      '{',
      'null',
      '[]',
      '5',
      '"x"',
      '\0',
      '{"jsonrpc":"2.0"}',
      '['.repeat(5000),
      `[${call('get_status')}]`,
    ];
    for (const line of lines) piped.stdin.write(`${line}\n`);
    piped.stdin.write(`${call('control', { action: 'fly' })}\n`);
    expect(JSON.parse((await told.next()).value).result.content[0].text).to.match(/^control: action: /);
    piped.stdin.on('error', () => undefined).write(`${call('get_values', { names: ['x'.repeat(2_000_000)] })}\n`);
    const heard = [];
    for (let line = await faults.next(); !line.done; line = await faults.next()) heard.push(line.value);
    for (const line of heard) expect(line).to.match(/^varwire mcp: .{10,300}$/);
    expect(heard.at(-1)).to.match(/size/);
  });

  it('are refused by their origin, host, type, version, and length', async () => {
    const asked = call('set_values', { values: { [HEIGHT]: 0 } });
    for (const [more, status] of [
      [{ origin: 'http://evil.example' }, 403],
      [{ origin: 'null' }, 403],
      [{ host: 'evil.example' }, 403],
      [{ 'content-type': 'text/plain' }, 415],
      [{ accept: 'text/html' }, 406],
      [{ 'mcp-protocol-version': '1999-01-01' }, 400],
    ] as const)
      expect(await post(asked, more), JSON.stringify(more)).to.include({ status });
    for (const method of ['GET', 'DELETE', 'PUT', 'BREW'])
      expect(
        (await ask({ port: server.port, path: '/mcp', method, headers: HEADERS }).catch(() => undefined))?.status ??
          400,
        method,
      ).to.be.within(400, 499);
    const long = call('set_values', { values: { [HEIGHT]: 'x'.repeat(10_000_000) } });
    // The server may close before all has been written.
    const url = `http://127.0.0.1:${server.port}/mcp`;
    // The server may close before all has been written.
    for (const body of [long, 'x'.repeat(10_000_000), long.slice(0, -1)])
      expect(
        await fetch(url, { method: 'POST', headers: HEADERS, body }).then(
          ({ status }) => status,
          () => 'closed',
        ),
      ).to.be.oneOf([413, 'closed']);
  });

  it('who ask hundreds of things at once stop nobody', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 32 });
    const headers = { ...HEADERS, connection: 'keep-alive' };
    const asked = { port: server.port, path: '/mcp', body: call('get_status', { nosuch: 1 }), headers, agent };
    let open = 400;
    const answers = Promise.all(Array.from({ length: open }, () => ask(asked).finally(() => open--)));
    expect(await state()).to.deep.equal(untouched);
    expect(open).to.be.above(0);
    for (const { text } of await answers) expect(text).to.include('Unrecognized key');
    agent.destroy();
  });

  it('who go while they watch leave nothing behind', async () => {
    const held = async () => {
      const { text } = await ask({ port: server.port, path: '/metrics' });
      return Number(/^varwire_held\{what="parked"\} (\d+)$/m.exec(text)?.[1]);
    };
    const until = async (count: number): Promise<void> => {
      while ((await held()) !== count);
    };
    const watched = { names: [HEIGHT], condition: `${HEIGHT} < -5`, timeout_seconds: 600 };
    const sent = Array.from({ length: 5 }, () => {
      const one = request({ port: server.port, path: '/mcp', method: 'POST', headers: HEADERS });
      one.on('error', () => undefined).end(call('watch_until', watched));
      return one;
    });
    await until(5);
    for (const one of sent) one.destroy();
    await until(0);
    const piped = await ToolClient.overPipes(server.port);
    const cancel = new AbortController();
    const given = { name: 'watch_until', arguments: watched };
    const cancelled = piped.client.callTool(given, { signal: cancel.signal }).catch(() => 'cancelled');
    await until(1);
    cancel.abort();
    await until(0);
    expect(await cancelled).to.equal('cancelled');
    const lost = piped.refusal('watch_until', watched).catch(() => 'lost');
    await until(1);
    await piped.close();
    await until(0);
    expect(await lost).to.equal('lost');
  });
});
