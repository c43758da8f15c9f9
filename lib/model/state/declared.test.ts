// Mistakes that no compiler has found: each is refused with one sentence.
import { expect } from 'chai';
import { array, double, pointer, struct } from './declare.js';
import { vector } from './declare-containers.js';
import { State } from './state.js';

// biome-ignore lint/suspicious/noExplicitAny: what a file in JavaScript may hold
const wrong = (value: unknown): any => value;

describe('a declaration that is none', () => {
  const object = () => new State().addObject('o');

  it('is refused with the name of the variable', () => {
    const needs = 'o.x needs a declaration such as double(), not ';
    expect(() => object().component('x', wrong(double))).to.throw(`${needs}a function: its brackets are missing`);
    expect(() => object().components({ x: wrong(3) })).to.throw(`${needs}the number 3`);
    expect(() => object().mirror('x', wrong(double), { get: () => 0 })).to.throw(needs);
    expect(() => struct('S', { x: wrong(undefined) })).to.throw('S.x needs a declaration such as double()');
  });

  it('is refused as the type of elements', () => {
    for (const declare of [() => array(wrong(double), 3), () => vector(wrong(double), 3), () => pointer(wrong(double))])
      expect(declare).to.throw(/^the elements of a \w+ need a declaration such as double\(\), with its brackets$/);
  });

  it('has no option that there is not', () => {
    expect(() => double(wrong({ unit: 'm' }))).to.throw('a declaration has no option unit; did you mean units?');
    expect(() => double(3, wrong({ colour: 'red' }))).to.throw('a declaration has no option colour; there are units, ');
  });
});

describe('a view of a list or a structure', () => {
  it('is not replaced, and a sentence says how it is filled', () => {
    const Tank = struct('Tank', { level: double(), at: double(2) });
    const declared = {
      x: double(2),
      tank: Tank,
      tanks: array(Tank, 2),
      next: pointer(double()),
      past: vector(double(), 2),
    };
    const views = wrong(new State().addObject('o').components(declared));
    const replace = (assign: () => void): string => {
      expect(assign).to.throw(TypeError, 'is a view of the state, which is filled and not replaced: ');
      return caught(assign).replace(/^.*: /, '');
    };
    expect(replace(() => Object.assign(views, { x: [1, 2] }))).to.equal('x.set([ ... ])');
    expect(replace(() => Object.assign(views, { tank: {} }))).to.equal('Object.assign(tank, { ... })');
    expect(replace(() => Object.assign(views, { tanks: [] }))).to.equal('Object.assign(tanks[0], { ... })');
    expect(replace(() => Object.assign(views, { next: [] }))).to.equal('next.pointTo( ... )');
    expect(replace(() => Object.assign(views, { past: [] }))).to.equal('past.replace([ ... ])');
    expect(replace(() => Object.assign(views.tank, { at: [1, 2] }))).to.equal('at.set([ ... ])');
  });
});

function caught(act: () => void): string {
  try {
    act();
  } catch (error) {
    return (error as Error).message;
  }
  return '';
}
