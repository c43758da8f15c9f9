// A subscription as its frames, its variables and what they point at change.

import { expect } from 'chai';
import { Reason } from '../../model/frame/header.js';
import type { Frame } from '../../model/frame/reader.js';
import { array, double, pointer } from '../../model/state/declare.js';
import { MOST_POINTERS, TooManyPointersError } from '../../model/state/reach.js';
import { TestBall } from '../../testing/aids/http-ball.js';
import { pointAt } from '../../testing/aids/point-at.js';
import { readerOf } from '../../testing/aids/reader-of.js';
import { tableOf } from '../../testing/aids/table-of.js';
import { OverBoundError } from '../scheduling/account.js';
import type { DeadBands } from './change-gate.js';
import type { Reader } from './reader.js';
import { Reference } from './reference.js';

describe('a subscription on a slow cycle', () => {
  it('looks for its values when they are due, and not between', () => {
    const ball = new TestBall();
    const { table, account } = tableOf(ball);
    const references = [new Reference(ball, 'ball.position')];
    const subscription = table.create({ account, references, cycleMillis: 1000 });
    table.attach(
      subscription,
      readerOf(() => undefined),
    );
    const asked: number[] = [];
    const sent: number[] = [];
    const { header } = ball.frame;
    for (let tick = 200; tick <= 300; tick++) {
      const carriesAll = (): boolean => asked.push(tick) > 0;
      const frame = { header: { ...header, tick, reason: Reason.tick }, carriesAll } as unknown as Frame;
      if (subscription.isDueNow(frame)) sent.push(tick);
    }
    expect(sent).to.deep.equal([200, 300]);
    expect(asked).to.deep.equal([200, 300]);
  });
});

