// A scene over real sockets: the poses of a simulation, and the files that they name.
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { double, type ServedBeside, serveBeside, simulation } from '../lib/index.js';
import { ask, rpc } from './asking.js';
import { connectFoxglove, jsonOf, type Message } from './foxglove-client.js';

/** A ship that is yawed by 90 degrees to the left, with a mast; kilometres and centimetres. */
const SCENE = simulation({ name: 'scene', frameSeconds: 0.02 }, (sim) => {
  const half = Math.SQRT1_2;
  const vectors = { position: double(3, { units: 'km' }), attitude: double(4) };
  const ship = sim.object('ship').components(vectors, { position: [1, 2, 3], attitude: [half, 0, 0, half] });
  const mast = sim.object('mast').components({ position: double(3, { units: 'cm' }) }, { position: [100, 0, 0] });
  sim.pose('ship', { ...ship, shape: { kind: 'model', file: 'ship.glb' } });
  sim.pose('mast', { ...mast, parent: 'ship', shape: { kind: 'arrow', length: 2, radius: 0.1, color: '#ff000080' } });
});

const near = (found: object, wanted: Readonly<Record<string, number>>): void => {
  for (const [name, value] of Object.entries(wanted))
    expect((found as Record<string, number>)[name], name).to.be.closeTo(value, 1e-9);
};

