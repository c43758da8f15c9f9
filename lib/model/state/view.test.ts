// Typed views of the state, as simulation code uses them.
import { expect } from 'chai';
import { SMALL } from '../../testing/aids/fixture/all.js';
import { createFixture } from '../../testing/aids/fixture/state.js';
import { Catalog } from './catalog.js';
import {
  type AnyDeclared,
  array,
  bits,
  bool,
  char,
  chars,
  double,
  enumeration,
  float,
  int,
  long,
  pointer,
  short,
  struct,
  text,
  unsignedChar,
  unsignedInt,
  unsignedLong,
  unsignedLongLong,
  unsignedShort,
} from './declare.js';
import { type SequenceView, vector } from './declare-containers.js';
import { readVariable } from './read.js';
import { State } from './state.js';
import type { Variable } from './variable.js';

const object = () => new State().addObject('o');

describe('a typed view', () => {
  it('reads what it was initialised with', () => {
    const { all } = createFixture(SMALL);
    expect([all.c, all.ui, all.ll, all.ul]).to.deep.equal([65, 4e9, -9007199254740993n, 1234567890123n]);
    expect([all.d, all.t, all.phase, all.s]).to.deep.equal([-2.25, true, 7, -1234]);
    expect([...all.d3]).to.deep.equal([0.1, 0.2, 0.1 * 3]);
    expect([all.d23[1][2], all.d23[0][0]]).to.deep.equal([12.5, 0.5]);
    expect(all.i222[1]?.[0]?.[1]).to.equal(101);
    expect([...all.b3]).to.deep.equal([true, false, true]);
    expect([...all.phases]).to.deep.equal([0, 2, 7]);
    expect([all.name, ...all.names]).to.deep.equal(['Orion', 'alpha', 'beta']);
    expect([all.str, ...all.strs, all.cp, all.cp_null]).to.deep.equal([
      'plain text',
      'first',
      'second',
      'pointed text',
      null,
    ]);
    expect([all.flags.lo, all.flags.mid, all.flags.hi]).to.deep.equal([5, -200, 3000]);
    expect([all.vehicle.sensors[1].label, all.vehicle.sensors[1].ok]).to.deep.equal(['gps', false]);
  });

  it('gives plain arrays of numbers as typed arrays', () => {
    const { all } = createFixture(SMALL);
    expect(all.d3).to.be.an.instanceOf(Float64Array);
    expect(all.d23[1]).to.be.an.instanceOf(Float64Array);
    expect(all.ll2).to.be.an.instanceOf(BigInt64Array);
    expect(all.uc4).to.be.an.instanceOf(Uint8Array);
    all.d3.set([7, 8, 9]);
    expect(all.d3[2]).to.equal(9);
  });

  it('gives a plain value as a cell', () => {
    const cell = object().component('mass', double(), 3);
    cell.value += 1;
    expect(cell.value).to.equal(4);
    const name = object().component('name', text(8));
    name.value = 'ab';
    expect(name).to.deep.equal({ value: 'ab' });
  });

  it('keeps the whole part of a fraction in an integer, and the nearest float', () => {
    const o = object();
    const stored = [
      [int(), -7.9, -7],
      [unsignedChar(), 255.9, 255],
      [unsignedChar(), -0.9, 0],
      [float(), 0.1, 0.10000000149011612],
    ] as const;
    for (const [index, [declared, value, read]] of stored.entries()) {
      const cell = o.component(`x${index}`, declared);
      cell.value = value;
      expect(cell.value).to.equal(read);
    }
  });

  const Small = enumeration('Small', { A: 0, B: 255 }, { storedAs: 'unsigned char' });
  const OUT_OF_RANGE = [
    [char(), 128, '-128 to 127'],
    [unsignedChar(), 256, '0 to 255'],
    [unsignedChar(), -1, '0 to 255'],
    [short(), 70000, '-32768 to 32767'],
    [unsignedShort(), -1, '0 to 65535'],
    [int(), 99999999999, '-2147483648 to 2147483647'],
    [unsignedInt(), -1, '0 to 4294967295'],
    [long(), 2n ** 63n, '-9223372036854775808 to 9223372036854775807'],
    [unsignedLongLong(), -1n, '0 to 18446744073709551615'],
    [bits(3), 8, '0 to 7'],
    [bits(9, { signed: true }), 256, '-256 to 255'],
    [Small, 256, '0 to 255'],
  ] as const;
  for (const [declared, value, range] of OUT_OF_RANGE) {
    it(`refuses ${value} for a ${JSON.stringify(declared.type)}, as a component, member and element`, () => {
      const o = object();
      const cell = o.component('x', declared) as { value: unknown };
      const cells = o.components({ y: declared }) as { y: unknown };
      const member = o.component('s', struct('S', { x: declared })) as { x: unknown };
      const list = o.component('v', vector(declared as AnyDeclared, 2), []) as SequenceView<unknown, unknown>;
      const sentence = (name: string) => `${name} is a whole number from ${range}; the number ${value} does not fit`;
      const refused: readonly [() => unknown, string][] = [
        [() => (cell.value = value), 'x'],
        [() => (cells.y = value), 'y'],
        [() => (member.x = value), 'x'],
        [() => list.push(value), 'the value'],
        [() => list.replace([value]), 'the value[0]'],
      ];
      for (const [assign, name] of refused) expect(assign).to.throw(RangeError, sentence(name));
      expect([Number(cell.value), Number(cells.y), Number(member.x), list.length]).to.deep.equal([0, 0, 0, 0]);
    });
  }

  it('keeps all digits of 64-bit integers', () => {
    expect(object().component('ul', unsignedLong(), 2n ** 53n + 1n).value).to.equal(9007199254740993n);
  });

  it('says what is missing where nothing was given', () => {
    const o = object();
    const mode = o.component('mode', enumeration('AttitudeMode', ['IDLE', 'POINT'])) as { value: unknown };
    const count = o.component('count', int()) as { value: unknown };
    expect(() => (mode.value = undefined)).to.throw('mode is an AttitudeMode; no value was given');
    expect(() => (count.value = undefined)).to.throw('count is an int; no value was given');
    expect(() => (count.value = Number.NaN)).to.throw('count is an int; the number NaN does not fit');
  });

  it('keeps NaN, infinities and minus zero', () => {
    const cell = object().component('d', double());
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, -0, 5e-324]) {
      cell.value = value;
      expect(Object.is(cell.value, value)).to.equal(true);
    }
  });

  it('takes labels where an enumeration is initialised and numbers in its view', () => {
    const mode = object().component('mode', enumeration('Mode', { OFF: 0, ON: 4 }), 'ON');
    expect(mode.value).to.equal(4);
    mode.value = 3;
    expect(mode.value).to.equal(3);
  });

  it('holds text up to its capacity in bytes and refuses more, unchanged', () => {
    const o = object();
    const name = o.component('name', chars(5), 'abcd');
    const label = o.component('label', text(4), 'été'.slice(0, 2));
    expect([name.value, label.value]).to.deep.equal(['abcd', 'ét']);
    expect(() => {
      name.value = 'abcde';
    }).to.throw(RangeError, 'name has room for 4 bytes of text, not 5');
    expect(() => {
      label.value = 'été';
    }).to.throw(RangeError, 'label has room for 4 bytes of text, not 5');
    expect([name.value, label.value]).to.deep.equal(['abcd', 'ét']);
    name.value = 'x';
    expect(name.value).to.equal('x');
  });

  it('makes one view of a nested value and lists members like an object', () => {
    const { all } = createFixture(SMALL);
    expect(all.vehicle).to.equal(all.vehicle);
    expect(all.vehicle.sensors[0]).to.equal(all.vehicle.sensors[0]);
    expect({ ...all.vehicle.sensor }).to.deep.equal({ reading: 21.5, id: 1, label: 'imu', ok: true });
    expect(all.vehicle.sensors.length).to.equal(2);
    expect(() => Object.assign(all, { nosuch: 1 })).to.throw(TypeError);
  });

  it('stays valid when the arena grows', () => {
    const { all, state } = createFixture(SMALL);
    const before = state.arena.memory.bytes.length;
    const big = state.addObject('big').component('table', double(100_000));
    expect(state.arena.memory.bytes.length).to.be.greaterThan(before);
    big[99_999] = 5;
    all.d = 77;
    all.str = 'after';
    all.vd.push(4.4);
    const moved = new Catalog(state.describe()).find('fx.all.d') as Variable;
    expect(readVariable(moved, state.arena.memory)).to.equal(77);
    expect([all.str, all.vd.at(3), all.d3[0], big[99_999]]).to.deep.equal(['after', 4.4, 0.1, 5]);
  });
});

