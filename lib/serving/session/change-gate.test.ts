// Whether values have changed: a few are compared one by one, many by their bytes.
import { expect } from 'chai';
import { double, pointer } from '../../model/state/declare.js';
import type { State } from '../../model/state/state.js';
import { TestBall } from '../../testing/aids/http-ball.js';
import { ManualClock } from '../../testing/aids/manual-clock.js';
import { pointAt } from '../../testing/aids/point-at.js';
import { Ledger, OverBoundError } from '../scheduling/account.js';
import { DEFAULT_BOUNDS } from '../scheduling/holdings.js';
import { type ChangeGate, changeGate, type DeadBands } from './change-gate.js';
import { Reference } from './reference.js';

const MANY = 6000;

/** A client's gate for variables of a simulation, and whether it has opened for each frame. */
function setUp(declare: (state: State) => void, aliases: readonly string[], deadBands: DeadBands = 0, bytes = 1e6) {
  const ball = new TestBall(declare);
  const bounds = { ...DEFAULT_BOUNDS, keptBytes: { each: bytes, all: 2 * bytes } };
  const account = new Ledger(new ManualClock(), bounds).open('client');
  let reads = 0;
  const references = aliases.map((alias) => {
    const reference = new Reference(ball, alias);
    const read = reference.read.bind(reference);
    reference.read = (frame) => {
      reads++;
      return read(frame);
    };
    return reference;
  });
  const gate = changeGate(account, references, deadBands) as ChangeGate;
  const next = (path?: string, value: number | readonly number[] = 0): boolean => {
    ball.ticks(1, () => path && ball.store(path, value));
    return gate.opensFor(ball.frame);
  };
  return { ball, account, gate, next, reads: () => reads };
}

const declareMany = (state: State): void => {
  state.addObject('huge').component('v', double(MANY));
};

describe('a gate for many values', () => {
  it('opens for the first frame and for each change, without reading one value', () => {
    const { next, gate, ball, reads } = setUp(declareMany, ['huge.v', 'ball.position']);
    expect([next(), next(), next('huge.v[5999]', 1), next(), next('ball.position[1]', 2), next()]).to.deep.equal([
      true,
      false,
      true,
      false,
      true,
      false,
    ]);
    gate.reopen();
    gate.prime(ball.frame);
    expect([next(), next('huge.v[0]', 3)]).to.deep.equal([false, true]);
    expect(reads()).to.equal(0);
  });

  it('looks at a whole object and at what its pointers lead to', () => {
    const declare = (state: State): void => {
      declareMany(state);
      const owner = state.addObject('owner');
      owner.component('v', double(3));
      owner.component('p', pointer(double()));
      state.addObject('target').component('v', double(2));
    };
    const { ball, next } = setUp(declare, ['huge', 'owner.p']);
    expect([next(), next()]).to.deep.equal([true, false]);
    const { memory } = ball.state.arena;
    const at = (path: string): number => ball.catalog.find(path)?.offsetBytes as number;
    memory.view.setUint32(at('owner.p'), at('target.v'), true);
    memory.view.setUint32(at('owner.p') + 4, 2, true);
    expect([next(), next(), next('target.v[1]', 7), next(), next('huge.v[9]', 7), next()]).to.deep.equal([
      true,
      false,
      true,
      false,
      true,
      false,
    ]);
  });

  it('notices that one comes and goes', () => {
    const declare = (state: State): void => {
      declareMany(state);
      state.addObject('late').component('v', double());
    };
    const { ball, next } = setUp(declare, ['huge.v', 'late.v']);
    expect([next(), next()]).to.deep.equal([true, false]);
    ball.state.removeObject('late');
    expect([next(), next()]).to.deep.equal([true, false]);
    ball.state.addObject('late').component('v', double());
    expect([next(), next()]).to.deep.equal([true, false]);
  });

  it('takes what it keeps from the account, and gives it back', () => {
    const { account, gate } = setUp(declareMany, ['huge.v']);
    expect(account.amountOf('keptBytes')).to.equal(8 * MANY);
    gate.release();
    expect(account.amountOf('keptBytes')).to.equal(0);
    expect(() => setUp(declareMany, ['huge.v'], 0, 8 * MANY - 1)).to.throw(OverBoundError, 'a client may have 47999');
  });

  it('that leads to more than may be kept opens at every frame', () => {
    const declare = (state: State): void => {
      declareMany(state);
      state.addObject('owner').component('p', pointer(double()));
    };
    const { ball, account, next } = setUp(declare, ['owner.p', 'ball', 'huge.v'], 0, 9 * MANY);
    const { memory } = ball.state.arena;
    const at = (path: string): number => ball.catalog.find(path)?.offsetBytes as number;
    expect([next(), next()]).to.deep.equal([true, false]);
    memory.view.setUint32(at('owner.p'), at('huge.v'), true);
    memory.view.setUint32(at('owner.p') + 4, MANY, true);
    expect([next(), next(), next()]).to.deep.equal([true, true, true]);
    expect(account.amountOf('keptBytes')).to.equal(8 + 32 + 8 * MANY);
    memory.view.setUint32(at('owner.p') + 4, 10, true);
    expect([next(), next(), next('huge.v[9]', 1)]).to.deep.equal([true, false, true]);
    expect(account.amountOf('keptBytes')).to.equal(4 + 32 + 8 * MANY + 80);
  });
});

