// Values that clients store in variables: whole and in range, or refused; on Trick's wire short lists fill with zeros.
import { expect } from 'chai';
import { SMALL } from '../../testing/aids/fixture/all.js';
import { createFixture } from '../../testing/aids/fixture/state.js';
import { AssignmentError, assignAll, bytesSet, convertFor, type Rule } from './assign.js';
import { type AnyDeclared, array, bits, double, enumeration, int, pointer, struct, text } from './declare.js';
import { vector } from './declare-containers.js';
import { readVariable, type Value } from './read.js';
import type { Variable } from './variable.js';
import { withZeros } from './zero.js';

/** Writes as a client does, then reads the value back. */
function write(path: string, value: Value, fresh = createFixture(SMALL), rule?: Rule) {
  const variable = fresh.catalog.find(path) as Variable;
  assignAll([{ variable, value: convertFor(variable, value, rule) }], fresh.memory);
  return readVariable(variable, fresh.memory);
}

describe('a value from a client', () => {
  // As Trick answers to var_set and to assignment statements.
  const STORED: readonly [string, Value, Value][] = [
    ['i', 5, 5],
    ['i', -7.9, -7],
    ['i', 7.9, 7],
    ['i', true, 1],
    ['i', 0x1f, 31],
    ['s', -3, -3],
    ['uc', 65, 65],
    ['ui', 4000000000, 4000000000],
    ['ll', 9007199254740993n, 9007199254740993n],
    ['ll', -9223372036854775808n, -9223372036854775808n],
    ['ll', true, 1n],
    ['ll', 2.9, 2n],
    ['ll', 2 ** 53 - 1, 9007199254740991n],
    ['ul', 18446744073709551615n, 18446744073709551615n],
    ['uc', 255.9, 255],
    ['uc', -0.9, 0],
    ['f', Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY],
    ['f', 0.1, Math.fround(0.1)],
    ['d', 0.1, 0.1],
    ['d', Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
    ['d', -0, -0],
    ['d', 7, 7],
    ['d', 2n ** 60n, 2 ** 60],
    ['t', true, true],
    ['t', false, false],
    ['t', 1, true],
    ['t', 0, false],
    ['t', 2, true],
    ['t', 0.5, true],
    ['phase', 7, 7],
    ['phase', 5, 5],
    ['phase', 'COAST', 2],
    ['str', 'hello world', 'hello world'],
    ['str', '', ''],
    ['cp', null, null],
    ['cp', 'été', 'été'],
    ['name', 'assign', 'assign'],
    ['name', '', ''],
    ['names[1]', 'x', 'x'],
    ['d3[1]', 2.5, 2.5],
    ['d3', [1, 2, 3], [1, 2, 3]],
    [
      'd23',
      [
        [1, 2, 3],
        [4, 5, 6],
      ],
      [
        [1, 2, 3],
        [4, 5, 6],
      ],
    ],
    ['d23[0]', [7, 8, 9], [7, 8, 9]],
    ['phases', ['ENTRY', 1, 'COAST'], [7, 1, 2]],
    ['flags.lo', 6, 6],
    ['flags.mid', -100, -100],
    ['flags.hi', 4095, 4095],
    ['vd[1]', 9.5, 9.5],
    ['vd', [1, 2], [1, 2]],
    ['vs', ['a', 'b', 'c'], ['a', 'b', 'c']],
    ['dyn[2]', 4, 4],
    ['vehicle.spare.label', 'new', 'new'],
    ['vehicle.sensor', { id: 4 }, { reading: 21.5, id: 4, label: 'imu', ok: true }],
    ['no_output', 3, 3],
  ];
  for (const [name, value, stored] of STORED) {
    it(`is stored in ${name}: ${show(value)} as ${show(stored)}`, () => {
      for (const rule of ['whole', 'trick'] as const) {
        const read = write(`fx.all.${name}`, value, undefined, rule);
        expect(read).to.deep.equal(stored);
        expect(Object.is(read, -0)).to.equal(Object.is(stored, -0));
      }
    });
  }

  const BY_TRICKS_RULE: readonly [string, Value, Value, string][] = [
    ['d3', [9], [9, 0, 0], 'fx.all.d3 has 3 elements, a list of 1 does not fit'],
    ['d3', [], [0, 0, 0], 'fx.all.d3 has 3 elements, a list of 0 does not fit'],
    [
      'd23',
      [[1]],
      [
        [1, 0, 0],
        [0, 0, 0],
      ],
      'fx.all.d23 has 2 elements, a list of 1 does not fit',
    ],
    [
      'd23',
      [[1], [2, 3, 4]],
      [
        [1, 0, 0],
        [2, 3, 4],
      ],
      'fx.all.d23[0] has 3 elements, a list of 1 does not fit',
    ],
    ['names', ['a'], ['a', ''], 'fx.all.names has 2 elements, a list of 1 does not fit'],
    ['b3', [1, 0], [true, false, false], 'fx.all.b3 has 3 elements, a list of 2 does not fit'],
    ['f', 1e40, Number.POSITIVE_INFINITY, 'fx.all.f is a float, which has no room for so large a number'],
    [
      'll',
      2 ** 60,
      2n ** 60n,
      'fx.all.ll is a long long; a number beyond 2^53 - 1 such as 1152921504606847000 may have lost digits: in JSON it is given as text, in a program as bigint',
    ],
  ];
  for (const [name, value, stored, sentence] of BY_TRICKS_RULE) {
    it(`is stored in ${name} by Trick's rule alone: ${show(value)}`, () => {
      expect(write(`fx.all.${name}`, value, undefined, 'trick')).to.deep.equal(stored);
      expect(() => write(`fx.all.${name}`, value)).to.throw(AssignmentError, sentence);
    });
  }

  const OUT_OF_RANGE: readonly [string, Value, number | bigint, number | bigint][] = [
    ['i', 99999999999, -(2 ** 31), 2 ** 31 - 1],
    ['s', 70000, -32768, 32767],
    ['c', -129, -128, 127],
    ['uc', 256, 0, 255],
    ['ui', -1, 0, 2 ** 32 - 1],
    ['ll', 2n ** 63n, -(2n ** 63n), 2n ** 63n - 1n],
    ['ll', 1e19, -(2n ** 63n), 2n ** 63n - 1n],
    ['ul', -1, 0, 2n ** 64n - 1n],
    ['phase', 4294967297, -(2 ** 31), 2 ** 31 - 1],
    ['flags.lo', 8, 0, 7],
    ['flags.mid', 256, -256, 255],
  ];
  for (const [name, value, least, most] of OUT_OF_RANGE) {
    it(`is refused by both rules: ${show(value)} for ${name}`, () => {
      const sentence = `fx.all.${name} is a whole number from ${least} to ${most}; the number ${BigInt(value as number)} does not fit`;
      for (const rule of ['whole', 'trick'] as const) {
        const fresh = createFixture(SMALL);
        const before = Buffer.from(fresh.memory.bytes);
        expect(() => write(`fx.all.${name}`, value, fresh, rule)).to.throw(AssignmentError, sentence);
        expect(before.equals(fresh.memory.bytes)).to.equal(true);
      }
    });
  }

  it('is refused when an enumeration of a byte, an element or a member cannot hold it', () => {
    const made = createFixture(SMALL);
    const Small = enumeration('Small', { A: 0, B: 255 }, { storedAs: 'unsigned char' });
    made.state
      .addObject('o')
      .component('s', struct('S', { small: Small, all: int(2), fields: struct('F', { two: bits(2) }) }));
    const variable = made.catalog.find('o.s') as Variable;
    const refusals: [Value, string][] = [
      [{ small: 256 }, 'o.s.small is a whole number from 0 to 255; the number 256 does not fit'],
      [{ all: [1, 2 ** 31] }, 'o.s.all[1] is a whole number from -2147483648 to 2147483647; the number 2147483648'],
      [{ fields: { two: 4 } }, 'o.s.fields.two is a whole number from 0 to 3; the number 4 does not fit'],
    ];
    for (const [value, sentence] of refusals)
      expect(() => convertFor(variable, value)).to.throw(AssignmentError, sentence);
  });

  const REFUSED: readonly [string, Value, string][] = [
    ['i', '12', 'fx.all.i is an int; the text "12" does not fit'],
    ['i', Number.NaN, 'fx.all.i is an int; the number NaN does not fit'],
    ['i', [1], 'fx.all.i is an int; a list of 1 does not fit'],
    ['ui', 'x'.repeat(50), `fx.all.ui is an unsigned int; the text "${'x'.repeat(40)}…" does not fit`],
    ['d', '3.5', 'fx.all.d is a double; the text "3.5" does not fit'],
    ['d', null, 'fx.all.d is a double; null does not fit'],
    ['d', { x: 1 }, 'fx.all.d is a double; a structure does not fit'],
    ['str', 5, 'fx.all.str is a std::string; the number 5 does not fit'],
    ['str', null, 'fx.all.str is a std::string; null does not fit'],
    ['str', 'a\0b', 'fx.all.str cannot hold text with a NUL in it'],
    ['str', 'a\ud83d', 'fx.all.str cannot hold text with half a character in it'],
    ['str', 'é'.repeat(33), 'fx.all.str has room for 64 bytes of text, not 66'],
    ['name', 'a very long name indeed', 'fx.all.name has room for 15 bytes of text, not 23'],
    ['name', true, 'fx.all.name is a char[16]; the truth value true does not fit'],
    ['phase', 'COST', 'fx.all.phase is a FlightPhase, which has no label "COST"; did you mean COAST?'],
    ['phase', 'constructor', 'fx.all.phase is a FlightPhase, which has no label "constructor"'],
    ['d3', 4.5, 'fx.all.d3 is a double[3]; the number 4.5 does not fit'],
    ['d3', [1, 2, 3, 4], 'fx.all.d3 has 3 elements, a list of 4 does not fit'],
    ['d3', [1, 'x', 2], 'fx.all.d3[1] is a double; the text "x" does not fit'],
    ['d23', [1, 2], 'fx.all.d23[0] is a double[3]; the number 1 does not fit'],
    ['vd', [1, 2, 3, 4, 5, 6], 'fx.all.vd has room for 5 elements, a list of 6 does not fit'],
    ['vd', 1, 'fx.all.vd is a std::vector<double>; the number 1 does not fit'],
    ['dyn', [1], 'fx.all.dyn is a pointer: assign what it points at, fx.all.dyn[0]'],
    ['flags', { low: 1 }, 'fx.all.flags has no member low; did you mean lo?'],
    ['vehicle.sensor', [1], 'fx.all.vehicle.sensor is a Sensor; a list of 1 does not fit'],
    ['vehicle.sensors', [{ id: 'x' }, {}], 'fx.all.vehicle.sensors[0].id is an int; the text "x" does not fit'],
    ['no_input', 3, 'fx.all.no_input is read-only'],
    ['vd[4]', 9.5, 'fx.all.vd[4] is not there: a pointer on the way is null or an index too large'],
    ['dyn[7]', 1, 'fx.all.dyn[7] is not there: a pointer on the way is null or an index too large'],
  ];
  for (const [name, value, sentence] of REFUSED) {
    it(`is refused: ${sentence}`, () => {
      const fresh = createFixture(SMALL);
      const before = Buffer.from(fresh.memory.bytes);
      expect(() => write(`fx.all.${name}`, value, fresh))
        .to.throw(AssignmentError)
        .with.property('message', sentence);
      expect(before.equals(fresh.memory.bytes)).to.equal(true);
    });
  }

  it('for a member of something read-only is refused', () => {
    const made = createFixture(SMALL);
    const { state, memory } = made;
    const Part = struct('Part', { serial: { ...int(), access: 'read-only' }, count: int(), next: pointer(int()) });
    const parts = state.addObject('o').component('parts', array(Part, 2), [{ serial: 7 }, { serial: 8, next: [5] }]);
    const variable = made.catalog.find('o.parts') as Variable;
    expect(() => convertFor(variable, [{ serial: 1 }, {}])).to.throw(AssignmentError, 'o.parts[0].serial is read-only');
    assignAll([{ variable, value: convertFor(variable, [{ count: 3 }, {}]) }], memory);
    expect([parts[0].count, parts[1].count, parts[1].serial, parts[1].next.at(0)]).to.deep.equal([3, 0, 8, 5]);
  });
});

describe("a list that is shorter than its array, by Trick's rule", () => {
  const Kept = struct('Kept', {
    serial: { ...int(), access: 'read-only' },
    counts: int(2),
    next: pointer(int()),
    names: array(text(8), 2),
    past: vector(double(), 4),
  });
  const full = { serial: 7, counts: [1, 2], next: [5], names: ['a', 'b'], past: [1, 2] } as const;

  it('stays short on its way to the simulation', () => {
    const made = createFixture(SMALL);
    made.state.addObject('o').component('large', double([2, 1_000_000]));
    const variable = made.catalog.find('o.large') as Variable;
    expect(convertFor(variable, [], 'trick')).to.deep.equal([]);
    expect(convertFor(variable, [[1], []], 'trick')).to.deep.equal([[1], []]);
  });

  it('sets the others to zero where they lie, but no pointers and nothing read-only', () => {
    const made = createFixture(SMALL);
    const { state, memory } = made;
    const parts = state.addObject('o').component('parts', array(Kept, 3), [full, full, full]);
    const variable = made.catalog.find('o.parts') as Variable;
    const converted = convertFor(variable, [{ counts: [3] }], 'trick');
    assignAll([{ variable, value: converted }], memory);
    expect([...parts[0].counts, ...parts[0].names, ...parts[0].past]).to.deep.equal([3, 0, 'a', 'b', 1, 2]);
    for (const { serial, counts, next, names, past } of [parts[1], parts[2]]) {
      expect([serial, ...counts, next.at(0), ...names, ...past]).to.deep.equal([7, 0, 0, 5, '', '']);
    }
    const zero = { counts: [0, 0], names: ['', ''], past: [] };
    expect(withZeros(variable.type, converted)).to.deep.equal([{ counts: [3, 0] }, zero, zero]);
  });

  const REFUSED: readonly [name: string, type: AnyDeclared, value: Value, sentence: string][] = [
    ['ranged', double({ min: 1, max: 5 }), [2], 'o.ranged[1] is a number from 1 to 5, not 0'],
    ['nested', array(double({ min: 1 }), 2), [[2, 3]], 'o.nested[1][0] is a number from 1 up, not 0'],
    ['aims', pointer(int()), [], 'o.aims[0] is a pointer: assign what it points at, o.aims[0][0]'],
  ];
  for (const [name, type, value, sentence] of REFUSED) {
    it(`is refused when the others cannot be zero: ${sentence}`, () => {
      const made = createFixture(SMALL);
      made.state.addObject('o').component(name, array(type, 2));
      const variable = made.catalog.find(`o.${name}`) as Variable;
      for (const _ of ['first', 'again'])
        expect(() => convertFor(variable, value, 'trick'))
          .to.throw(AssignmentError)
          .with.property('message', sentence);
    });
  }

  it('of numbers names the element that does not fit', () => {
    const made = createFixture(SMALL);
    made.state.addObject('o').component('many', double([3, 4]));
    const variable = made.catalog.find('o.many') as Variable;
    expect(() => convertFor(variable, [[1], [2, 3, 'x']], 'trick')).to.throw(
      'o.many[1][2] is a double; the text "x" does not fit',
    );
  });
});

describe('a list of structures for a container', () => {
  it('leaves nothing of former elements in new ones', () => {
    const made = createFixture(SMALL);
    const Part = struct('Part', { x: double(), note: text(4) });
    made.state.addObject('o').component('parts', vector(Part, 3), [{ x: 1, note: 'a' }]);
    const variable = made.catalog.find('o.parts') as Variable;
    const assign = (value: Value) => assignAll([{ variable, value: convertFor(variable, value) }], made.memory);
    assign([{ x: 2 }, {}]);
    expect(readVariable(variable, made.memory)).to.deep.equal([
      { x: 2, note: 'a' },
      { x: 0, note: '' },
    ]);
    assign([]);
    assign([{ x: 3 }]);
    expect(readVariable(variable, made.memory)).to.deep.equal([{ x: 3, note: '' }]);
  });
});

describe('several values from a client', () => {
  const assign = (paths: readonly (readonly [string, Value])[], fresh = createFixture(SMALL)) => {
    const catalog = fresh.catalog;
    const assignments = paths.map(([path, value]) => {
      const variable = catalog.find(path) as Variable;
      return { variable, value: convertFor(variable, value, 'trick') };
    });
    assignAll(assignments, fresh.memory);
    return fresh.all;
  };

  it('are stored in order', () => {
    const all = assign([
      ['fx.all.vd', [1, 2, 3, 4, 5]],
      ['fx.all.vd[4]', 9],
      ['fx.all.d', 1],
      ['fx.all.d', 2],
    ]);
    expect([...all.vd, all.d]).to.deep.equal([1, 2, 3, 4, 9, 2]);
  });

  it('count with all that they set, and of a structure with the members that are given', () => {
    const made = createFixture(SMALL);
    const o = made.state.addObject('o');
    o.component('large', double(1_000_000));
    o.component('n', int(), 1);
    const counted = (path: string, value: Value) => {
      const variable = made.catalog.find(path) as Variable;
      return bytesSet(variable.type, convertFor(variable, value, 'trick'));
    };
    expect([counted('o.large', []), counted('o', {}), counted('o', { n: 2 })]).to.deep.equal([8_000_000, 0, 4]);
    expect(counted('o', { large: [1], n: 2 })).to.equal(8_000_004);
  });

  it('are taken back in parts of structures too', () => {
    const fresh = createFixture(SMALL);
    const before = Buffer.from(fresh.memory.bytes);
    const writes = [
      ['fx.all.vehicle', { sensor: { id: 4, label: 'new' } }],
      ['fx.all.vehicle.sensor', { id: 5 }],
      ['fx.all', { d: 7, d3: [] }],
      ['fx.all.vd[4]', 9],
    ] as const;
    expect(() => assign(writes, fresh)).to.throw(AssignmentError, 'fx.all.vd[4] is not there');
    expect(before.equals(fresh.memory.bytes)).to.equal(true);
  });

  it('are all taken back when one cannot be reached', () => {
    const fresh = createFixture(SMALL);
    const before = Buffer.from(fresh.memory.bytes);
    const writes = [
      ['fx.all.d', 1],
      ['fx.all.str', 'changed'],
      ['fx.all.vd', [7]],
      ['fx.all.vd[0]', 8],
      ['fx.all.vd[2]', 9],
    ] as const;
    expect(() => assign(writes, fresh)).to.throw(AssignmentError, 'fx.all.vd[2] is not there');
    expect(before.equals(fresh.memory.bytes)).to.equal(true);
  });
});

function show(value: Value): string {
  return JSON.stringify(value, (_, item) => (typeof item === 'bigint' || Object.is(item, -0) ? `${item}` : item));
}
