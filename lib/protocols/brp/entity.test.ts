// Entities as clients name them: numbers of both numberings, and texts, in every method.
import { expect } from 'chai';
import { OLD_SHIP, SHIP } from '../../testing/aids/brp-cases.js';
import { TestBrp } from '../../testing/aids/brp-server.js';

describe('an entity', () => {
  let brp: TestBrp;
  before(async () => {
    brp = await TestBrp.start();
  });
  after(() => brp.close());

  for (const entity of [SHIP, OLD_SHIP, '1v0', '1v1', `${SHIP}v0`, `${OLD_SHIP}v1`]) {
    it(`is taken as ${JSON.stringify(entity)} by every method`, async () => {
      const boat = '2v0';
      for (const [method, params] of [
        ['world.get_components', { entity, components: ['Name'], strict: true }],
        ['bevy/get', { entity, components: ['Name'], strict: true }],
        ['world.get', { entity, components: ['Name'] }],
        ['world.list_components', { entity }],
        ['bevy/list', { entity }],
        ['world.insert_components', { entity, components: { Health: 1 } }],
        ['world.remove_components', { entity, components: ['Health'] }],
        ['world.mutate_components', { entity, component: 'Body', path: 'label', value: 'b' }],
        ['world.insert_components', { entity: boat, components: { ChildOf: entity } }],
        ['bevy/insert', { entity: boat, components: { Parent: entity } }],
        ['world.reparent_entities', { entities: [boat], parent: entity }],
        ['bevy/reparent', { entities: [entity] }],
      ] as const) {
        expect((await brp.call(method, params))?.code, method).to.equal(undefined);
      }
      const { entity: made } = await brp.call('world.spawn_entity', { components: { ChildOf: entity } });
      expect(await brp.call('world.get', { entity: made, components: ['Parent'] })).to.deep.equal({ Parent: SHIP });
      expect(await brp.call('world.despawn_entity', { entity: made })).to.equal(null);
      for (const method of ['world.get_components+watch', 'bevy/list+watch']) {
        const { data } = await brp.watch(method, { entity, components: ['Name'], initial: true });
        expect(data[0]).to.have.property('result');
      }
    });
  }
});
