// The SDK's own client of the Model Context Protocol uses every tool, over HTTP and over `varwire mcp`.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { parseServed } from '../lib/clients/cli/run.js';
import { type RunningServer, serve } from '../lib/index.js';
import { ask } from './asking.js';
import { ToolClient } from './mcp-client.js';

const BALL = new URL('../sims/ball.js', import.meta.url);
const LANDER = new URL('../sims/lander.js', import.meta.url);
const PAGE = readFileSync(new URL('../../docs/mcp.md', import.meta.url), 'utf8');
const HEIGHT = 'ball.position[1]';

interface Settings {
  readonly simulation: { readonly args: readonly string[] };
}

const READING = [
  ...['find_variables', 'list_variables', 'get_values', 'get_history', 'watch_until', 'get_status', 'get_events'],
  ...['list_functions', 'list_checkpoints'],
];
const CHANGING = ['set_values', 'control', 'call_function', 'save_checkpoint', 'load_checkpoint'];
const OF_RUNS = ['list_runs', 'open_run', 'read_run', 'compare_runs'];

interface Found {
  readonly variables: readonly { readonly alias: string }[];
  readonly more: boolean;
  readonly hint?: string;
}

interface Read {
  readonly values: Readonly<Record<string, number>>;
  readonly missing?: Readonly<Record<string, string>>;
  readonly hint?: string;
}

interface Statistics {
  readonly first: number;
  readonly last: number;
  readonly least: number;
  readonly greatest: number;
  readonly first_sec: number;
  readonly last_sec: number;
  readonly least_sec: number;
  readonly greatest_sec: number;
}

interface Sampled {
  readonly times: readonly number[];
  readonly values: readonly number[];
}

interface Past {
  readonly series: Readonly<Record<string, Sampled>>;
  readonly statistics: Readonly<Record<string, Statistics>>;
  readonly begins?: readonly string[];
}

interface Watched {
  readonly ended_by: string;
  readonly from_seconds: number;
  readonly to_seconds: number;
  readonly statistics: Readonly<Record<string, Statistics>>;
  readonly samples: Readonly<Record<string, Sampled>>;
}

