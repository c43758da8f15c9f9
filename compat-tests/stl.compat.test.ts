// Sets, maps, pairs, wide texts and small enumerations as clients of every protocol see them, over real sockets.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { double, enumeration, int, pair, run, set, simulation, wideText } from '../lib/index.js';
import { Inspector } from './brp/inspector.js';
import { call, type Json } from './http-client.js';
import { type KrpcClient, call as krpcCall } from './krpc/client.js';
import { KrpcServed } from './krpc/served.js';
import * as krpc from './krpc/values.js';
import { WireClient } from './wire-client.js';

const SERVICE = 'SIMStl';

describe('the types of C++ on every wire', () => {
  let served: KrpcServed;
  let trick: WireClient;
  let port: number;
  let runDirectory: string;
  before(async () => {
    runDirectory = await mkdtemp(join(tmpdir(), 'varwire-stl-'));
    served = await KrpcServed.start(new URL('fixture/stl.js', import.meta.url), { brp: 0, runDirectory });
    port = served.server.port;
    trick = await WireClient.tcp(port);
  });
  after(async () => {
    trick?.close();
    await served?.stop();
    await rm(runDirectory, { recursive: true, force: true });
  });

  async function ask(command: string): Promise<string> {
    trick.send(Buffer.from(`${command}\n`));
    return trick.line();
  }
  const once = (name: string): Promise<string> => ask(`trick.var_send_once("o.s.${name}")`);
  const binary = async (name: string, bytes: number): Promise<Buffer> => {
    trick.send(`trick.var_binary_nonames()\ntrick.var_send_once("o.s.${name}")\ntrick.var_ascii()\n`);
    return (await trick.bytes(12 + 8 + bytes)).subarray(12);
  };
  const values = async (...aliases: string[]): Promise<Record<string, Json>> =>
    (await call<{ values: Record<string, Json> }>(port, 'var/get', { aliases })).values;

  it("Trick's text shows elements, halves and text; a map and a pair as a whole are BAD_REF", async () => {
    expect(await once('ids')).to.equal('5\t2,9');
    expect(await once('ids[1]')).to.equal('5\t9');
    expect(await once('gains')).to.equal('5\tBAD_REF');
    expect(await once('gains[0].first')).to.equal('5\tpitch');
    expect(await once('gains[1].second')).to.equal('5\t2');
    expect(await once('gains[2].second')).to.equal('5\tBAD_REF');
    expect(await once('span')).to.equal('5\tBAD_REF');
    expect(await once('span.first')).to.equal('5\t2.5');
    expect(await once('wide')).to.equal('5\t\\xc3\\xa9t\\xc3\\xa9 \\xe2\\x86\\x92');
    expect(await once('name')).to.equal('5\t\\xe2\\x82\\xaca');
    expect(await once('letter')).to.equal('5\t8364');
    expect(await once('small')).to.equal('5\t200');
    expect(await ask('trick.var_get_stl_size("o.s.gains")')).to.equal('6\t2');
    expect(await ask('trick.var_get_stl_size("o.s.span")')).to.equal('6\tBAD_REF');
  });

  it("Trick's binary carries wide characters of four bytes, and an enumeration of one byte", async () => {
    const head = (code: number, size: number) => {
      const bytes = Buffer.alloc(8);
      bytes.writeInt32LE(code);
      bytes.writeInt32LE(size, 4);
      return bytes;
    };
    expect(await binary('small', 1)).to.deep.equal(Buffer.concat([head(21, 1), Buffer.of(200)]));
    const wide = (text: string) => Buffer.from(Uint32Array.from(text, (one) => one.codePointAt(0) as number).buffer);
    expect(await binary('wide', 24)).to.deep.equal(Buffer.concat([head(19, 24), wide('été →\0')]));
    expect(await binary('name', 32)).to.deep.equal(Buffer.concat([head(18, 32), wide('€a\0\0\0\0\0\0')]));
    expect(await binary('ids', 8)).to.deep.equal(Buffer.concat([head(6, 8), Buffer.from(Int32Array.of(2, 9).buffer)]));
  });

  it('resource files name them as C++ does, and have no class of a pair', async () => {
    trick.send('trick.send_sie_class()\n');
    const [, size] = (await trick.line()).trim().split('\t');
    const xml = (await trick.bytes(Number(size))).toString();
    const typeOf = (name: string) => new RegExp(`name="${name}"\\s+type="([^"]*)"`).exec(xml)?.[1];
    expect(['ids', 'gains', 'span', 'wide', 'name', 'small'].map(typeOf)).to.deep.equal([
      'std__set&lt;int>',
      'std__map&lt;std__string, double>',
      'std__pair&lt;double, int>',
      'std__wstring',
      'wchar_t',
      'Small',
    ]);
    expect(xml).not.to.include('class name="std');
  });

  it('JSON has lists, and pairs as objects; whole values are taken in any order, or refused', async () => {
    expect(await values('o.s.ids', 'o.s.gains', 'o.s.span', 'o.s.wide', 'o.s.name', 'o.s.small')).to.deep.equal({
      'o.s.ids': [2, 9],
      'o.s.gains': [
        { first: 'pitch', second: 1 },
        { first: 'yaw', second: 2 },
      ],
      'o.s.span': { first: 2.5, second: 7 },
      'o.s.wide': 'été →',
      'o.s.name': '€a',
      'o.s.small': 200,
    });
    const assign = (alias: string, value: Json): Promise<unknown> => call(port, 'var/set', { alias, value });
    await assign('o.s.gains', [
      ['z', 1],
      ['a', 2],
    ]);
    await assign('o.s.small', 'LOW');
    expect(await values('o.s.gains[0].first', 'o.s.small')).to.deep.equal({
      'o.s.gains[0].first': 'a',
      'o.s.small': 0,
    });
    const refused = await assign('o.s.ids[0]', 5).catch((error: Error) => error.message);
    expect(JSON.stringify(refused)).to.include('o.s.ids[0] is read-only');
    await assign('o.s.gains', [
      ['yaw', 2],
      ['pitch', 1],
    ]);
    await assign('o.s.small', 'HIGH');
  });

  it('Trick blocks assign them, and checkpoints keep them', async () => {
    trick.send(Buffer.from('o.s.ids = [5, 1, 5]\no.s.small = trick.LOW\no.s.wide = "→"\n'));
    trick.send(`trick.checkpoint("stl.chk")\no.s.ids = [7]\ntrick.load_checkpoint("${runDirectory}/stl.chk")\n`);
    expect(await once('ids')).to.equal('5\t1,5');
    expect(await values('o.s.small', 'o.s.wide')).to.deep.equal({ 'o.s.small': 0, 'o.s.wide': '→' });
    trick.send(Buffer.from('o.s.ids = [2, 9]\no.s.small = trick.HIGH\no.s.wide = "été →"\n'));
    expect(await once('small')).to.equal('5\t200');
  });

  it('recordings have small enumerations and the halves of pairs, and refuse what is no number', async () => {
    const recorded = (variable: string) =>
      simulation({ name: 'x', frameSeconds: 0.1 }, (sim) => {
        const Small = enumeration('Small', { HIGH: 200 }, { storedAs: 'unsigned char' });
        const declared = { small: Small, span: pair(double(), int()), ids: set(int(), 4), wide: wideText() };
        sim.object('o').components(declared, { small: 'HIGH', span: [1.5, 2], ids: [1] });
        sim.record('a', { variables: [variable], cycleSeconds: 0.1 });
        sim.record('b', { variables: [variable], cycleSeconds: 0.1, format: 'binary' });
      });
    await run(recorded('o.small'), { untilSeconds: 0.1, runDirectory });
    expect(await readFile(join(runDirectory, 'log_a.csv'), 'utf8')).to.match(/ \{s\},o\.small \{--\}\n +0,200\n/);
    // One row: the time, and one byte.
    expect((await readFile(join(runDirectory, 'log_b.trk'))).at(-1)).to.equal(200);
    await run(recorded('o.span'), { untilSeconds: 0.1, runDirectory });
    expect(await readFile(join(runDirectory, 'log_a.csv'), 'utf8')).to.include(
      'o.span.first {--},o.span.second {--}\n',
    );
    for (const path of ['o.ids', 'o.wide']) {
      const refusal = await run(recorded(path), { untilSeconds: 0.1, runDirectory }).catch(
        (error: Error) => error.message,
      );
      expect(refusal).to.equal(`${path} is not a single number; only those are recorded`);
    }
  });

  it("Bevy's protocol has pairs as tuples", async () => {
    const brp = served.server.endpoints.find(({ name }) => name === 'brp')?.port as number;
    const inspector = new Inspector(brp);
    const rows = await inspector.call('world.query', { data: { components: ['Stl'] } });
    expect(rows[0].components.Stl).to.deep.equal({
      ids: [2, 9],
      gains: [
        ['pitch', 1],
        ['yaw', 2],
      ],
      span: [2.5, 7],
      wide: 'été →',
      name: '€a',
      letter: 0x20ac,
      small: 'HIGH',
    });
    const mutate = (path: string, value: Json): Promise<unknown> =>
      inspector.call('world.mutate_components', { entity: rows[0].entity, component: 'Stl', path, value });
    await mutate('.span.0', 4);
    await mutate('.gains[1].1', 8);
    expect(await values('o.s.span.first', 'o.s.gains[1].second')).to.deep.equal({
      'o.s.span.first': 4,
      'o.s.gains[1].second': 8,
    });
    await mutate('.gains', [
      ['yaw', 2],
      ['pitch', 1],
    ]);
    await mutate('.span', [2.5, 7]);
    const refused = await mutate('.gains[0].0', 'x').catch((error: Error) => error.message);
    expect(refused).to.include('read-only');
    inspector.close();
  });

  it('kRPC has its own sets, dictionaries and tuples', async () => {
    const client: KrpcClient = await served.client();
    const o = await client.call(krpcCall(SERVICE, 'get_O'));
    const s = await client.call(krpcCall(SERVICE, 'O_get_S', o));
    const get = (name: string) => client.call(krpcCall(SERVICE, `Stl_get_${name}`, s));
    expect(krpc.readItems(await get('Ids')).map(krpc.unzigzag)).to.deep.equal([2, 9]);
    const gains = krpc.readDictionary(await get('Gains'));
    expect(gains.map(([key, value]) => [krpc.readText(key), krpc.readDouble(value)])).to.deep.equal([
      ['pitch', 1],
      ['yaw', 2],
    ]);
    const [first, second] = krpc.readItems(await get('Span')) as [Buffer, Buffer];
    expect([krpc.readDouble(first), krpc.unzigzag(second)]).to.deep.equal([2.5, 7]);
    await client.call(
      krpcCall(
        SERVICE,
        'Stl_set_Gains',
        s,
        krpc.dictionary([krpc.text('b'), krpc.double(8)], [krpc.text('a'), krpc.double(9)]),
      ),
    );
    await client.call(krpcCall(SERVICE, 'Stl_set_Ids', s, krpc.items(krpc.zigzag(4), krpc.zigzag(3))));
    expect(krpc.readItems(await get('Ids')).map(krpc.unzigzag)).to.deep.equal([3, 4]);
    expect(krpc.readDictionary(await get('Gains')).map(([key]) => krpc.readText(key))).to.deep.equal(['a', 'b']);
  });
});
