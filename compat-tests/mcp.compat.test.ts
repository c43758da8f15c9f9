// The SDK's own client of the Model Context Protocol uses every tool, over HTTP and over `varwire mcp`.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect } from 'chai';
import { type RunningServer, serve } from '../lib/index.js';
import { ask } from './asking.js';

const BALL = new URL('../sims/ball.js', import.meta.url);
const VARWIRE = new URL('../lib/clients/cli/main.js', import.meta.url).pathname;

const PAGE = new URL('../../docs/mcp.md', import.meta.url);

interface Settings {
  readonly simulation: { readonly args: readonly string[] };
}

const READING = [
  'find_variables',
  'list_variables',
  'get_values',
  'get_history',
  'watch_until',
  'get_status',
  'get_events',
  'list_functions',
  'list_checkpoints',
];
const OF_RUNS = ['list_runs', 'open_run', 'read_run', 'compare_runs'];
const CHANGING = ['set_values', 'control', 'call_function', 'save_checkpoint', 'load_checkpoint'];

interface Answer {
  readonly isError?: boolean;
  readonly content: readonly { readonly text: string }[];
  readonly structuredContent?: unknown;
}

describe('tools for language models', () => {
  let server: RunningServer;
  let runDirectory: string;
  const clients: Client[] = [];
  before(async () => {
    runDirectory = mkdtempSync(join(tmpdir(), 'varwire-mcp-'));
    const tokens = new Map([
      ['all', 'read-write'],
      ['look', 'read-only'],
    ] as const);
    for (const [index, name] of ['log_a.csv', 'log_b.csv'].entries())
      writeFileSync(join(runDirectory, name), `time {s},ball.height {m}\n0,10\n1,${8 - index}\n2,3\n`);
    const options = { mcp: true, mcpRuns: [runDirectory], tokens, runDirectory };
    server = await serve(BALL, { port: 0, discovery: false, ...options });
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.close();
  });
  after(async () => {
    await server.close();
    rmSync(runDirectory, { recursive: true });
  });

  const url = (): URL => new URL(`http://127.0.0.1:${server.port}/mcp`);

  async function overHttp(token: string) {
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    return connected(new StreamableHTTPClientTransport(url(), { requestInit }));
  }

  async function overPipes(...args: string[]) {
    const connect = ['--connect', `127.0.0.1:${server.port}`];
    return connected(
      new StdioClientTransport({ command: process.execPath, args: [VARWIRE, 'mcp', ...connect, ...args] }),
    );
  }

  async function connected(transport: Parameters<Client['connect']>[0]) {
    const client = new Client({ name: 'test', version: '1' });
    clients.push(client);
    await client.connect(transport);
    const answerOf = (name: string, given: object = {}): Promise<Answer> =>
      client.callTool({ name, arguments: given as Record<string, unknown> }) as Promise<Answer>;
    const use = async <T>(name: string, given?: object): Promise<T> => {
      const { isError, content, structuredContent } = await answerOf(name, given);
      expect(isError, content[0]?.text).to.not.equal(true);
      expect(JSON.parse(content[0]?.text ?? '')).to.deep.equal(structuredContent);
      return structuredContent as T;
    };
    const refusal = async (name: string, given?: object): Promise<string> => {
      const { isError, content } = await answerOf(name, given);
      expect(isError).to.equal(true);
      return content[0]?.text ?? '';
    };
    return { client, use, refusal };
  }

  for (const [way, connect] of Object.entries({
    'over HTTP': () => overHttp('all'),
    'over pipes': () => overPipes('--token', 'all', '--runs', runDirectory),
  })) {
    it(`find, read, watch, set, call and come back: ${way}`, async () => {
      const { client, use, refusal } = await connect();
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).to.deep.equal([...READING, ...CHANGING, ...OF_RUNS]);
      for (const { name, annotations, inputSchema, description } of tools) {
        expect(annotations?.readOnlyHint, name).to.equal(!CHANGING.includes(name));
        expect([inputSchema.type, typeof description]).to.deep.equal(['object', 'string']);
      }
      const found = await use<{ variables: { alias: string }[] }>('find_variables', { words: 'posit' });
      expect(found.variables.map(({ alias }) => alias)).to.include('ball.position');
      const listed = await use<{ variables: { alias: string }[]; more: boolean }>('list_variables', {
        pattern: 'ball.*',
        limit: 1,
      });
      expect([listed.variables[0]?.alias, listed.more]).to.deep.equal(['ball.position', true]);
      await use('control', { action: 'freeze' });
      const saved = await use<{ file: string }>('save_checkpoint', { file: 'before' });
      expect(saved.file).to.equal('before');
      expect(JSON.stringify(await use('list_checkpoints'))).to.include('before');
      // What a model writes as text is taken for what it says.
      await use('set_values', { values: '{"ball.velocity": [1, 2]}' });
      const name = 'ball.velocity[0]';
      const read = await use<{ values: Record<string, number> }>('get_values', {
        names: [name],
        units: { [name]: 'km/h' },
      });
      expect(read.values[name]).to.be.closeTo(3.6, 1e-9);
      expect(JSON.stringify(await use('get_values', { names: ['ball.positon'] }))).to.include(
        'did you mean ball.position',
      );
      expect(JSON.stringify(await use('list_functions'))).to.include('"kick"');
      await use('call_function', { name: 'kick', arguments: { vx: 3, vy: 0 } });
      expect((await use<{ values: Record<string, number> }>('get_values', { names: [name] })).values[name]).to.equal(4);
      await use('load_checkpoint', { file: 'before' });
      expect(
        (await use<{ values: Record<string, number> }>('get_values', { names: [name] })).values[name],
      ).to.not.equal(4);
      expect(await use<{ mode: string }>('get_status')).to.include({ mode: 'freeze' });
      await use('control', { action: 'run' });
      const height = 'ball.position[1]';
      interface Watched {
        readonly ended_by: string;
        readonly statistics: Record<
          string,
          { readonly least: number; readonly greatest: number; readonly last: number }
        >;
        readonly samples: Record<string, { readonly values: number[] }>;
      }
      const watched = await use<Watched>('watch_until', { names: [height], seconds: 0.5 });
      expect(watched.ended_by).to.equal('time');
      const { least = 0, greatest = 0 } = watched.statistics[height] ?? {};
      expect(greatest).to.be.greaterThan(least);
      expect(watched.samples[height]?.values.length).to.be.within(2, 20);
      expect(await use('watch_until', { names: [height], condition: `${height} >= 0` })).to.include({
        ended_by: 'condition',
      });
      expect(
        await use('watch_until', { names: [height], condition: `${height} < -1`, timeout_seconds: 0.1 }),
      ).to.include({ ended_by: 'timeout' });
      const past = await use<{ series: object; statistics: object }>('get_history', { names: [height], samples: 10 });
      expect([Object.keys(past.series), Object.keys(past.statistics)]).to.deep.equal([[height], [height]]);
      const events = await use<{ marks: { kind: string }[] }>('get_events');
      expect(events.marks.map(({ kind }) => kind)).to.include('freeze');
      expect(await refusal('set_values', { values: { 'ball.velocity': 'fast' } })).to.match(/ball\.velocity/);
      expect(await refusal('get_values', { names: [] })).to.match(/^get_values: names: .*; it takes names, units$/);
      expect(await refusal('watch_until', { names: [height] })).to.equal(
        'watch_until: give either condition or seconds',
      );
      const { files } = await use<{ files: { file: string }[] }>('list_runs');
      expect(files.map(({ file }) => file)).to.include.members(['log_a.csv', 'log_b.csv']);
      const opened = await use<{ variables: { name: string }[]; rows: number }>('open_run', { file: 'log_a.csv' });
      expect([opened.rows, opened.variables[1]?.name]).to.deep.equal([3, 'ball.height']);
      const run = await use<{ series: Record<string, object> }>('read_run', {
        file: 'log_a.csv',
        names: ['ball.height'],
      });
      expect(run.series['ball.height']).to.deep.include({ least: 3, greatest: 10, values: [10, 8, 3] });
      const compared = await use<{ differences: object[] }>('compare_runs', { one: 'log_a.csv', other: 'log_b.csv' });
      const place = { seconds: 1, one: 8, other: 7, by: 1 };
      expect(compared.differences).to.deep.equal([{ name: 'ball.height', rows: 1, first: place, largest: place }]);
      for (const [name, given, sentence] of [
        ['open_run', { file: '../../etc/passwd' }, /^there is no recorded file /],
        ['open_run', { file: '' }, /^open_run: file: /],
        ['open_run', { file: 'log_a.csv', offset: -1 }, /^open_run: offset: /],
        ['open_run', { file: 'log_a.csv', limit: 1e9 }, /^open_run: limit: /],
        ['read_run', { file: 'log_a.csv', names: [] }, /^read_run: names: /],
        ['read_run', { file: 'log_a.csv', names: Array(21).fill('ball.height') }, /^read_run: names: /],
        ['read_run', { file: 'log_a.csv', names: ['ball.height'], samples: 1e6 }, /^read_run: samples: /],
        ['compare_runs', { one: 'log_a.csv' }, /^compare_runs: other: /],
        ['compare_runs', { one: 'log_a.csv', other: 'log_b.csv', tolerance: -1 }, /^compare_runs: tolerance: /],
      ] as const)
        expect(await refusal(name, given)).to.match(sentence);
      expect(await refusal('nosuch')).to.match(/^there is no tool nosuch; there are find_variables, /);
    });
  }

  it('are those of docs/mcp.md, which starts them as it says and answers its question', async () => {
    const page = readFileSync(PAGE, 'utf8');
    const [claude, code, answer] = [...page.matchAll(/```(?:json|text)\n([^`]*)```/g)].map(([, block]) => `${block}`);
    const { mcpServers } = JSON.parse(`${claude}`) as { mcpServers: Settings };
    const { servers } = JSON.parse(`${code}`) as { servers: Settings };
    for (const { args } of [mcpServers.simulation, servers.simulation]) {
      expect(args.slice(0, 4)).to.deep.equal(['varwire', 'mcp', '--connect', 'localhost:7000']);
      const { client } = await overPipes('--token', 'all', ...args.slice(4));
      const { tools } = await client.listTools();
      expect(tools).to.have.length(READING.length + (args.includes('--read-only') ? 0 : CHANGING.length));
      for (const name of [...tools.map((tool) => tool.name), ...OF_RUNS]) expect(page).to.include(`\`${name}\``);
    }
    const { use } = await overHttp('all');
    for (const [, name, given] of `${answer}`.matchAll(/^(\w+)\s+(\{.*\})/gm))
      await use(`${name}`, JSON.parse(`${given}`));
  });

  it('change nothing for who may only read', async () => {
    const { client, refusal } = await overHttp('look');
    expect((await client.listTools()).tools.map(({ name }) => name)).to.deep.equal([...READING, ...OF_RUNS]);
    expect(await refusal('set_values', { values: { 'ball.velocity': [0, 0] } })).to.match(
      /there is no tool set_values/,
    );
    const piped = await overPipes('--token', 'all', '--read-only');
    expect((await piped.client.listTools()).tools.map(({ name }) => name)).to.deep.equal(READING);
    const looking = await overPipes('--token', 'look');
    expect(await looking.refusal('control', { action: 'freeze' })).to.match(/your token may only read/);
  });

  it('are nowhere without a token, for a page of another site, and where they are not asked for', async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const asked = (more: object) => ask({ port: server.port, path: '/mcp', body, headers: { ...headers, ...more } });
    expect((await asked({})).status).to.equal(401);
    expect((await asked({ authorization: 'Bearer all', origin: 'http://evil.example' })).status).to.equal(403);
    const other = await serve(BALL, { port: 0, discovery: false });
    expect((await ask({ port: other.port, path: '/mcp', body, headers })).status).to.equal(404);
    await other.close();
  });

  it('are refused in one sentence for what is no message', async () => {
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: 'Bearer all',
    };
    const hostile = [
      '',
      '{',
      '[]',
      'null',
      '{"jsonrpc":"2.0"}',
      '[1,2,3]',
      `{"a":${'['.repeat(5000)}`,
      '"x"',
      '{"jsonrpc":"2.0","id":1,"method":"nosuch"}',
    ];
    for (const body of hostile) {
      const { status, text } = await ask({ port: server.port, path: '/mcp', body, headers });
      expect(status, `${body.slice(0, 40)}: ${text.slice(0, 200)}`).to.be.within(200, 499);
      expect(text.length).to.be.below(2000);
    }
    expect((await ask({ port: server.port, path: '/mcp', body: 'x'.repeat(2 ** 21), headers })).status).to.equal(413);
    const { client } = await overHttp('all');
    expect((await client.listTools()).tools).to.have.length(READING.length + CHANGING.length + OF_RUNS.length);
  });
});
