import { expect } from 'chai';
import { TestBall } from '../testing/aids/http-ball.js';
import { ManualClock } from '../testing/aids/manual-clock.js';
import { TooManySubscriptionsError, UnknownSubscriptionError } from './errors.js';
import { Reference } from './reference.js';
import { SessionRegistry } from './registry.js';
import { SubscriptionTable } from './subscription-table.js';

function setUp() {
  const ball = new TestBall();
  const clock = new ManualClock();
  const table = new SubscriptionTable(new SessionRegistry(ball, clock));
  const create = () => table.create({ references: [new Reference(ball, 'ball.position')], cycleMillis: 10 });
  return { table, clock, create };
}

describe('a table of subscriptions', () => {
  it('finds each by its id until it is removed', () => {
    const { table, create } = setUp();
    const subscription = create();
    expect(table.find(subscription.id)).to.equal(subscription);
    table.remove(subscription);
    expect(() => table.find(subscription.id))
      .to.throw(UnknownSubscriptionError, `there is no subscription "${subscription.id}"`)
      .with.property('id', subscription.id);
  });

  it('forgets what nobody reads for a minute', () => {
    const { table, clock, create } = setUp();
    create();
    clock.advance(59_999);
    expect(table.size).to.equal(1);
    clock.advance(1);
    expect(table.size).to.equal(0);
  });

  it('holds so many and no more', () => {
    const { table, create } = setUp();
    for (let i = 0; i < 10_000; i++) create();
    expect(create).to.throw(TooManySubscriptionsError, 'there are 10000 subscriptions, as many as this server holds');
    expect(table.size).to.equal(10_000);
    table.close();
    expect(table.size).to.equal(0);
  });
});
