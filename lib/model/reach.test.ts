// Which bytes must be at hand to read a variable.
import { expect } from 'chai';
import { SMALL } from '../testing/aids/fixture/all.js';
import { createFixture } from '../testing/aids/fixture/state.js';
import type { Catalog } from './catalog.js';
import { Memory } from './memory.js';
import { isReachable, type Part } from './reach.js';
import { readVariable } from './read.js';
import { locate, type Variable } from './variable.js';

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
