// The files of a scene: those that poses name, in the simulation's folder, and nothing else.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { Catalog } from '../../model/state/catalog.js';
import { TestExchange } from '../../testing/aids/http-exchange.js';
import { ManualClock } from '../../testing/aids/manual-clock.js';
import { Downloads } from './downloads.js';
import { sceneFiles } from './scene-file.js';

const NAMED = [
  'ship.glb',
  'parts/mast.gltf',
  'gone.glb',
  'out.glb',
  'in.glb',
  'large.glb',
  'folder.glb',
  'above/a.glb',
];

describe('GET /scene/FILE', () => {
  let outside: string;
  let directory: string;
  let downloads: Downloads;
  before(() => {
    outside = mkdtempSync(join(tmpdir(), 'varwire-scene-'));
    directory = join(outside, 'sim');
    mkdirSync(join(directory, 'parts'), { recursive: true });
    mkdirSync(join(directory, 'folder.glb'));
    const files = [
      'sim/ship.glb',
      'sim/parts/mast.gltf',
      'sim/earth.JPG',
      'sim/ship.ts',
      'sim/large.glb',
      'secret.glb',
    ];
    for (const name of files) writeFileSync(join(outside, name), name);
    truncateSync(join(directory, 'large.glb'), 64 * 1024 * 1024 + 1);
    symlinkSync('../secret.glb', join(directory, 'out.glb'));
    symlinkSync('ship.glb', join(directory, 'in.glb'));
    symlinkSync('..', join(directory, 'above'));
    writeFileSync(join(outside, 'a.glb'), 'above');
    const pose = { name: 'a', parent: null, position: 'a.x', metres: 1, attitude: null, body: null };
    const poses = [
      ...NAMED.map((file) => ({ ...pose, shape: { kind: 'model' as const, file, scale: 1 } })),
      { ...pose, shape: null, body: { radius: 1, texture: 'earth.JPG' } },
    ];
    const catalog = new Catalog({ version: 1, arenaBytes: 0, objects: [], functions: [], poses });
    downloads = new Downloads([sceneFiles(directory, () => catalog)], new ManualClock());
  });
  after(() => rmSync(outside, { recursive: true }));

  async function get(path: string): Promise<TestExchange> {
    const exchange = new TestExchange({ path });
    await downloads.answer(exchange, { headers: {} });
    return exchange;
  }

  for (const [name, type, text] of [
    ['ship.glb', 'model/gltf-binary', 'sim/ship.glb'],
    ['parts/mast.gltf', 'model/gltf+json', 'sim/parts/mast.gltf'],
    ['earth.JPG', 'image/jpeg', 'sim/earth.JPG'],
    ['in.glb', 'model/gltf-binary', 'sim/ship.glb'],
  ] as const)
    it(`sends ${name}`, async () => {
      const { opened, sentHeaders } = await get(`/scene/${name}`);
      expect([sentHeaders['content-type'], opened?.messages.join('')]).to.deep.equal([type, text]);
    });

  for (const name of [
    ...['', '.', '..', 'ship.ts', '../secret.glb', '..%2fsecret.glb', 'parts/../ship.glb', './ship.glb', '/ship.glb'],
    ...['parts', 'parts/', 'ship.glb/', 'SHIP.GLB', 'ship.glb%00', 'ship.glb\0', 'x'.repeat(5000), '\\ship.glb'],
    ...['gone.glb', 'out.glb', 'above/a.glb', 'large.glb', 'folder.glb', '__proto__'],
  ])
    it(`sends nothing for ${JSON.stringify(name.slice(0, 30))}`, async () => {
      const { status, body, opened } = await get(`/scene/${name}`);
      expect([status, opened]).to.deep.equal([404, undefined]);
      expect(body).to.match(/^[^\n]{20,200}\n$/);
      expect(body).not.to.include(outside);
    });
});
