// Which bytes must be at hand to read a variable.
import { expect } from 'chai';
import { SMALL } from '../../testing/aids/fixture/all.js';
import { createFixture } from '../../testing/aids/fixture/state.js';
import { Catalog } from './catalog.js';
import { array, double, pointer, struct } from './declare.js';
import { Memory } from './memory.js';
import { isReachable, MOST_POINTERS, type Part, TooManyPointersError } from './reach.js';
import { readVariable } from './read.js';
import { State } from './state.js';
import { leavesOf, locate, type Variable } from './variable.js';

interface Range {
  readonly offset: number;
  readonly length: number;
}

function rangesOf(variable: Variable, part: Part, memory: Memory): Range[] {
  const ranges: Range[] = [];
  const isReached = isReachable(variable, part, memory, (offset, length) => ranges.push({ offset, length }) > 0);
  expect(isReached).to.equal(true);
  return ranges;
}

/** The same memory with random bytes outside the ranges. */
function keepOnly(ranges: readonly Range[], memory: Memory): Memory {
  const kept = new Memory(new ArrayBuffer(memory.bytes.length));
  kept.bytes.fill(0xa5);
  for (const { offset, length } of ranges) {
    kept.bytes.set(memory.bytes.subarray(offset, offset + length), offset);
  }
  return kept;
}

const OTHERS = [
  'fx',
  'fx.all',
  'fx.all.vehicle',
  'fx.all.vehicle.sensors',
  'fx.all.vehicle.sensors[1].label',
  'fx.all.vehicle.spare',
  'fx.all.vehicle.spare[0].reading',
  'fx.all.dyn',
  'fx.all.dyn[2]',
  'fx.all.dyn[3]',
  'fx.all.dyn_sensors[1].label',
  'fx.all.null_dyn',
  'fx.all.null_dyn[0]',
  'fx.all.vsen',
  'fx.all.vsen[1].id',
  'fx.all.vsen[2].id',
  'fx.all.vs[1]',
];

const variablesOf = (catalog: Catalog): Variable[] => [
  ...catalog.variables(),
  ...OTHERS.map((path) => catalog.find(path) as Variable),
];

describe('what the reading of a variable takes', () => {
  it('is all that its value is made from, for every type', () => {
    const { catalog, memory } = createFixture(SMALL);
    const variables = variablesOf(catalog);
    expect(variables.length).to.be.greaterThan(60);
    for (const variable of variables) {
      const kept = keepOnly(rangesOf(variable, 'all', memory), memory);
      expect(readVariable(variable, kept), variable.path).to.deep.equal(readVariable(variable, memory));
    }
  });

  it('is, for its head, all that tells where it lies, that it exists and how many elements it has', () => {
    const { catalog, memory } = createFixture(SMALL);
    for (const variable of variablesOf(catalog)) {
      const kept = keepOnly(rangesOf(variable, 'head', memory), memory);
      const offset = locate(variable, memory);
      expect(locate(variable, kept), variable.path).to.equal(offset);
      const { kind } = variable.type;
      if (offset < 0 || (kind !== 'sequence' && kind !== 'pointer')) continue;
      const [own, whole] = [kept, memory].map(({ bytes }) => bytes.slice(offset, offset + 8));
      expect(own, variable.path).to.deep.equal(whole);
    }
  });

  it('is little for the head of a large one, and the value itself of a single one', () => {
    const { catalog, memory } = createFixture(SMALL);
    const bytesOf = (path: string, part: Part) =>
      rangesOf(catalog.find(path) as Variable, part, memory).reduce((sum, { length }) => sum + length, 0);
    expect(
      ['fx', 'fx.all.d23', 'fx.all.vd', 'fx.all.dyn', 'fx.all.d'].map((path) => bytesOf(path, 'head')),
    ).to.deep.equal([0, 0, 8, 8, 8]);
    expect(
      ['fx.all.d23', 'fx.all.vd', 'fx.all.dyn', 'fx.all.dyn[1]'].map((path) => bytesOf(path, 'all')),
    ).to.deep.equal([48, 8 + 3 * 8, 8 + 3 * 8, 8 + 8]);
  });

  it('is asked about on behind what is not there, but no pointer is followed that is not', () => {
    const { catalog, memory } = createFixture(SMALL);
    const asked: number[] = [];
    const vehicle = catalog.find('fx.all.vehicle') as Variable;
    const isReached = isReachable(vehicle, 'all', memory, (offset) => {
      asked.push(offset);
      return false;
    });
    expect(isReached).to.equal(false);
    const { type, offsetBytes } = vehicle;
    const members = type.kind === 'struct' ? type.members : [];
    const within = (name: string) =>
      offsetBytes + (members.find((member) => member.name === name)?.offsetBytes as number);
    expect(asked).to.include.members([within('position'), within('sensors'), within('spare'), within('phase')]);
    expect(
      asked.filter((offset) => offset >= offsetBytes + (type.kind === 'struct' ? type.sizeBytes : 0)),
    ).to.deep.equal([]);
    expect(isReachable(catalog.find('fx.all.dyn[1]') as Variable, 'all', memory, () => false)).to.equal(false);
  });
});

