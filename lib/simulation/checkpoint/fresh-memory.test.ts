// Memory that loading a checkpoint makes: it lies where memory is free, also when that is loaded and deleted many times.
import { expect } from 'chai';
import fc from 'fast-check';
import { double } from '../../model/state/declare.js';
import { State } from '../../model/state/state.js';
import { runs } from '../../testing/aids/run-counts.js';
import { requireRoom } from './checkpoint.js';
import { modelOf, readModelOf, StalePlanError, takeOver } from './plan.js';
import { planLoad } from './reader.js';
import { writeCheckpoint } from './writer.js';

const DOUBLE = double().type;
const NAMES = ['a', 'b', 'c', 'd'] as const;

describe('memory that a checkpoint declares', () => {
  let state: State;
  beforeEach(() => {
    state = new State();
    state.addObject('o').component('x', double(3), [1, 2, 3]);
  });

  const declare = (name: string, count: number): void => {
    const made = state.allocations.allocate(DOUBLE, count, false);
    state.allocations.name(made, name);
    for (let index = 0; index < count; index++)
      state.arena.memory.view.setFloat64(made.offsetBytes + 8 * index, count + index, true);
  };
  const remove = (name: string): void => {
    if (state.allocations.has(name)) state.allocations.remove(state.allocations.named(name));
  };
  const dump = (): string => writeCheckpoint(modelOf(state), state.arena.memory);
  /** Variables may come in another order. */
  const inOrder = (file: string): string =>
    [...file.matchAll(/^double .*/gm)].toSorted().join('\n') +
    file
      .replace(/^double .*\n/gm, '')
      .split('\n\n')
      .toSorted()
      .join('\n\n');
  const load = (file: string): void => takeOver(state, planLoad(readModelOf(state), file)).end();

  it('does not use up the state, in whatever order it is deleted and loaded', () => {
    declare('a', 1000);
    declare('b', 1000);
    const file = dump();
    const end = state.arena.usedBytes;
    for (let round = 0; round < 20; round++) {
      remove(round % 2 ? 'a' : 'b');
      load(file);
      expect(inOrder(dump())).to.equal(inOrder(file));
    }
    expect(state.arena.usedBytes).to.equal(end);
  });

  it('is refused when there are too many declared variables with those that stay', () => {
    for (const [k, name] of ['b', 'c', 'd'].entries())
      state.allocations.name(state.allocations.allocate(DOUBLE, 2_000_000 + k, false), name);
    const plan = planLoad(readModelOf(state), 'clear_all_vars();\ndouble a[3000000];');
    expect(() => requireRoom(state, plan)).to.not.throw();
    expect(() => requireRoom(state, { ...plan, gone: [] })).to.throw(
      'with those that are there, there would be 4 declared variables of 72000024 bytes; there may be 2000 of 67108864',
    );
  });

  it('has the values of the file, and nothing else changes, after any deletions and declarations', () => {
    const step = fc.record({ name: fc.constantFrom(...NAMES), count: fc.integer({ min: 1, max: 40 }) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), fc.array(step, { maxLength: 20 }), (before, after) => {
        for (const name of NAMES) remove(name);
        for (const { name, count } of [...before, ...after]) {
          remove(name);
          declare(name, count);
        }
        const file = dump();
        for (const { name, count } of before) {
          remove(name);
          if (count % 3 === 0) declare(name, count);
        }
        load(file);
        expect(inOrder(dump())).to.equal(inOrder(file));
      }),
      { numRuns: runs(300) },
    );
  });

  it('is refused for a name that a variable of another shape has, unless the file clears all variables', () => {
    declare('a', 3);
    const before = dump();
    const { version, arena } = state;
    const { usedBytes } = arena;
    for (const declaration of ['double a[4];', 'int a[3];', 'double a;'])
      expect(() => load(`${declaration}\no.x = {7};`)).to.throw(
        'line 1: a cannot be declared, there is a variable a of another type',
      );
    expect([dump(), state.version, arena.usedBytes]).to.deep.equal([before, version, usedBytes]);
    load('double a[3];\na = {9, 9, 9};');
    expect(dump()).to.match(/^ +\{9, 9, 9\}/m);
    load('clear_all_vars();\ndouble a[4];\na = {8, 8, 8, 8};');
    expect(dump()).to.include('double a[4];');
  });

  it('finds room though clients have left very many free parts, of which few are told', () => {
    declare('a', 1000);
    const file = dump();
    const names = Array.from({ length: 20_000 }, (_, k) => `c${k}`);
    for (const name of names) state.addObject(name).component('x', double());
    remove('a');
    const gone = names.filter((_, k) => k % 2 === 0);
    state.removeObjects(gone, 'all');
    const end = state.arena.usedBytes;
    expect(readModelOf(state).freeParts.length).to.be.at.most(8192);
    load(file);
    expect(state.allocations.named('a').offsetBytes).to.be.below(end);
    remove('a');
    load(file);
    expect(state.allocations.has('a')).to.equal(true);
  });

  it('is refused, and nothing has changed, when an object has its name by now', () => {
    state.allocations.name(state.allocations.allocate(DOUBLE, 10, false), 'a');
    const file = dump();
    remove('a');
    state.addObject('a');
    const before = dump();
    expect(() => load(file)).to.throw('a cannot be declared, there is an object a');
    expect(dump()).to.equal(before);
  });

  it('is refused, and nothing has changed, when other memory is free by now', () => {
    declare('a', 10);
    const file = dump();
    remove('a');
    const plan = planLoad(readModelOf(state), file);
    const { version } = state;
    declare('b', 10);
    const { takenBytes } = state.arena;
    expect(() => takeOver(state, plan)).to.throw(StalePlanError);
    expect(() => takeOver(state, { ...plan, version: state.version })).to.throw(StalePlanError, 'memory came or went');
    expect(state.version).to.be.above(version);
    expect(state.arena.takenBytes).to.equal(takenBytes);
  });
});