describe('the view of a sequence', () => {
  it('grows, shrinks and is replaced within its capacity', () => {
    const { vd } = createFixture(SMALL).all;
    vd.push(4.4);
    expect([...vd]).to.deep.equal([1.1, 2.2, 3.3, 4.4]);
    vd.length = 1;
    vd.length = 3;
    expect([...vd]).to.deep.equal([1.1, 0, 0]);
    vd.set(2, 9);
    expect([vd.at(2), vd.capacity]).to.deep.equal([9, 5]);
    vd.replace(new Set([5, 6]));
    expect([...vd]).to.deep.equal([5, 6]);
  });

  it('refuses what does not fit and keeps what it has', () => {
    const { vd, vs, vsen } = createFixture(SMALL).all;
    vd.replace([1, 2, 3, 4, 5]);
    expect(() => vd.push(6)).to.throw(RangeError, 'a sequence of capacity 5 cannot hold 6 elements');
    expect(() => vd.replace([1, 2, 3, 4, 5, 6])).to.throw(RangeError, 'the value has room for 5 elements, not 6');
    expect(() => vd.at(5)).to.throw(RangeError, 'index 5 is outside 0 to 4');
    expect(() => vd.set(-1, 0)).to.throw(RangeError, 'index -1 is outside 0 to 4');
    expect([...vd]).to.deep.equal([1, 2, 3, 4, 5]);
    expect(() => vs.push('longer than sixty-four bytes, which is all the room that there is in one')).to.throw(
      RangeError,
    );
    expect(() =>
      vs.replace(['a', 'longer than sixty-four bytes, which is all the room that there is in one']),
    ).to.throw(RangeError);
    expect([...vs]).to.deep.equal(['one', 'two']);
    expect(() => vsen.push({ id: 1, label: 'longer than twelve' })).to.throw(RangeError);
    expect(vsen.length).to.equal(2);
  });

  it('holds structures, whose views are made once', () => {
    const { vsen } = createFixture(SMALL).all;
    vsen.push({ id: 22, label: 'v2' });
    expect(vsen.at(2).label).to.equal('v2');
    vsen.at(0).reading = 3;
    expect(vsen.at(0)).to.equal(vsen.at(0));
    expect([...vsen].map(({ reading }) => reading)).to.deep.equal([3, 6, 0]);
  });
});

