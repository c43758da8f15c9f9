// Values that must fit a type exactly.
import { expect } from 'chai';
import fc from 'fast-check';
import { runs } from '../../testing/aids/run-counts.js';
import { type CallableDescription, fitArguments } from './callable.js';
import {
  type AnyDeclared,
  array,
  bits,
  bool,
  charPointer,
  chars,
  double,
  enumeration,
  float,
  int,
  long,
  struct,
  text,
  unsignedChar,
  unsignedLong,
} from './declare.js';
import { vector } from './declare-containers.js';
import { fitValue } from './fit-value.js';
import { MisfitError } from './misfit.js';
import type { Value } from './read.js';
import { readValue } from './read.js';
import { State } from './state.js';

const Phase = enumeration('Phase', { STANDBY: 0, ENTRY: 7 });
const Point = struct('Point', { x: double(), n: int(), phase: Phase });

describe('a value that fits', () => {
  const FITS: readonly [AnyDeclared, unknown, Value][] = [
    [double(), 3n, 3],
    [double(), true, 1],
    [float(), 0.1, Math.fround(0.1)],
    [int(), 3, 3],
    [int(), -(2n ** 31n), -(2 ** 31)],
    [int(), 5.0, 5],
    [long(), 3, 3n],
    [unsignedLong(), 2n ** 64n - 1n, 2n ** 64n - 1n],
    [bits(3), 7, 7],
    [bits(3, { signed: true }), -4n, -4],
    [bool(), 1n, true],
    [bool(), false, false],
    [Phase, 'ENTRY', 7],
    [Phase, 7n, 7],
    [text(4), 'é é'.slice(0, 2), 'é '],
    [text(4), 'full', 'full'],
    [chars(4), 'abc', 'abc'],
    [charPointer(4), null, null],
    [double(2), new Float64Array([1, 2]), [1, 2]],
    [double([2, 1]), [[1], [2]], [[1], [2]]],
    [vector(int(), 3), [1, 2n], [1, 2]],
    [Point, { phase: 'STANDBY', n: 2n, x: 1 }, { x: 1, n: 2, phase: 0 }],
  ];
  for (const [{ type }, value, fitted] of FITS) {
    const sort = type.kind === 'number' ? type.name : type.kind;
    it(`comes as its type has it: ${sort} of ${String(value)}`, () => {
      expect(fitValue(type, value, 'it')).to.deep.equal(fitted);
    });
  }

  it('may be the view of a component', () => {
    const o = new State().addObject('o');
    const point = o.component('point', Point, { x: 2, phase: 'ENTRY' });
    const many = o.component('many', vector(int(), 3), [4, 5]);
    expect(fitValue(Point.type, point, 'it')).to.deep.equal({ x: 2, n: 0, phase: 7 });
    expect(fitValue(vector(int(), 3).type, many, 'it')).to.deep.equal([4, 5]);
  });
});

describe('a value that does not fit', () => {
  const REFUSED: readonly [AnyDeclared, unknown, string][] = [
    [double(), '1', 'it is a double; the text "1" does not fit'],
    [double(), 10n ** 400n, 'it is a double, which has no room for so large a number'],
    [float(), 1e300, 'it is a float, which has no room for so large a number'],
    [int(), 2.5, 'it is an int; the number 2.5 does not fit'],
    [int(), Number.NaN, 'it is an int; the number NaN does not fit'],
    [int(), 2 ** 31, 'it is a whole number from -2147483648 to 2147483647; the number 2147483648 does not fit'],
    [
      int(),
      10n ** 400n,
      'it is a whole number from -2147483648 to 2147483647; the number of more than 128 bits does not fit',
    ],
    [unsignedChar(), -1, 'it is a whole number from 0 to 255; the number -1 does not fit'],
    [bits(3), 8, 'it is a whole number from 0 to 7; the number 8 does not fit'],
    [bool(), 2, 'it is a bool; the number 2 does not fit'],
    [Phase, 'ENTRI', 'it is a Phase, which has no label "ENTRI"; did you mean ENTRY?'],
    [Phase, 3, 'it is a Phase; the number 3 does not fit'],
    [Phase, true, 'it is a Phase; the truth value true does not fit'],
    [text(4), 'hello', 'it has room for 4 bytes of text, not 5'],
    [text(4), 'a\0', 'it cannot hold text with a NUL in it'],
    [text(4), '\ud83d', 'it cannot hold text with half a character in it'],
    [text(4), null, 'it is a std::string; null does not fit'],
    [double(2), [1], 'it takes 2 elements, not 1'],
    [double(2), [1, 'x'], 'it[1] is a double; the text "x" does not fit'],
    [double(2), new Array(2), 'it[0] is a double; no value was given'],
    [double(2), 'ab', 'it is a double[2]; the text "ab" does not fit'],
    [vector(int(), 2), [1, 2, 3], 'it has room for 2 elements, not 3'],
    [array(Point, 1), [{ x: 1, n: 1 }], 'it[0] lacks its member phase'],
    [Point, { x: 1, n: 1, phase: 0, y: 2 }, 'it has no member y; did you mean n or x?'],
    [Point, { 'a\nb': 1 }, 'it has no member "a\\nb"'],
    [Point, [1, 2, 3], 'it is a Point; a list of 3 does not fit'],
    [Point, null, 'it is a Point; null does not fit'],
  ];
  for (const [{ type }, value, sentence] of REFUSED) {
    it(`is refused: ${sentence}`, () => {
      expect(() => fitValue(type, value, 'it')).to.throw(MisfitError, sentence);
    });
  }
});

