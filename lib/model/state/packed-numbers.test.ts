// Long lists of numbers: packed, they store what the lists store, and stay packed on the way.
import { expect } from 'chai';
import { type Assignment, assignAll, convertFor as convert } from './assign.js';
import { Catalog } from './catalog.js';
import {
  array,
  bool,
  double,
  float,
  int,
  longLong,
  short,
  struct,
  unsignedChar,
  unsignedInt,
  unsignedLongLong,
} from './declare.js';
import { vector } from './declare-containers.js';
import { buffersOf, isPacked, type Packed, unpacked } from './packed-numbers.js';
import type { Value } from './read.js';
import { State } from './state.js';
import type { ArrayType } from './type.js';
import type { Variable } from './variable.js';
import { withZeros } from './zero.js';

const COUNT = 2000;
const LONG = Array.from({ length: 1500 }, (_, k) => (k % 2 > 0 ? -1 : 1) * (k * 1e7 + k / 3));

/** Lists may be short on Trick's wire. */
const convertFor = (variable: Variable, value: Value): Value => convert(variable, value, 'trick');

/** As much of the list as a type holds. */
const WITHIN: Readonly<Record<string, (x: number) => number>> = {
  bytes: (x) => Math.abs(x) % 255,
  shorts: (x) => x % 32768,
  ints: (x) => x % 2 ** 31,
  unsigned: (x) => Math.abs(x) % 2 ** 32,
  largest: Math.abs,
};
const listFor = (name: string): number[] => LONG.map(WITHIN[name] ?? Number);

const DECLARED = {
  doubles: double(COUNT),
  floats: float(COUNT),
  bytes: array(unsignedChar(), COUNT),
  shorts: array(short(), COUNT),
  ints: int(COUNT),
  unsigned: array(unsignedInt(), COUNT),
  longs: array(longLong(), COUNT),
  largest: array(unsignedLongLong(), COUNT),
  switches: array(bool(), COUNT),
  some: vector(double(), COUNT),
  positive: double(COUNT, { min: -1e12 }),
};

function create() {
  const state = new State();
  const many = state.addObject('many');
  for (const [name, declared] of Object.entries(DECLARED)) many.component(name, declared as never);
  many.component(
    'log',
    struct('Log', { size: int(), row: array(short(), COUNT), deep: struct('Deep', { some: double(COUNT) }) }),
  );
  many.component('rows', array(array(array(int(), 2), 3), 1000));
  many.component('someRows', vector(array(array(double(), 2), 3), 1000));
  many.component('few', array(array(array(int(), 2), 3), 5));
  const catalog = new Catalog(state.describe());
  const { memory } = state.arena;
  return { memory, find: (name: string) => catalog.find(`many.${name}`) as Variable };
}

/** The bytes of all variables after an assignment over others. */
function stored(name: string, value: (variable: Variable) => Value): Buffer {
  const { memory, find } = create();
  memory.bytes.fill(1, 1024, 1024);
  const variable = find(name);
  const assign = (of: Value): void => assignAll([{ variable, value: of } satisfies Assignment], memory);
  if (name in DECLARED) assign(Array(1700).fill(7));
  assign(value(variable));
  return Buffer.from(memory.bytes);
}

/** Packed numbers as the list that they are. */
const asList = ({ type }: Variable, value: Value): Value =>
  unpacked((type as ArrayType).element, value as unknown as Packed);

describe('a packed list of numbers', () => {
  for (const name of Object.keys(DECLARED)) {
    it(`stores what the list stores: ${name}`, () => {
      const asPacked = (variable: Variable): Value => convertFor(variable, listFor(name));
      const given = (variable: Variable): Value => asList(variable, asPacked(variable));
      expect(isPacked(asPacked(create().find(name)))).to.equal(true);
      expect(stored(name, asPacked).equals(stored(name, given))).to.equal(true);
      expect(stored(name, (variable) => structuredClone(asPacked(variable))).equals(stored(name, given))).to.equal(
        true,
      );
    });

    it(`is the list again with its zeros: ${name}`, () => {
      const variable = create().find(name);
      const value = convertFor(
        variable,
        LONG.map((_, k) => k % 100),
      );
      const { type } = variable;
      expect(withZeros(type, value)).to.deep.equal(withZeros(type, asList(variable, value)));
    });

    it(`is not converted again for the same type: ${name}`, () => {
      const variable = create().find(name);
      const value = convertFor(variable, listFor(name));
      expect(convertFor(variable, value)).to.equal(value);
    });
  }

  it('holds all rows of an array, shorter ones with zeros', () => {
    const rows = Array.from({ length: 700 }, (_, k) => [[k, 2], [], [4 * k]].slice(0, 1 + (k % 3)));
    const asPacked = (variable: Variable): Value => convertFor(variable, rows);
    const given = (variable: Variable): Value => asList(variable, asPacked(variable));
    for (const name of ['rows', 'someRows']) {
      const variable = create().find(name);
      const value = asPacked(variable);
      expect(isPacked(value), name).to.equal(true);
      expect(stored(name, asPacked).equals(stored(name, given)), name).to.equal(true);
      expect(convertFor(variable, value)).to.equal(value);
      expect(() => convertFor(create().find('few'), value)).to.throw('has 5 elements, a list of 700 does not fit');
    }
    // Filled with zeros, these rows would take far more memory than they have numbers.
    const short = Array.from({ length: 1200 }, (_, k) => [k]);
    const { type } = array(array(double(), 1000), 1200);
    expect(isPacked(convertFor({ ...create().find('rows'), type }, short))).to.equal(false);
  });

  it('lies in the members of structures', () => {
    const value = { size: 3, row: listFor('shorts'), deep: { some: [...LONG] } };
    const asPacked = (variable: Variable): Value => convertFor(variable, value);
    const made = asPacked(create().find('log')) as unknown as typeof value;
    expect([isPacked(made.row), isPacked(made.deep.some), made.size]).to.deep.equal([true, true, 3]);
    expect(buffersOf(made as never)).to.have.length(2);
    expect(stored('log', asPacked).equals(stored('log', (variable) => convertFor(variable, value)))).to.equal(true);
  });

  it('is what its list is for a variable of another type, and is refused like it', () => {
    const { find } = create();
    const list = listFor('ints');
    const doubles = convertFor(find('doubles'), list);
    expect(convertFor(find('ints'), doubles)).to.deep.equal(convertFor(find('ints'), list));
    const ints = convertFor(find('ints'), list);
    expect(asList(find('doubles'), convertFor(find('doubles'), ints))).to.deep.equal(Array.from(ints as never));
    expect(() => convertFor(find('log.size'), ints)).to.throw('many.log.size is an int; ');
    const below = convertFor(find('doubles'), LONG.with(1400, -1e13));
    expect(() => convertFor(find('positive'), below)).to.throw(
      'many.positive[1400] is a number from -1000000000000 up',
    );
    const short = new State();
    short.addObject('many').component('doubles', double(5));
    const shorter = new Catalog(short.describe()).find('many.doubles') as Variable;
    expect(() => convertFor(shorter, doubles)).to.throw('has 5 elements, a list of 1500 does not fit');
  });

  it('is made of long lists only', () => {
    const { find } = create();
    expect(convertFor(find('doubles'), [1, 2])).to.deep.equal([1, 2]);
    expect(convertFor(find('log.size'), 3n)).to.equal(3);
  });
});
