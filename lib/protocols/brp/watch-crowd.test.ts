// Watches of an entity's family when so many entities go at once that the world is made anew in slices.
import { expect } from 'chai';
import { double } from '../../model/state/declare.js';
import { settled, TestBrp } from '../../testing/aids/brp-server.js';
import { worldOf } from './world.js';

const CHILDREN = 'bevy_ecs::hierarchy::Children';
const entityOf = (number: number): number => 2 ** 32 - 1 - number;
/** More than one world follows another at once. */
const CROWD = 300;

describe('watches among many entities', () => {
  let brp: TestBrp;
  beforeEach(async () => {
    brp = await TestBrp.start({
      build: (sim) => {
        const ship = sim.object('ship');
        ship.component('mass', double(), 1);
        const crew = sim.object('crew', { parent: ship });
        for (let index = 0; index < CROWD; index++) sim.object(`sailor${index}`, { parent: crew });
        for (let index = 0; index < 2 * CROWD; index++) sim.object(`passenger${index}`);
        sim.job(0.01, () => undefined);
      },
    });
    await brp.ticks(2);
  });
  afterEach(() => brp.close());

  const numberOf = (name: string): number => brp.registry.source.catalog.object(name)?.number as number;

  for (const [method, params, told] of [
    ['world.get_components+watch', { components: [CHILDREN] }, { components: {}, removed: [CHILDREN], errors: {} }],
    ['world.list_components+watch', {}, { added: [], removed: [CHILDREN] }],
  ] as const)
    it(`${method} tells that the children have gone, once the world is complete`, async () => {
      const stream = await brp.watch(method, { entity: entityOf(numberOf('ship')), ...params });
      await brp.ticks(2);
      expect(stream.data).to.deep.equal([]);
      const { source } = brp.registry;
      const { version } = source.catalog;
      expect(worldOf(source)).not.to.equal(undefined);
      await brp.call('world.despawn_entity', { entity: entityOf(numberOf('crew')) });
      await brp.ticks(2);
      await settled();
      expect(source.catalog.changedSince(version)).to.have.length.above(CROWD);
      expect(stream.data.map(({ result }) => result)).to.deep.equal([told]);
      expect(worldOf(source)).not.to.equal(undefined);
    });
});
