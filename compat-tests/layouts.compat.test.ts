// Layouts that a server keeps: what is saved, listed, refused, and still there after a restart.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { openRecording, playRecording, serveSource } from '../lib/index.js';
import { ask, rpc } from './asking.js';
import { endAfterFailure, ServerHere } from './launch.js';

const LAYOUT = { version: 1, tabs: [{ id: 'tab-1', name: 'Main', panels: [] }], shown: 'tab-1' };
const LARGEST = 64 * 1024;

interface Answer {
  // biome-ignore lint/suspicious/noExplicitAny: whatever the server says
  readonly result?: any;
  readonly error?: { readonly code: number; readonly message: string };
}

describe('layouts that the server keeps', () => {
  let directory: string;
  let server: ServerHere;
  const run = (): string => join(directory, 'RUN');
  const start = (...more: string[]): Promise<ServerHere> =>
    ServerHere.start('sims/ball.js', {
      options: ['--no-discovery', '--udp', 'off', '--run-dir', run(), ...more],
    });
  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'varwire-layouts-'));
    writeFileSync(join(directory, 'tokens'), 'reader read-only\nwriter\n', { mode: 0o600 });
    server = await start('--token-file', join(directory, 'tokens'), '--trick', 'local');
  });
  after(async function () {
    await endAfterFailure(this, server);
    await server?.stop();
    rmSync(directory, { recursive: true });
  });

  async function call(method: string, params: object = {}, token = 'writer', port = server.port): Promise<Answer> {
    const headers = { authorization: `Bearer ${token}` };
    return JSON.parse((await ask({ port, path: '/jsonrpc', headers, body: rpc(method, params) })).text);
  }
  const save = (name: string, more: object = {}, token?: string): Promise<Answer> =>
    call('layout/save', { name, layout: LAYOUT, ...more }, token);
  const refusal = async (answer: Promise<Answer>): Promise<string> => (await answer).error?.message ?? 'not refused';
  const names = async (): Promise<string[]> =>
    (await call('layout/list')).result.layouts.map(({ name }: { name: string }) => name);

  it('are seen by all, and changed by those who may write', async () => {
    expect((await call('layout/list')).result).to.deep.equal({ layouts: [], may_save: true, more: false });
    expect(await save('entry')).to.include({ result: null });
    const { layouts, may_save } = (await call('layout/list', {}, 'reader')).result;
    expect(layouts[0]).to.include({ name: 'entry', bytes: JSON.stringify(LAYOUT).length + 1 });
    expect(may_save).to.equal(false);
    expect((await call('layout/get', { name: 'entry' }, 'reader')).result).to.deep.equal({ layout: LAYOUT });
    for (const refused of [save('x', {}, 'reader'), call('layout/remove', { name: 'entry' }, 'reader')])
      expect((await refused).error?.code).to.equal(-23416);
    expect(await names()).to.deep.equal(['entry']);
  });

  it('are not replaced unasked: of many who save one name at once, one does', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, (_, k) => save('race', { layout: { tabs: [k] } })));
    const won = answers.findIndex(({ error }) => !error);
    expect(answers.filter(({ error }) => error)).to.have.length(19);
    expect((await call('layout/get', { name: 'race' })).result.layout).to.deep.equal({ tabs: [won] });
    expect(await refusal(save('race'))).to.match(/^there is a layout race already/);
    expect(await save('race', { replace: true })).to.include({ result: null });
    expect((await call('layout/get', { name: 'race' })).result.layout).to.deep.equal(LAYOUT);
    expect(await call('layout/remove', { name: 'race' })).to.include({ result: null });
    expect(await refusal(call('layout/remove', { name: 'race' }))).to.equal('there is no layout race');
    expect(await refusal(call('layout/get', { name: 'race' }))).to.match(/^there is no layout race/);
  });

  it('have names that are no paths', async () => {
    for (const name of ['../x', '/etc/x', 'a/b', '..', '.x', '', 'x\0', 'ü', 'x'.repeat(61), 'a.'])
      for (const method of ['layout/save', 'layout/get', 'layout/remove']) {
        const { error } = await call(method, { name, ...(method === 'layout/save' && { layout: LAYOUT }) });
        expect(error?.code, `${method} ${name}`).to.equal(-32602);
      }
    expect(readdirSync(directory).sort()).to.deep.equal(['RUN', 'tokens']);
  });

  it('are of 64 KB at most, and have tabs', async () => {
    const filled = (bytes: number) => {
      const layout = { tabs: [''] };
      layout.tabs[0] = 'x'.repeat(bytes - JSON.stringify(layout).length - 1);
      return { layout };
    };
    expect(await save('large', filled(LARGEST))).to.include({ result: null });
    expect((await call('layout/get', { name: 'large' })).result).to.deep.equal(filled(LARGEST));
    expect(await refusal(save('larger', filled(LARGEST + 1)))).to.match(/at most 65536 bytes/);
    for (const layout of [{}, { tabs: 1 }, [], 'x', null])
      expect((await save('odd', { layout })).error?.code, JSON.stringify(layout)).to.equal(-32602);
    let deep: unknown[] = [];
    for (let k = 0; k < 200; k++) deep = [deep];
    expect((await save('deep', { layout: { tabs: deep } })).error).to.have.property('code', -32600);
    expect(await names()).to.have.members(['entry', 'large']);
    await call('layout/remove', { name: 'large' });
  });

  it('are 100 at most, however many are saved at once', async () => {
    const answers = await Promise.all(Array.from({ length: 120 }, (_, k) => save(`l${k}`)));
    expect(answers.filter(({ error }) => error?.message.startsWith('100 layouts are kept already'))).to.have.length(21);
    expect(await names()).to.have.length(100);
    const saved = (await names()).filter((name) => name !== 'entry');
    await Promise.all(saved.map((name) => call('layout/remove', { name })));
    expect(await names()).to.deep.equal(['entry']);
  });

  it('are in a directory of their own, into which clients write no other files', async () => {
    for (const file of ['layouts/x.json', './layouts/x', 'layouts', 'LAYOUTS/x'])
      expect(await refusal(call('sim/checkpoint', { file })), file).to.match(/only layouts are kept in layouts/);
    const text = 'trick.checkpoint("layouts/x.json")';
    await call('trick/run', { text });
    expect(await names()).to.deep.equal(['entry']);
  });

  it('of the operator are loaded, not changed; what is no layout is refused', async () => {
    const put = (name: string, text: string): void => writeFileSync(join(run(), 'layouts', `${name}.json`), text);
    put('ours', JSON.stringify(LAYOUT));
    put('broken', '{"tabs":');
    put('list', '[1]');
    put('deep', `{"tabs":${'['.repeat(20_000)}${']'.repeat(20_000)}}`);
    put('long', `{"tabs":["${'x'.repeat(LARGEST)}"]}`);
    mkdirSync(join(run(), 'layouts', 'folder.json'));
    expect((await call('layout/get', { name: 'ours' })).result.layout).to.deep.equal(LAYOUT);
    expect(await refusal(save('ours', { replace: true }))).to.match(/that no client has made$/);
    expect(await refusal(call('layout/remove', { name: 'ours' }))).to.match(/that no client has made$/);
    for (const name of ['broken', 'list', 'deep'])
      expect(await refusal(call('layout/get', { name })), name).to.equal(
        `the file of ${name} has no layout of the page`,
      );
    expect(await refusal(call('layout/get', { name: 'long' }))).to.match(/more than 65536 bytes/);
    expect(await refusal(call('layout/get', { name: 'folder' }))).to.match(/^there is no layout folder/);
    expect(await refusal(save('folder', { replace: true }))).to.not.equal('not refused');
    expect(await refusal(call('layout/remove', { name: 'folder' }))).to.not.equal('not refused');
    expect(await names())
      .to.include('entry')
      .and.not.include('folder');
  });

  it('are still there after a restart, and are still replaced and removed by clients', async () => {
    await server.stop();
    server = await start('--token-file', join(directory, 'tokens'), '--trick', 'local');
    expect((await call('layout/get', { name: 'entry' })).result.layout).to.deep.equal(LAYOUT);
    expect(await refusal(save('entry'))).to.match(/^there is a layout entry already/);
    expect(await save('entry', { replace: true })).to.include({ result: null });
    expect(await call('layout/remove', { name: 'entry' })).to.include({ result: null });
  });

  it('are none of a recording, nor where the run directory cannot be written', async () => {
    const file = join(directory, 'flight.csv');
    writeFileSync(file, 'time,altitude [m]\n0,1\n1,2\n');
    const feed = await serveSource(playRecording(openRecording(file)).source, {
      port: 0,
      udp: 'off',
      discovery: false,
      log: () => undefined,
    });
    try {
      const { port } = feed;
      expect((await call('layout/list', {}, '', port)).result).to.deep.equal({
        layouts: [],
        may_save: false,
        more: false,
      });
      const params = { name: 'x', layout: LAYOUT };
      expect((await call('layout/save', params, '', port)).error?.message).to.match(
        /^this source keeps no layouts: it is /,
      );
    } finally {
      await feed.close();
    }
    // What lies below a file cannot be made, whoever asks.
    const nowhere = await ServerHere.start('sims/ball.js', {
      options: ['--no-discovery', '--udp', 'off', '--run-dir', join(file, 'RUN')],
    });
    try {
      const { port } = nowhere;
      expect((await call('layout/list', {}, '', port)).result).to.deep.equal({
        layouts: [],
        may_save: false,
        more: false,
      });
      const { error } = await call('layout/save', { name: 'x', layout: LAYOUT }, '', port);
      expect(error?.message).to.match(/^layouts\/x\.json cannot be written: /);
    } finally {
      await nowhere.stop();
    }
  });
});
