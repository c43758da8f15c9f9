// Checkpoints and recordings of a real process over HTTP: what is listed, fetched and refused, also behind a proxy.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { WebSocket } from 'ws';
import { openRecording } from '../lib/index.js';
import { ask, rpc } from './asking.js';
import { endAfterFailure, ServerHere } from './launch.js';

/** A proxy that takes a prefix from the front of paths, as nginx does with `location /sim/ { proxy_pass .../; }`. */
function proxyTo(port: number, prefix: string): Server {
  const target = (url = '') => ({ host: '127.0.0.1', port, path: url.slice(prefix.length) });
  const proxy = createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const passed = request({ ...target(url), method, headers: { ...headers, 'x-forwarded-prefix': prefix } });
    passed.on('response', (answer) => answer.pipe(outgoing.writeHead(answer.statusCode ?? 500, answer.headers)));
    incoming.pipe(passed);
  });
  proxy.on('upgrade', (incoming, socket) => {
    const behind = connect(port, '127.0.0.1', () => {
      const head = Object.entries(incoming.headers).map(([name, value]) => `${name}: ${value}\r\n`);
      behind.write(`GET ${target(incoming.url).path} HTTP/1.1\r\n${head.join('')}\r\n`);
      socket.pipe(behind).pipe(socket);
    });
    for (const one of [socket, behind]) one.on('error', () => one.destroy());
  });
  return proxy;
}

