// The pages of a large state that a subscription makes frames carry, counted as values.
import { expect } from 'chai';
import { ManualClock } from '../../testing/aids/manual-clock.js';
import { tableOf } from '../../testing/aids/table-of.js';
import { startTrickFixture } from '../../testing/aids/trick-server.js';
import { OverBoundError } from '../scheduling/account.js';
import { Reference } from './reference.js';

const VALUES_OF_PAGE = 512;

describe('a subscription to values of a large state', () => {
  it('counts their pages, but for the first 256, when they are more than the values', async () => {
    const { local, close } = await startTrickFixture({ ballast: 800_000 });
    const { table, account, registry } = tableOf(local.source, new ManualClock());
    const held = () => registry.ledger.held('valuesPerSecond');
    const far = (count: number) =>
      Array.from({ length: count }, (_, k) => new Reference(local.source, `ballast.many[${VALUES_OF_PAGE * k}]`));
    const create = (count: number) => table.create({ account, references: far(count), cycleMillis: 100 });
    table.remove(create(250));
    expect(held()).to.equal(0);
    create(300);
    expect(held()).to.be.within(50 * VALUES_OF_PAGE * 44, 50 * VALUES_OF_PAGE * 46);
    expect(() => create(1500)).to.throw(OverBoundError, 'a client may have 20000000 values a second');
    expect(held()).to.be.below(50 * VALUES_OF_PAGE * 47);
    await close();
  });

  it('counts neighbours as they are', async () => {
    const { local, close } = await startTrickFixture({ ballast: 800_000 });
    const { table, account, registry } = tableOf(local.source, new ManualClock());
    const references = Array.from({ length: 1000 }, (_, k) => new Reference(local.source, `ballast.many[${k}]`));
    table.create({ account, references, cycleMillis: 10 });
    expect(registry.ledger.held('valuesPerSecond')).to.equal(100 * 1000);
    await close();
  });
});