describe('pointers that one read follows', () => {
  const LINK = struct('Link', { far: pointer(double()), near: double() });
  const LENGTH = 1200;

  /** Asks about a component, some of whose pointers lead to values. */
  function setUp() {
    const state = new State();
    const owner = state.addObject('o');
    owner.component('just', array(pointer(double()), MOST_POINTERS));
    owner.component('over', array(pointer(double()), MOST_POINTERS + 1));
    owner.component('links', array(LINK, MOST_POINTERS + 1));
    owner.component('few', array(pointer(double()), LENGTH));
    owner.component('p', pointer(pointer(double())));
    owner.component('wide', double(2 ** 16));
    const catalog = new Catalog(state.describe());
    const { memory } = state.arena;
    let asked = 0;
    const find = (name: string): Variable => catalog.find(`o.${name}`) as Variable;
    const ask = (name: string, part: Part = 'all'): number => {
      asked = 0;
      isReachable(find(name), part, memory, () => ++asked > 0);
      return asked;
    };
    const point = (name: string, target: string, count: number): void => {
      memory.view.setUint32(find(name).offsetBytes, find(target).offsetBytes, true);
      memory.view.setUint32(find(name).offsetBytes + 4, count, true);
    };
    return { memory, find, ask, point, askedLast: () => asked };
  }

  it('are bounded, in one variable and where pointers lead to pointers, and no more are looked at', () => {
    const { ask, point, askedLast } = setUp();
    expect(ask('just')).to.equal(MOST_POINTERS);
    for (const name of ['over', 'links']) {
      expect(() => ask(name)).to.throw(TooManyPointersError, `o.${name}`);
      expect(askedLast()).to.be.within(MOST_POINTERS, 2 * MOST_POINTERS + 2);
    }
    point('p', 'over', MOST_POINTERS - 100);
    expect(ask('p')).to.equal(1 + MOST_POINTERS - 100);
    point('p', 'over', MOST_POINTERS);
    expect(() => ask('p')).to.throw(TooManyPointersError, 'o.p');
  });

  it('count for more when much lies behind them, because they may all lead there', () => {
    const { memory, find, ask, point } = setUp();
    expect(ask('few')).to.equal(LENGTH);
    for (let k = 0; k < LENGTH; k++) point(`few[${k}]`, 'wide', 2 ** 12);
    expect(ask('few')).to.equal(2 * LENGTH);
    for (let k = 0; k < LENGTH; k++) point(`few[${k}]`, 'wide', 2 ** 14);
    expect(() => ask('few')).to.throw(TooManyPointersError);
    expect(leavesOf(find('few[0]'), memory)?.count).to.equal(2 ** 14);
    expect(ask('few[0]', 'leaves')).to.equal(2);
  });

  it('are not followed where only single values are read and a list of pointers has none', () => {
    const { memory, find, ask, point } = setUp();
    point('p', 'over', 2);
    for (const name of ['over', 'links', 'p']) {
      expect(ask(name, 'leaves')).to.be.at.most(1);
      expect(leavesOf(find(name), memory)).to.equal(undefined);
    }
    point('p', 'few', 1);
    point('few[0]', 'wide', 7);
    expect([ask('p', 'leaves'), leavesOf(find('p'), memory)?.count]).to.deep.equal([3, 7]);
  });
});