describe('files of a run over HTTP', () => {
  let directory: string;
  let server: ServerHere;

  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'varwire-files-'));
    mkdirSync(join(directory, 'RUN'));
    const options = ['--no-discovery', '--udp', 'off', '--run-dir', join(directory, 'RUN')];
    server = await ServerHere.start('sims/ball.js', { options });
  });
  after(async function () {
    await endAfterFailure(this, server);
    await server?.stop();
    rmSync(directory, { recursive: true });
  });

  // biome-ignore lint/suspicious/noExplicitAny: whatever the server says
  const call = async (method: string, params: object = {}): Promise<any> => {
    const { text } = await ask({ port: server.port, path: '/jsonrpc', body: rpc(method, params) });
    const { result, error } = JSON.parse(text);
    if (error) throw new Error(error.message);
    return result;
  };
  const refusal = (method: string, params: object) =>
    call(method, params).then(
      () => 'not refused',
      (error: Error) => error.message,
    );
  const get = (path: string) => ask({ port: server.port, path });

  it('writes, lists and loads checkpoints, and lists nothing else', async () => {
    writeFileSync(join(directory, 'RUN', 'notes.txt'), 'no checkpoint');
    const { file } = await call('sim/checkpoint');
    expect(file).to.match(/^chkpnt_\d+\.\d{6}$/);
    expect((await call('sim/checkpoint', { file: 'named', objects: ['ball'] })).file).to.equal('named');
    const { files, more } = await call('sim/checkpoints');
    expect(files.map((each: { file: string }) => each.file)).to.have.members([file, 'named']);
    expect(more).to.equal(false);
    expect((await call('sim/load-checkpoint', { file })).sim_time.sec_si).to.be.a('number');
    expect(await refusal('sim/load-checkpoint', { file: '../x' })).to.match(/is not a file in the run directory/);
    expect(await refusal('sim/checkpoint', { file: '/etc/x' })).to.match(/is not a file in the run directory/);
  });

  it('keeps a past that goes on from a loaded checkpoint, and stands still in a freeze', async () => {
    const height = 'ball.position[1]';
    const past = async () => (await call('var/history', { aliases: [height] })).series[height];
    await past();
    // The file's name has the time of the state; the answer comes when it has been written.
    const { file } = await call('sim/checkpoint');
    const saved = Number(/^chkpnt_([\d.]+)$/.exec(file)?.[1]);
    while ((await past()).times.at(-1) < saved + 0.5) await new Promise((resolve) => setTimeout(resolve, 20));
    await call('sim/control', { action: 'freeze' });
    await call('sim/load-checkpoint', { file });
    await call('var/set', { alias: height, value: 77, wait: true });
    const { times, values } = await past();
    expect(times.at(-1)).to.be.within(saved - 0.1, saved + 0.1);
    expect(values.at(-1)).to.equal(77);
    expect(times).to.deep.equal([...new Set<number>(times)].sort((a, b) => a - b));
    await call('sim/control', { action: 'run' });
  });

  it('records, lists and gives recordings while they are written, and ends them', async () => {
    const started = await call('recording/start', { name: 'flight', aliases: ['ball.position'], cycle_sec: 0.01 });
    expect(started.file).to.equal('log_flight.csv');
    let [row] = [undefined as { bytes: number; is_open: boolean; url: string } | undefined];
    while (!row || row.bytes < 1000) [row] = (await call('recording/list')).recordings;
    expect(row).to.include({ is_open: true, url: 'recordings/log_flight.csv' });
    const { status, headers, text } = await get(`/${row.url}`);
    expect(status).to.equal(200);
    expect(headers['content-disposition']).to.equal('attachment; filename="log_flight.csv"');
    const [head = '', ...rows] = text.trimEnd().split('\n');
    expect(head).to.include('ball.position[0] {m},ball.position[1] {m}');
    for (const each of rows) expect(each.split(',').filter((value) => value.trim() !== '')).to.have.length(3);
    await call('recording/stop', { name: 'flight' });
    expect((await call('recording/list')).recordings[0].is_open).to.equal(false);
    expect(await refusal('recording/stop', { name: 'flight' })).to.equal('there is no recording flight');
    expect(await refusal('recording/start', { name: 'x', aliases: ['ball'] })).to.match(/is not a single number/);
  });

  it('records MCAP, and lists why a recording has ended by itself', async () => {
    const params = { name: 'film', aliases: ['ball.position'], cycle_sec: 0.01, format: 'mcap' };
    expect((await call('recording/start', params)).file).to.equal('log_film.mcap');
    expect(await refusal('recording/start', { ...params, name: 'x', past_sec: 5 })).to.match(
      /past_sec is for csv and trk/,
    );
    const listed = async (name: string) =>
      (await call('recording/list')).recordings.find((one: { name: string }) => one.name === name);
    while ((await listed('film')).bytes < 4000) await new Promise((resolve) => setTimeout(resolve, 20));
    await call('recording/stop', { name: 'film' });
    const recording = openRecording(join(directory, 'RUN/log_film.mcap'));
    expect(recording.faults).to.deep.equal([]);
    expect(recording.rows).to.be.at.least(20);
    recording.close();
    await call('recording/start', { name: 'few', aliases: ['ball.position'], cycle_sec: 0.01 });
    await call('trick/run', { text: 'trick.set_max_size_record_group("few", 1000)' });
    while ((await listed('few')).is_open) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await listed('few')).to.include({ is_open: false, ended: 'log_few has come to its 1000 bytes' });
  });

  it('begins a recording with the past, and says in a sentence how much of it there was', async () => {
    const height = 'ball.position[1]';
    const past = async () => (await call('var/history', { aliases: [height] })).series[height];
    while ((await past()).times.length < 20) await new Promise((resolve) => setTimeout(resolve, 20));
    const params = { name: 'early', aliases: [height], cycle_sec: 0.02, past_sec: 600 };
    const started = await call('recording/start', params);
    expect(started.past.rows).to.be.at.least(5);
    expect(started.past.about).to.match(/^\d+ rows since [\d.]+ s/);
    await call('recording/stop', { name: 'early' });
    const [, ...rows] = (await get('/recordings/log_early.csv')).text.trimEnd().split('\n');
    const times = rows.map((row) => Number(row.split(',')[0]));
    expect(times[0]).to.equal(started.past.from_sec);
    expect(times.length).to.be.at.least(started.past.rows);
    expect(times).to.deep.equal([...new Set(times)].sort((one, other) => one - other));
    const none = await call('recording/start', { ...params, name: 'later', aliases: ['ball.velocity[0]'] });
    expect(none.past).to.include({ rows: 0, from_sec: null });
    expect(none.past.about).to.match(/^the server remembers nothing of these variables/);
    await call('recording/stop', { name: 'later' });
    expect(await refusal('recording/start', { ...params, name: '../x' })).to.match(/is named with letters/);
    expect(await refusal('recording/start', { ...params, past_sec: 0 })).to.match(/past_sec/);
  });

  it('gives no other file, however it is asked for', async () => {
    const run = join(directory, 'RUN');
    writeFileSync(join(directory, 'secret.csv'), 'secret');
    symlinkSync(join(directory, 'secret.csv'), join(run, 'log_link.csv'));
    mkdirSync(join(run, 'log_folder.csv'));
    const paths = ['notes.txt', 'named', '../secret.csv', '..%2fsecret.csv', '%2e%2e/secret.csv', 'log_link.csv'];
    for (const path of [...paths, 'log_folder.csv', 'log_none.csv', '', 'log_a/../log_flight.csv', 'log_%00.csv']) {
      const { status, text } = await get(`/recordings/${path}`);
      expect(status, path).to.equal(404);
      expect(text, path).to.not.include('secret\n');
    }
    expect((await ask({ port: server.port, path: '/recordings/log_flight.csv', body: '' })).status).to.equal(404);
  });

  it('tells a token that may only read what it may do, and refuses the rest', async () => {
    const tokens = join(directory, 'tokens');
    writeFileSync(tokens, 'reader read-only\nwriter\n');
    const options = ['--no-discovery', '--udp', 'off', '--token-file', tokens, '--run-dir', join(directory, 'RUN')];
    const guarded = await ServerHere.start('sims/ball.js', { options: [...options, '--trick', 'off'] });
    try {
      const asked = async (token: string, method: string, params: object = {}) => {
        const headers = { authorization: `Bearer ${token}` };
        return JSON.parse(
          (await ask({ port: guarded.port, path: '/jsonrpc', headers, body: rpc(method, params) })).text,
        );
      };
      const { result } = await asked('reader', 'session/me');
      expect(result.may_change).to.equal(false);
      expect(result.methods).to.include('recording/list').and.not.include('recording/start');
      expect(result.methods.filter((name: string) => /^(trick|event)\//.test(name))).to.deep.equal([]);
      expect((await asked('reader', 'recording/start', { name: 'x', aliases: ['ball.position'] })).error.code).to.equal(
        -23416,
      );
      expect((await asked('writer', 'trick/run', { text: '1' })).error.code).to.equal(-32601);
      const file = (token: string) => ask({ port: guarded.port, path: `/recordings/log_flight.csv?token=${token}` });
      expect((await file('reader')).status).to.equal(200);
      expect((await file('nobody')).status).to.equal(401);
    } finally {
      await guarded.stop();
    }
  });

  it('works behind a prefix: calls, streams, downloads, and a WebSocket', async () => {
    const proxy = proxyTo(server.port, '/sim');
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const { port } = proxy.address() as AddressInfo;
    try {
      const post = { port, path: '/sim/jsonrpc', body: rpc('var/subscribe', { aliases: ['ball.position'] }) };
      const { sse_url } = JSON.parse((await ask(post)).text).result;
      expect(sse_url).to.match(/^\/sim\/sse\?sub=/);
      const { servers } = JSON.parse((await ask({ port, path: '/sim/openrpc.json' })).text);
      expect(servers[0].url).to.equal(`http://127.0.0.1:${port}/sim/jsonrpc`);
      expect((await ask({ port, path: '/sim/recordings/log_flight.csv' })).status).to.equal(200);
      const first = await firstChunk(port, sse_url);
      expect(first).to.include('event: var');
      const socket = new WebSocket(`ws://127.0.0.1:${port}/sim/ws`);
      const answer = await new Promise<string>((resolve, reject) => {
        socket.on('error', reject).on('message', (data) => resolve(String(data)));
        socket.on('open', () => socket.send(rpc('session/me')));
      });
      expect(JSON.parse(answer).result.protocol).to.equal('websocket');
      socket.terminate();
    } finally {
      proxy.closeAllConnections();
      proxy.close();
    }
  });
});

/** The beginning of a stream. */
const firstChunk = (port: number, path: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, path });
    asked.on('error', reject).on('response', (answer) =>
      answer.once('data', (chunk) => {
        resolve(String(chunk));
        asked.destroy();
      }),
    );
    asked.end();
  });