describe('the feed of a subscription', () => {
  it('is that of its only reader, unless its own values are compared', () => {
    const ball = new TestBall();
    const { table, account } = tableOf(ball);
    const feed = {};
    const feedOf = (deadBands: DeadBands | undefined, readers: number): unknown => {
      const references = [new Reference(ball, 'ball.position')];
      const subscription = table.create({ account, references, cycleMillis: 1000, deadBands });
      for (let k = 0; k < readers; k++) table.attach(subscription, { ...readerOf(() => undefined), feed });
      return subscription.feed;
    };
    expect([feedOf(undefined, 1), feedOf(undefined, 0), feedOf(undefined, 2), feedOf(0, 1)]).to.deep.equal([
      feed,
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('a subscription to long spellings', () => {
  it('counts what is kept of them until it ends, and is refused without room', () => {
    const ball = new TestBall();
    const { table, account } = tableOf(ball);
    const references = Array.from({ length: 235 }, (_, index) => {
      const blanks = ' '.repeat(3800 + index);
      return new Reference(ball, `ball.position[${blanks}0]`);
    });
    const create = () => table.create({ account, references, cycleMillis: 10, deadBands: 0 });
    const first = create();
    const each = account.amountOf('keptBytes');
    // Three copies, of two bytes a character.
    expect(each).to.be.within(6 * 235 * 3800, 6 * 235 * 4096);
    create();
    create();
    expect(create).to.throw(OverBoundError, 'bytes of names');
    expect([table.size, account.amountOf('keptBytes'), account.amountOf('subscriptions')]).to.deep.equal([
      3,
      3 * each,
      3,
    ]);
    table.remove(first);
    expect([account.amountOf('keptBytes'), account.amountOf('subscriptions')]).to.deep.equal([2 * each, 2]);
  });
});

describe('a subscription whose variable is declared anew', () => {
  function setUpGrowing(count: number) {
    const ball = new TestBall((state) => state.addObject('late').component('v', double(count)));
    const { table, account } = tableOf(ball);
    const subscription = table.create({ account, references: [new Reference(ball, 'late.v')], cycleMillis: 10 });
    let offers = 0;
    let endings = 0;
    const reader = { ...readerOf(() => offers++), end: () => endings++ };
    table.attach(subscription, reader as Reader);
    const redeclare = (size: number): (number | undefined)[] => {
      ball.state.removeObject('late');
      ball.state.addObject('late').component('v', double(size));
      ball.ticks(1);
      return [offers, endings, account.amountOf('valuesPerSecond')];
    };
    return { account, table, redeclare, subscription, frame: () => ball.frame };
  }

  it('counts with its values, and ends when messages would have to be made in another way', () => {
    const { table, redeclare, subscription, frame } = setUpGrowing(3);
    expect([redeclare(2), redeclare(10), redeclare(5000)]).to.deep.equal([
      [2, 0, 300],
      [3, 0, 1000],
      [4, 0, 500_000],
    ]);
    expect(subscription.shownIn(frame())).to.equal(frame());
    expect(redeclare(5001)).to.deep.equal([4, 1, 0]);
    expect([table.size, subscription.shownIn(frame())]).to.deep.equal([0, undefined]);
  });

  it('ends when its client may not have so many', () => {
    const { account, table, redeclare } = setUpGrowing(6000);
    expect(redeclare(7000)).to.deep.equal([2, 0, 700_000]);
    account.take('valuesPerSecond', 19_250_000);
    expect(redeclare(8000)).to.deep.equal([2, 1, 19_250_000]);
    expect(table.size).to.equal(0);
  });
});

describe('a subscription to values behind a pointer', () => {
  function setUpPointing(wish: { deadBands?: DeadBands; isOfChanges?: boolean } = {}) {
    const ball = new TestBall((state) => {
      state.addObject('owner').component('p', pointer(double()));
      state.addObject('many').component('v', double(9000));
    });
    const { table, account } = tableOf(ball);
    ball.ticks(1);
    const create = () =>
      table.create({ account, references: [new Reference(ball, 'owner.p')], cycleMillis: 10, ...wish });
    let offers = 0;
    let endings = 0;
    const attach = () => {
      const reader = { ...readerOf(() => offers++), end: () => endings++ };
      table.attach(create(), reader as Reader);
    };
    const point = (count: number): number[] => {
      pointAt(ball, 'owner.p', 'many.v', count);
      ball.ticks(1);
      return [offers, endings, account.amountOf('valuesPerSecond')];
    };
    return { ball, account, table, create, attach, point };
  }

  it('counts with those of each frame, and ends when its client may not have so many', () => {
    const { account, table, attach, point } = setUpPointing();
    attach();
    expect(account.amountOf('valuesPerSecond')).to.equal(100);
    expect([point(9000), point(0), point(4000)]).to.deep.equal([
      [2, 0, 900_000],
      [3, 0, 100],
      [4, 0, 400_000],
    ]);
    account.take('valuesPerSecond', 19_500_000);
    expect(point(5001)).to.deep.equal([4, 1, 19_500_000]);
    expect(table.size).to.equal(0);
  });

  it('is refused when its client may not have so many', () => {
    const { account, table, create, point } = setUpPointing({ deadBands: 0 });
    point(9000);
    account.take('valuesPerSecond', 19_100_001);
    expect(create).to.throw(OverBoundError, 'a client may have 20000000 values a second');
    expect([table.size, account.amountOf('subscriptions'), account.amountOf('keptBytes')]).to.deep.equal([0, 0, 0]);
  });

  it('ends at more than are compared one by one, when each is compared', () => {
    for (const wish of [{ deadBands: 1 }, { deadBands: 0, isOfChanges: true }]) {
      const { attach, point } = setUpPointing(wish);
      attach();
      expect([point(5000), point(5001)]).to.deep.equal([
        [2, 0, 500_000],
        [2, 1, 0],
      ]);
    }
  });
});

describe('a subscription to pointers that lead to pointers', () => {
  it('ends when a read would follow too many, and is refused then', () => {
    const ball = new TestBall((state) => {
      state.addObject('owner').component('p', pointer(pointer(double())));
      state.addObject('many').component('p', array(pointer(double()), MOST_POINTERS));
    });
    const { table, account } = tableOf(ball);
    const point = (count: number): void => {
      pointAt(ball, 'owner.p', 'many.p', count);
      ball.ticks(3);
    };
    const create = () => table.create({ account, references: [new Reference(ball, 'owner.p')], cycleMillis: 10 });
    point(1);
    let endings = 0;
    table.attach(create(), { ...readerOf(() => undefined), end: () => endings++ } as Reader);
    point(MOST_POINTERS - 100);
    expect([table.size, endings]).to.deep.equal([1, 0]);
    point(MOST_POINTERS);
    expect([table.size, endings]).to.deep.equal([0, 1]);
    expect(create).to.throw(TooManyPointersError, 'a read follows at most 4000 pointers');
    expect([table.size, account.amountOf('subscriptions'), account.amountOf('valuesPerSecond')]).to.deep.equal([
      0, 0, 0,
    ]);
  });
});