describe('the view of a pointer', () => {
  it('reads and writes what it points at', () => {
    const { all } = createFixture(SMALL);
    expect([all.dyn.length, all.dyn.at(2), all.dyn_sensors.at(1).label]).to.deep.equal([3, 33, 'd1']);
    all.vehicle.spare.at(0).id = 99;
    expect(all.vehicle.sensors[1].id).to.equal(99);
  });

  it('is aimed at a value, at a whole array, and at nothing', () => {
    const { all } = createFixture(SMALL);
    const { spare, sensors, sensor } = all.vehicle;
    spare.pointTo(sensors);
    expect([spare.length, spare.at(1).label]).to.deep.equal([2, 'gps']);
    spare.pointTo(sensor);
    expect([spare.length, spare.at(0).label]).to.deep.equal([1, 'imu']);
    spare.clear();
    expect([spare.isNull, spare.length]).to.deep.equal([true, 0]);
    expect(() => spare.at(0)).to.throw(RangeError);
    all.dyn.pointTo(all.d3);
    expect([...all.dyn]).to.deep.equal([0.1, 0.2, 0.1 * 3]);
    expect(all.null_dyn.isNull).to.equal(true);
  });

  it('refuses views of another type and of another simulation', () => {
    const { all } = createFixture(SMALL);
    expect(() => all.vehicle.spare.pointTo(all.flags as never)).to.throw(
      TypeError,
      'a pointer to a Sensor cannot point at a Flags',
    );
    expect(() => all.vehicle.spare.pointTo(createFixture(SMALL).all.vehicle.sensor)).to.throw(
      TypeError,
      'a pointer needs a view of the same simulation to point at',
    );
    expect(all.vehicle.spare.at(0).label).to.equal('gps');
  });
});

describe('arrays of everything', () => {
  it('nest structures, text, flags and sequences', () => {
    const Cell = struct('Cell', { on: bool([2, 2]), tags: array(text(4), 2), path: array(vector(int(), 3), 2) });
    const cells = object().component('cells', array(array(Cell, 2), 2));
    const cell = cells[1][0];
    cell.on[1][0] = true;
    cell.tags[1] = 'x';
    cell.path[1].push(5);
    expect([...cell.on[1]]).to.deep.equal([true, false]);
    expect([...cell.tags]).to.deep.equal(['', 'x']);
    expect([...cells[0][0].path[1], ...cells[1][0].path[1]]).to.deep.equal([5]);
  });

  it('are there in any length', () => {
    const long = object().component('long', array(struct('Point', { x: double(), on: bool() }), 2000));
    (long[1999] as { x: number }).x = 4;
    expect([long.length, long[1999]?.x, long[1998]?.x, long[2000]]).to.deep.equal([2000, 4, 0, undefined]);
    expect([...long].filter(({ x }) => x === 4)).to.have.length(1);
  });

  it('point at each other', () => {
    const Link = struct('Link', { to: array(pointer(double()), 2) });
    const o = object();
    const link = o.component('link', Link, { to: [[1, 2], [3]] });
    expect([...link.to].map((to) => [...to])).to.deep.equal([[1, 2], [3]]);
  });
});