describe('tools for language models', () => {
  let server: RunningServer;
  let runDirectory: string;
  const clients: ToolClient[] = [];
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

  const kept = async (connecting: Promise<ToolClient>): Promise<ToolClient> => {
    const client = await connecting;
    clients.push(client);
    return client;
  };
  const overHttp = (token: string) => kept(ToolClient.overHttp(server.port, token));
  const overPipes = (...args: string[]) => kept(ToolClient.overPipes(server.port, ...args));

  for (const [way, connect] of Object.entries({
    'over HTTP': () => overHttp('all'),
    'over pipes': () => overPipes('--token', 'all', '--runs', runDirectory),
  })) {
    it(`find, read, watch, set, call, come back and look into runs: ${way}`, async () => {
      const tools = await connect();
      await describesItself(tools);
      await finds(tools);
      await setsAllOrNone(tools);
      await comesBack(tools);
      await watches(tools);
      await looksIntoRuns(tools);
      expect(await tools.refusal('nosuch')).to.match(
        /^there is no tool "nosuch"\. There are find_variables, .*compare_runs\.$/,
      );
    });
  }

  async function describesItself({ client }: ToolClient): Promise<void> {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).to.deep.equal([...READING, ...CHANGING, ...OF_RUNS]);
    for (const { name, annotations, inputSchema, description } of tools) {
      expect(annotations?.readOnlyHint, name).to.equal(!CHANGING.includes(name));
      expect(annotations?.destructiveHint, name).to.equal(['call_function', 'load_checkpoint'].includes(name));
      expect([inputSchema.type, typeof description]).to.deep.equal(['object', 'string']);
    }
  }

  async function finds({ use, refusal }: ToolClient): Promise<void> {
    const named = async (tool: string, given: object) =>
      (await use<Found>(tool, given)).variables.map(({ alias }) => alias);
    expect(await named('find_variables', { words: 'posit' })).to.include('ball.position');
    expect(await named('find_variables', { words: 'positoin' })).to.include('ball.position');
    const { variables, hint } = await use<Found>('find_variables', { words: 'ball position altitude' });
    expect([variables.length, hint]).to.deep.equal([
      0,
      'Nothing has all these words; use fewer: "ball" alone finds ball, ball.position, ball.velocity; "position" alone finds ball.position.',
    ]);
    expect((await use<Found>('find_variables', { words: 'xyzzyxyzzy' })).hint).to.match(
      /^Nothing is called so or described so; try another word for it, or list_variables\. There are ball, /,
    );
    expect((await use<Found>('find_variables', { words: 'xyzzyxyzzy', under: 'ball' })).hint).to.match(
      /There are ball\.position, ball\.velocity\.$/,
    );
    expect(await refusal('find_variables', { words: 'x', under: 'ball.nosuch' })).to.equal(
      'ball has no member nosuch. Use fewer and shorter words, or list_variables.',
    );
    const page = { pattern: 'ball.*', limit: 1 };
    expect(await use('list_variables', page)).to.deep.include({ more: true });
    expect(await named('list_variables', page)).to.deep.equal(['ball.position']);
    expect(await named('list_variables', { ...page, after: 'ball.position' })).to.deep.equal(['ball.velocity']);
    expect((await use<Found>('list_variables', { pattern: 'nosuch*' })).hint).to.match(/^Leave out pattern/);
    const read = await use<Read>('get_values', { names: ['ball.positon', 'crew', HEIGHT], units: { [HEIGHT]: 'cm' } });
    expect(read.missing).to.deep.equal({
      'ball.positon': 'ball has no member positon; did you mean ball.position?',
      crew: 'there is no object crew',
    });
    expect([Object.keys(read.values), read.hint]).to.deep.equal([
      [HEIGHT],
      'find_variables tells the names that there are.',
    ]);
    expect(await refusal('get_values', { names: [HEIGHT], units: { [HEIGHT]: 'kg' } })).to.match(
      /convert from "m".*find_variables tells names and units\.$/,
    );
    expect(await refusal('get_values', { names: [] })).to.match(
      /^get_values: names: .*; it takes names, units\. find_/,
    );
    expect(JSON.stringify(await use('list_functions'))).to.include('"kick"');
  }

  async function setsAllOrNone({ use, refusal }: ToolClient): Promise<void> {
    await use('control', { action: 'freeze' });
    const names = ['ball.position', 'ball.velocity'];
    const all = async () => (await use<Read>('get_values', { names })).values;
    const before = await all();
    const wrong = [
      { 'ball.velocity': 'fast' },
      { 'ball.velocity': [1, 2, 3] },
      { 'ball.velocity[7]': 1 },
      { 'ball.nosuch': 1 },
      { 'trick_sys.sched.mode': 1 },
    ];
    for (const one of wrong)
      expect(await refusal('set_values', { values: { 'ball.position[0]': 5, [HEIGHT]: 6, ...one } })).to.match(
        /(ball\.velocity|ball|trick_sys\.sched\.mode).* Nothing has changed; find_variables tells/,
      );
    expect(await refusal('set_values', { values: { [HEIGHT]: 6 }, units: { [HEIGHT]: 'kg' } })).to.match(/units/);
    expect(await refusal('set_values', { values: {} })).to.match(/no value/);
    expect(await all()).to.deep.equal(before);
    // What a model writes as text is taken for what it says.
    const units = { 'ball.velocity': 'km/h' };
    await use('set_values', { values: '{"ball.velocity": [3.6, 7.2], "ball.position[0]": 4}', units });
    expect(await all()).to.deep.equal({
      'ball.position': [4, (before as never)['ball.position'][1]],
      'ball.velocity': [1, 2],
    });
  }

  async function comesBack({ use, refusal }: ToolClient): Promise<void> {
    const speed = async () =>
      (await use<Read>('get_values', { names: ['ball.velocity[0]'] })).values['ball.velocity[0]'];
    expect(await use('save_checkpoint', { file: 'before' })).to.include({ file: 'before' });
    expect(JSON.stringify(await use('list_checkpoints'))).to.include('before');
    await use('call_function', { name: 'kick', arguments: { vx: 3, vy: 0 } });
    expect(await speed()).to.equal(4);
    await use('load_checkpoint', { file: 'before' });
    expect(await speed()).to.equal(1);
    expect(await use('get_status')).to.include({ mode: 'freeze' });
    await use('control', { action: 'step', frames: 2 });
    await use('control', { action: 'clock_ratio', ratio: 1 });
    await use('control', { action: 'run' });
    interface Events {
      readonly marks: readonly { readonly number: number; readonly kind: string }[];
      readonly messages: readonly { readonly number: number }[];
    }
    let told = await use<Events>('get_events');
    // It runs again with its next tick.
    while (!told.marks.some(({ kind }) => kind === 'run')) told = await use<Events>('get_events');
    const { marks, messages } = told;
    expect(marks.map(({ kind }) => kind)).to.include('freeze');
    const since = { after_mark: marks.at(-2)!.number, after_message: messages.at(-1)!.number };
    const later = await use<Events>('get_events', since);
    expect(later.marks[0]).to.deep.equal(marks.at(-1));
    for (const { number } of later.messages) expect(number).to.be.above(since.after_message);
    for (const [name, given, sentence] of [
      ['call_function', { name: 'nosuch' }, /no function nosuch.*list_functions tells what can be called/],
      ['call_function', { name: 'kick', arguments: { vx: 'fast', vy: 0 } }, /vx.*list_functions tells/],
      ['save_checkpoint', { file: '../x' }, /is not a file in the run directory.*Give a plain name, or none\.$/],
      ['load_checkpoint', { file: 'nosuch' }, /Nothing has changed; list_checkpoints tells what can be loaded\.$/],
      ['control', { action: 'seek' }, /^control: seek needs to_seconds\. get_status tells/],
      ['control', { action: 'seek', to_seconds: 1 }, /goes to no other time.*get_status tells/],
      ['control', { action: 'clock_ratio', ratio: -1 }, /above 0, not -1\. get_status tells/],
      ['get_events', { limit: 0 }, /^get_events: limit: .*Leave out all arguments/],
    ] as const)
      expect(await refusal(name, given)).to.match(sentence);
  }

  async function watches({ use, refusal }: ToolClient): Promise<void> {
    const watched = await use<Watched>('watch_until', { names: [HEIGHT], seconds: 0.5 });
    expect(watched.ended_by).to.equal('time');
    const { times, values } = watched.samples[HEIGHT]!;
    expect(values.length).to.be.within(2, 20);
    const found = watched.statistics[HEIGHT]!;
    expect(found.greatest).to.be.greaterThan(found.least);
    for (const moment of ['first_sec', 'last_sec', 'least_sec', 'greatest_sec'] as const)
      expect(found[moment], moment).to.be.within(watched.from_seconds, watched.to_seconds);
    for (const [value, seconds] of [
      [found.least, found.least_sec],
      [found.greatest, found.greatest_sec],
    ] as const)
      expect(times[values.indexOf(value)]).to.equal(seconds);
    const until = (condition: string) => ({ names: [HEIGHT], condition, timeout_seconds: 0.1 });
    expect(await use('watch_until', until(`${HEIGHT} >= 0`))).to.include({ ended_by: 'condition' });
    expect(await use('watch_until', until(`${HEIGHT} < -1`))).to.include({ ended_by: 'timeout' });
    expect(await refusal('watch_until', { names: [HEIGHT] })).to.match(
      /^watch_until: give either condition or seconds\. A/,
    );
    expect(await refusal('watch_until', until('garbage'))).to.match(/is not a comparison/);
    const past = await use<Past>('get_history', { names: [HEIGHT], samples: 10 });
    expect([Object.keys(past.series), Object.keys(past.statistics)]).to.deep.equal([[HEIGHT], [HEIGHT]]);
    const mixed = {
      names: [HEIGHT, 'ball.nosuch', 'trick_sys.sched.build_date'],
      units: { [HEIGHT]: 'cm', 'ball.nosuch': 'm' },
    };
    const inCm = await use<Past>('get_history', mixed);
    // The ball may have risen meanwhile.
    const centimetres = 100 * past.statistics[HEIGHT]!.greatest;
    expect(inCm.statistics[HEIGHT]?.greatest).to.be.within(centimetres - 1e-6, 2 * centimetres);
    // Nobody has asked before this moment, and the answer says so.
    const unasked = await use<Past>('get_history', { names: ['ball.velocity[1]'] });
    expect(unasked.begins?.[0]).to.match(
      /^What is known of ball\.velocity\[1\] begins at [\d.]+ s: do not speak of the time before\. .* --keep ball\.velocity\[1\]\.$/,
    );
  }

  async function looksIntoRuns({ use, refusal }: ToolClient): Promise<void> {
    const { files } = await use<{ files: { file: string }[] }>('list_runs');
    expect(files.map(({ file }) => file)).to.include.members(['log_a.csv', 'log_b.csv']);
    const opened = await use<{ variables: { name: string }[]; rows: number }>('open_run', { file: 'log_a.csv' });
    expect([opened.rows, opened.variables[1]?.name]).to.deep.equal([3, 'ball.height']);
    const names = ['ball.height', 'ball.heigt'];
    const run = await use<{ series: Record<string, object>; missing: object }>('read_run', {
      file: 'log_a.csv',
      names,
    });
    const extremes = { least: 3, least_sec: 2, greatest: 10, greatest_sec: 0 };
    expect(run.series['ball.height']).to.deep.include({ ...extremes, values: [10, 8, 3] });
    expect(run.missing).to.deep.equal({
      'ball.heigt': 'the recording has no variable ball.heigt; did you mean ball.height?',
    });
    const compared = await use<{ differences: object[] }>('compare_runs', { one: 'log_a.csv', other: 'log_b.csv' });
    const place = { seconds: 1, one: 8, other: 7, by: 1 };
    expect(compared.differences).to.deep.equal([{ name: 'ball.height', rows: 1, first: place, largest: place }]);
    expect(await refusal('open_run', { file: 'nosuch.csv' })).to.equal(
      'there is no recorded file "nosuch.csv". list_runs tells the files.',
    );
  }

  it('are those of docs/mcp.md, which starts them as it says', async () => {
    const [claude, code] = [...PAGE.matchAll(/```json\n([^`]*)```/g)].map(([, block]) => `${block}`);
    const { mcpServers } = JSON.parse(`${claude}`) as { mcpServers: Settings };
    const { servers } = JSON.parse(`${code}`) as { servers: Settings };
    for (const { args } of [mcpServers.simulation, servers.simulation])
      expect(args.slice(0, 4)).to.deep.equal(['varwire', 'mcp', '--connect', 'localhost:7000']);
    expect(mcpServers.simulation.args.slice(4)).to.deep.equal([]);
    const piped = await overPipes('--token', 'all', ...servers.simulation.args.slice(4));
    expect(await piped.names()).to.deep.equal(READING);
    for (const name of [...READING, ...CHANGING, ...OF_RUNS]) expect(PAGE).to.include(`\`${name}\``);
  });

  it('answer what the altitude is and when it was highest, also when nobody has asked before', async () => {
    const [line = ''] = [...PAGE.matchAll(/```sh\n([^`]*)```/g)].map(([, block]) => block);
    const { options } = parseServed(line?.trim().split(' ').slice(3) ?? []);
    expect(options).to.include({ mcp: true });
    const own = await serve(LANDER, { ...options, port: 0, discovery: false });
    try {
      const { use } = await kept(ToolClient.overHttp(own.port));
      const [block = ''] = [...PAGE.matchAll(/```text\n([^`]*)```/g)].map(([, text]) => text);
      const questions = [...`${block}`.matchAll(/^(\w+)\s+(\{.*?\})\s/gm)].map(([, name, given]) => [name, given]);
      expect(questions.map(([name]) => name)).to.deep.equal(['find_variables', 'get_values', 'get_history']);
      // It falls, and is thrown up above where it began at a moment that is known.
      await use('control', { action: 'freeze' });
      await use('set_values', { values: { 'lander.position': [0, 0, 3000] } });
      await use('control', { action: 'run' });
      await use('watch_until', { names: ['lander.altitude'], condition: 'lander.altitude > 2900' });
      const answers: unknown[] = [];
      for (const [name, given] of questions) answers.push(await use(`${name}`, JSON.parse(`${given}`)));
      expect((answers[0] as Found).variables.map(({ alias }) => alias)).to.deep.equal(['lander.altitude']);
      const { series, statistics, begins } = answers[2] as Past;
      const { first, first_sec, greatest, greatest_sec } = statistics['lander.altitude']!;
      const { times, values } = series['lander.altitude']!;
      expect((answers[1] as Read).values['lander.altitude']).to.be.within(2000, greatest);
      expect(begins).to.equal(undefined);
      expect(first_sec).to.equal(0);
      expect(first).to.be.below(1600);
      expect(greatest).to.be.within(2900, 3005);
      expect(times[values.indexOf(greatest)]).to.equal(greatest_sec);
      expect(times[values.findIndex((value) => value > 2900)]).to.be.at.most(greatest_sec);
      expect(greatest_sec).to.be.greaterThan(first_sec);
    } finally {
      await own.close();
    }
  });

  it('are kept by clients of protocol version 2026-07-28, each for itself', async () => {
    const newest = { versionNegotiation: { mode: 'auto' } };
    const { client, use } = await kept(ToolClient.overHttp(server.port, 'look', newest));
    expect(client.getNegotiatedProtocolVersion()).to.equal('2026-07-28');
    expect(await client.listTools()).to.include({ ttlMs: 300_000, cacheScope: 'private' });
    expect(await use('get_status')).to.include({ name: 'ball' });
  });

  it('change nothing for who may only read', async () => {
    const reading = await overHttp('look');
    expect(await reading.names()).to.deep.equal([...READING, ...OF_RUNS]);
    expect(await reading.refusal('set_values', { values: { 'ball.velocity': [0, 0] } })).to.match(/^there is no tool/);
    const looking = await overPipes('--token', 'look');
    expect(await looking.refusal('control', { action: 'freeze' })).to.match(
      /your token may only read.*Ask the user for a token that may change the simulation\.$/,
    );
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
    const silent = await kept(ToolClient.overPipes(other.port));
    expect(await silent.refusal('get_status')).to.match(
      /ECONNREFUSED.*Ask the user whether the simulation runs there\.$/,
    );
  });
});
