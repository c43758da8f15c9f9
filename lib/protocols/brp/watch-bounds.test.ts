// What watches may keep of what a client says: ids and names.
import { expect } from 'chai';
import { DEFAULT_BOUNDS } from '../../serving/scheduling/holdings.js';
import { TestBrp } from '../../testing/aids/brp-server.js';

const SHIP = 4294967294;
const WATCH = 'world.get_components+watch';

describe('watches', () => {
  it('count the names that they keep, also of components that there are not', async () => {
    const bounds = { ...DEFAULT_BOUNDS, keptBytes: { each: 100_000, all: 1_000_000 } };
    const small = await TestBrp.start({ bounds });
    const components = Array.from({ length: 20 }, (_, index) => `${index}${'x'.repeat(2000)}`);
    const first = await small.watch(WATCH, { entity: SHIP, components });
    expect(first.messages).to.deep.equal([]);
    expect(small.registry.ledger.held('keptBytes')).to.be.within(2 * 20 * 2000, 4 * 20 * 2000);
    const second = await small.watch(WATCH, { entity: SHIP, components });
    expect(second.data[0].error).to.have.property('code', -23418);
    first.cut();
    expect(small.registry.ledger.held('keptBytes')).to.equal(0);
    expect((await small.watch(WATCH, { entity: SHIP, components })).messages).to.deep.equal([]);
    small.close();
  });

  it('with an id that is too long to keep are refused', async () => {
    const brp = await TestBrp.start();
    const asked = { entity: SHIP, components: ['Health'] };
    const ask = async (id: unknown) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id, method: WATCH, params: asked });
      const { opened } = await brp.exchange({ body });
      return opened?.data.map(({ error }) => error);
    };
    const message = 'the id of a watch may have at most 256 characters as JSON';
    expect(await ask('y'.repeat(255))).to.deep.equal([{ code: -32600, message }]);
    expect(await ask(['y'.repeat(252), 1])).to.deep.equal([{ code: -32600, message }]);
    expect([...brp.registry.errors.byCode]).to.deep.equal([[-32600, 2]]);
    expect(await ask('y'.repeat(254))).to.deep.equal([]);
    expect(brp.registry.ledger.held('subscriptions')).to.equal(1);
    brp.close();
  });
});