describe('a gate for values behind a pointer', () => {
  const declare = (state: State): void => {
    declareMany(state);
    state.addObject('owner').component('p', pointer(double()));
    state.addObject('other').component('v', double(MANY));
  };

  it('compares a few one by one, wherever they are', () => {
    const { ball, next } = setUp(declare, ['owner.p']);
    expect([next(), next()]).to.deep.equal([true, false]);
    pointAt(ball, 'owner.p', 'huge.v', 3);
    expect([next(), next(), next('huge.v[2]', 1), next('huge.v[3]', 1)]).to.deep.equal([true, false, true, false]);
    ball.store('other.v[2]', 1);
    pointAt(ball, 'owner.p', 'other.v', 3);
    expect([next(), next('other.v[2]', 2)]).to.deep.equal([false, true]);
  });

  it('compares many by their bytes, without reading one value, and keeps them while there are many', () => {
    const { ball, account, gate, next, reads } = setUp(declare, ['owner.p']);
    next();
    pointAt(ball, 'owner.p', 'huge.v', MANY);
    const before = reads();
    expect([next(), next(), next('huge.v[5999]', 1), next()]).to.deep.equal([true, false, true, false]);
    expect(reads()).to.equal(before);
    expect(account.amountOf('keptBytes')).to.equal(8 + 4 + 8 * MANY);
    ball.store('other.v[5999]', 1);
    pointAt(ball, 'owner.p', 'other.v', MANY);
    expect(next()).to.equal(false);
    pointAt(ball, 'owner.p', 'huge.v', 2);
    expect([next(), next(), account.amountOf('keptBytes')]).to.deep.equal([true, false, 8]);
    pointAt(ball, 'owner.p', 'huge.v', MANY);
    expect([next(), next()]).to.deep.equal([true, false]);
    gate.release();
    expect(account.amountOf('keptBytes')).to.equal(0);
  });
});

describe('a gate for few values', () => {
  it('knows dead bands, and takes what it keeps from the account', () => {
    const { account, gate, next } = setUp(() => undefined, ['ball.position', 'ball.velocity'], { 'ball.position': 1 });
    expect([next(), next('ball.position[1]', 9.5), next('ball.velocity[1]', 1), next()]).to.deep.equal([
      true,
      false,
      true,
      false,
    ]);
    expect(account.amountOf('keptBytes')).to.equal(32);
    gate.release();
    expect(account.amountOf('keptBytes')).to.equal(0);
  });
});