describe('a scene', () => {
  let folder: string;
  let server: ServedBeside;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'varwire-scene-'));
    writeFileSync(join(folder, 'ship.glb'), 'glTF');
    writeFileSync(join(folder, 'scene.js'), 'secret');
    const options = { port: 0, discovery: false, udp: 'off', directory: folder, file: 'scene.js' } as const;
    server = await serveBeside(SCENE, options);
  });
  after(async () => {
    await server?.close();
    rmSync(folder, { recursive: true });
  });

  it('is told by scene/get', async () => {
    const { text } = await ask({ port: server.port, path: '/jsonrpc', body: rpc('scene/get') });
    expect(JSON.parse(text).result.poses).to.deep.equal([
      {
        ...{ name: 'ship', parent: null, position: 'ship.position', positionUnits: 'km', attitude: 'ship.attitude' },
        ...{ shape: { kind: 'model', file: 'ship.glb', scale: 1 }, body: null },
      },
      {
        ...{ name: 'mast', parent: 'ship', position: 'mast.position', positionUnits: 'cm', attitude: null },
        ...{ shape: { kind: 'arrow', length: 2, radius: 0.1, color: '#ff000080' }, body: null },
      },
    ]);
  });

  it("is transforms and entities for Foxglove's client, in metres and with the scalar last", async () => {
    const { client, told, channel, socket } = await connectFoxglove(server.port);
    expect(['/tf', '/scene'].map((topic) => channel(topic).schemaName)).to.deep.equal([
      'foxglove.FrameTransforms',
      'foxglove.SceneUpdate',
    ]);
    const ofTransforms = client.subscribe(channel('/tf').id);
    const ofScene = client.subscribe(channel('/scene').id);
    const first = async (id: number) =>
      told.first<Message>('message', ({ subscriptionId }) => subscriptionId === id).then(jsonOf) as Promise<
        Record<string, Record<string, object>[]>
      >;
    const { transforms: [ship, mast] = [] } = await first(ofTransforms);
    expect([ship?.parent_frame_id, ship?.child_frame_id]).to.deep.equal(['world', 'ship']);
    near(ship?.translation as object, { x: 1000, y: 2000, z: 3000 });
    near(ship?.rotation as object, { x: 0, y: 0, z: Math.SQRT1_2, w: Math.SQRT1_2 });
    expect([mast?.parent_frame_id, mast?.child_frame_id]).to.deep.equal(['ship', 'mast']);
    near(mast?.translation as object, { x: 1, y: 0, z: 0 });
    near(mast?.rotation as object, { x: 0, y: 0, z: 0, w: 1 });
    const { entities = [] } = await first(ofScene);
    expect(entities.map(({ id, frame_id, frame_locked }) => [id, frame_id, frame_locked])).to.deep.equal([
      ['ship', 'ship', true],
      ['mast', 'mast', true],
    ]);
    const [{ models: [model] = [] } = {}, { arrows: [arrow] = [] } = {}] = entities as unknown as Record<
      string,
      Record<string, unknown>[]
    >[];
    expect(model?.url).to.equal('package://varwire/ship.glb');
    expect(arrow).to.deep.include({ shaft_length: 1.6, shaft_diameter: 0.2 });
    near(arrow?.color as object, { r: 1, g: 0, b: 0, a: 128 / 255 });

    interface Asset {
      readonly requestId: number;
      readonly status: number;
      readonly error?: string;
      readonly data?: DataView;
    }
    const fetched = async (uri: string, requestId: number): Promise<Asset> => {
      client.fetchAsset(uri, requestId);
      return told.first<Asset>('fetchAssetResponse', (asset) => asset.requestId === requestId);
    };
    const { status, data } = await fetched(`${model?.url}`, 1);
    const { buffer, byteOffset, byteLength } = data as DataView;
    expect([status, Buffer.from(buffer, byteOffset, byteLength).toString()]).to.deep.equal([0, 'glTF']);
    for (const [number, uri] of [
      'file:///etc/passwd',
      'package://varwire/../ship.glb',
      'package://varwire/',
    ].entries()) {
      const failed = await fetched(uri, 10 + number);
      expect(failed.status).to.equal(1);
      expect(failed.error).to.match(/^[^\n]{20,200}$/);
    }
    truncateSync(join(folder, 'ship.glb'), 16 * 2 ** 20 + 1);
    expect(await fetched(`${model?.url}`, 20)).to.include({
      status: 1,
      error: 'a file has at most 16777216 bytes here, this one 16777217',
    });
    truncateSync(join(folder, 'ship.glb'), 4);
    socket.terminate();
  });

  it('gives the objects of its poses a Transform, as Bevy has it', async () => {
    const transform = 'bevy_transform::components::transform::Transform';
    const call = async (method: string, params: object) =>
      JSON.parse((await ask({ port: server.port, path: '/', body: rpc(method, params) })).text);
    const { result: rows } = await call('world.query', { data: { components: [transform, 'bevy_ecs::name::Name'] } });
    interface Row {
      readonly entity: number;
      readonly components: Readonly<Record<string, unknown>>;
    }
    const named = (name: string) =>
      (rows as Row[]).find(({ components }) => components['bevy_ecs::name::Name'] === name);
    const { translation, rotation, scale } = (named('ship') as Row).components[transform] as Record<string, number[]>;
    expect(translation).to.deep.equal([1000, 2000, 3000]);
    near(rotation as object, { 0: 0, 1: 0, 2: Math.SQRT1_2, 3: Math.SQRT1_2 });
    expect(scale).to.deep.equal([1, 1, 1]);
    expect(named('mast')?.components[transform]).to.deep.equal({
      translation: [1, 0, 0],
      rotation: [0, 0, 0, 1],
      scale: [1, 1, 1],
    });
    const { result: schema } = await call('registry.schema', { with_crates: ['bevy_transform'] });
    expect(Object.keys(schema[transform].properties)).to.deep.equal(['translation', 'rotation', 'scale']);
    const ship = named('ship')?.entity;
    const changed = { entity: ship, component: transform, path: '.translation', value: [0, 0, 0] };
    expect((await call('world.mutate_components', changed)).error.message).to.match(/only be read|read-only|cannot be/);
  });

  it("shows a new Transform to a watch of Bevy's protocol when the position changes", async () => {
    const transform = 'bevy_transform::components::transform::Transform';
    const find = rpc('world.query', { data: { components: [transform] }, filter: { with: [] } });
    const { result } = JSON.parse((await ask({ port: server.port, path: '/', body: find })).text);
    const [{ entity }] = result.filter(
      (row: { components: Record<string, { translation: number[] }> }) =>
        row.components[transform]?.translation[0] === 1,
    );
    const watching = await fetch(`http://127.0.0.1:${server.port}/`, {
      method: 'POST',
      body: rpc('world.get_components+watch', { entity, components: [transform] }),
    });
    const events = (watching.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
    await ask({ port: server.port, path: '/jsonrpc', body: rpc('var/set', { alias: 'mast.position[1]', value: 50 }) });
    let seen = '';
    while (!seen.includes('[1,0.5,0]')) {
      const { value, done } = await events.read();
      expect(done, seen).to.equal(false);
      seen += value;
    }
    await events.cancel();
  });

  it('is told to nobody who asks wrongly, and goes on', async () => {
    const asked = async (body: string): Promise<string> =>
      (await ask({ port: server.port, path: '/jsonrpc', body })).text;
    const wrong = [
      ...[
        { name: 'ship' },
        [1],
        ['ship'],
        { poses: [] },
        { constructor: 1 },
        JSON.parse('{"__proto__": 1}'),
        'ship',
        7,
        true,
      ],
      ...[{ ['x'.repeat(100_000)]: 1 }, Array(10_000).fill('ship'), { '': null }, { file: '../scene.js' }],
    ].map((params) => rpc('scene/get', params as object));
    const methods = ['scene/', 'scene/get/', 'scene/Get', 'scene/set', '/scene/get', 'scene/get\0', 'scene'];
    for (const body of [...wrong, ...methods.map((method) => rpc(method))])
      expect(JSON.parse(await asked(body)).error.message, body.slice(0, 60)).to.match(/^[^\n]{10,400}$/);
    for (const [method, path, status] of [
      ...[['POST', 'ship.glb', 404] as const, ['DELETE', 'ship.glb', 404] as const, ['GET', '', 404] as const],
      ...[['GET', '%2e%2e/scene.js', 404] as const, ['GET', '..%5cscene.js', 404] as const],
      ...[['GET', 'ship.glb%00.js', 404] as const, ['GET', `${'a/'.repeat(2000)}ship.glb`, 404] as const],
    ]) {
      const answer = await fetch(`http://127.0.0.1:${server.port}/scene/${path}`, { method });
      expect(answer.status, `${method} ${path.slice(0, 40)}`).to.equal(status);
      expect(await answer.text()).not.to.include('secret');
    }
    expect(JSON.parse(await asked(rpc('scene/get'))).result.poses).to.have.length(2);
  });

  it('has the files that poses name, and no others', async () => {
    const get = async (path: string) => {
      const answer = await fetch(`http://127.0.0.1:${server.port}/scene/${path}`);
      return [answer.status, await answer.text()];
    };
    expect(await get('ship.glb')).to.deep.equal([200, 'glTF']);
    expect(await get('scene.js')).to.deep.equal([
      404,
      'no pose has a file "scene.js"; scene/get names those that there are\n',
    ]);
  });
});
