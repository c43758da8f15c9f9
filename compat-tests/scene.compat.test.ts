// A scene over real sockets: the poses of a simulation, and the files that they name.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { double, type ServedBeside, serveBeside, simulation } from '../lib/index.js';
import { ask, rpc } from './asking.js';

/** A ship that is yawed by 90 degrees to the left, with a mast; kilometres and centimetres. */
const SCENE = simulation({ name: 'scene', frameSeconds: 0.02 }, (sim) => {
  const half = Math.SQRT1_2;
  const vectors = { position: double(3, { units: 'km' }), attitude: double(4) };
  const ship = sim.object('ship').components(vectors, { position: [1, 2, 3], attitude: [half, 0, 0, half] });
  const mast = sim.object('mast').components({ position: double(3, { units: 'cm' }) }, { position: [100, 0, 0] });
  sim.pose('ship', { ...ship, shape: { kind: 'model', file: 'ship.glb' } });
  sim.pose('mast', { ...mast, parent: 'ship', shape: { kind: 'arrow', length: 2, radius: 0.1, color: '#ff000080' } });
});

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