describe('arguments', () => {
  const takes = (declared: Readonly<Record<string, AnyDeclared>>): CallableDescription => ({
    name: 'act',
    about: '',
    takes: Object.entries(declared).map(([name, { type, units, about }]) => ({ name, type, units, about })),
  });

  it('are counted', () => {
    expect(() => fitArguments(takes({ a: int(), b: int() }), [1])).to.throw('act() takes 2 arguments (a, b), not 1');
    expect(() => fitArguments(takes({ a: int() }), [])).to.throw('act() takes 1 argument (a), not 0');
    expect(() => fitArguments(takes({}), [1])).to.throw('act() takes no arguments, not 1');
  });

  it('are named with their function', () => {
    expect(() => fitArguments(takes({ a: double(2) }), [[1, '2']])).to.throw(
      'act(): a[1] is a double; the text "2" does not fit',
    );
  });

  it('of a function that does not say what it takes are as they came', () => {
    const values = [1, 'x', { y: [2n] }];
    expect(fitArguments({ name: 'act', about: '' }, values)).to.equal(values);
  });

  const DECLARED = {
    d: double(),
    f: float(),
    i: int(),
    u: unsignedLong(),
    b: bits(5),
    t: bool(),
    e: Phase,
    s: text(6),
  };
  const MORE = { c: chars(4), d2: double(2), v: vector(int(), 3), p: Point, ps: array(Point, 2), cp: charPointer(3) };
  const all = { ...DECLARED, ...MORE };
  const callable = takes(all);

  const leaf = fc.oneof(
    fc.double(),
    fc.integer(),
    fc.bigInt(),
    fc.boolean(),
    fc.string({ maxLength: 8 }),
    fc.constantFrom('ENTRY', 'STANDBY', null, undefined, 0, 7, 7n, 2 ** 31, 2n ** 64n),
  );
  const anything = fc.oneof(
    leaf,
    fc.array(leaf, { maxLength: 4 }),
    fc.record({ x: leaf, n: leaf, phase: leaf }, { requiredKeys: [] }),
    fc.anything(),
  );
  const near = fc.record({
    d: fc.double(),
    f: fc.oneof(fc.float(), leaf),
    i: fc.oneof(fc.integer(), leaf),
    u: fc.oneof(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), leaf),
    b: fc.integer({ min: 0, max: 33 }),
    t: fc.boolean(),
    e: fc.constantFrom('ENTRY', 'STANDBY', 0, 7, 7n),
    s: fc.string({ maxLength: 6 }),
    c: fc.string({ maxLength: 3 }),
    d2: fc.array(fc.double(), { minLength: 2, maxLength: 2 }),
    v: fc.array(fc.integer(), { maxLength: 4 }),
    p: fc.record({ x: fc.double(), n: fc.integer(), phase: fc.constantFrom('ENTRY', 0) }),
    ps: fc.constant([
      { x: 1, n: 2, phase: 7 },
      { x: 1, n: 2n, phase: 'ENTRY' },
    ]),
    cp: fc.option(fc.string({ maxLength: 1 })),
  });

  /** The value after it was stored and read again, which is equal for a value of the declared type. */
  const stored = (declared: AnyDeclared, value: Value): Value => {
    const state = new State();
    state.addObject('o');
    state.addComponent('o', 'c', declared, value);
    const [member] = state.describe().objects[0]?.type.members ?? [];
    return readValue(declared.type, state.arena.memory, member?.offsetBytes ?? 0);
  };

  const checkAll = (values: readonly unknown[]): boolean => {
    let fitted: readonly Value[];
    try {
      fitted = fitArguments(callable, values as readonly Value[]);
    } catch (error) {
      expect(error).to.be.instanceOf(MisfitError);
      expect((error as Error).message).to.match(/^act\(\)(?:: \w+\S* | takes )[^\n]+$/u);
      return false;
    }
    Object.values(all).forEach((declared, index) => {
      expect(stored(declared, fitted[index] as Value)).to.deep.equal(fitted[index]);
    });
    // Values that fit once pass the second check, on the simulation's thread, unchanged.
    expect(fitArguments(callable, fitted)).to.deep.equal(fitted);
    return true;
  };

  it('are refused with one sentence, or of the declared types, whatever arrives', () => {
    const given = fc.oneof(
      fc.array(anything, { maxLength: 15 }),
      fc
        .tuple(near, fc.nat(13), anything)
        .map(([values, index, odd]) => Object.values(values).with(index, odd as never)),
    );
    fc.assert(
      fc.property(given, (values) => {
        checkAll(values);
      }),
      { numRuns: runs(1000) },
    );
  });

  it('pass often enough for that to mean something', () => {
    const passed = fc.sample(near, 200).filter((values) => checkAll(Object.values(values)));
    expect(passed.length).to.be.greaterThan(10);
  });
});
