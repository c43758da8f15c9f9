// Watches of which components an entity has, and of which there are.
import { expect } from 'chai';
import { BOAT, SHIP } from '../../testing/aids/brp-cases.js';
import { settled, TestBrp } from '../../testing/aids/brp-server.js';

describe('watches of lists', () => {
  let brp: TestBrp;
  beforeEach(async () => {
    brp = await TestBrp.start();
    await brp.ticks(1);
  });
  afterEach(() => brp.close());

  for (const method of ['bevy/list+watch', 'world.list_components+watch']) {
    it(`${method} tells which components come and go`, async () => {
      const stream = await brp.watch(method, { entity: SHIP });
      await brp.call('world.insert_components', { entity: SHIP, components: { Health: 1 } });
      await brp.call('world.spawn_entity', { components: {} });
      await brp.call('world.remove_components', { entity: SHIP, components: ['Health', 'Body'] });
      await settled();
      expect(stream.data.map(({ result }) => result)).to.deep.equal([
        { added: ['server::Health'], removed: [] },
        { added: [], removed: ['server::Body', 'server::Health'] },
      ]);
    });
  }

  for (const [method, params] of [
    ['bevy/list+watch', undefined],
    ['world.list_components+watch', {}],
  ] as const) {
    it(`${method} without an entity lists all components, then those that come and go`, async () => {
      const stream = await brp.watch(method, params);
      await brp.ticks(2);
      await brp.call('world.remove_components', { entity: BOAT, components: ['list'] });
      await brp.call('world.spawn_entity', { components: { Health: 1 } });
      await settled();
      expect(stream.data.map(({ result }) => result)).to.deep.equal([
        { added: await brp.call('bevy/list').then((all) => [...all, 'server::boat::list'].sort()), removed: [] },
        { added: [], removed: ['server::boat::list'] },
      ]);
    });
  }
});
