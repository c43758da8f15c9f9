// Sets, maps and pairs: as simulation code uses them, and what clients may store in them.
import { expect } from 'chai';
import fc from 'fast-check';
import { assign, convertFor } from './assign.js';
import { Catalog } from './catalog.js';
import { bool, double, enumeration, float, int, longLong, pointer, struct, text, wideText } from './declare.js';
import { map, pair, set, vector } from './declare-containers.js';
import type { Value } from './read.js';
import { readVariable } from './read.js';
import { State } from './state.js';
import { describeType } from './type.js';
import type { Variable } from './variable.js';

const Mode = enumeration('Mode', ['OFF', 'ON', 'SAFE']);
const Point = struct('Point', { x: double(), y: double() });

function built() {
  const state = new State();
  const object = state.addObject('o');
  const views = {
    ids: object.component('ids', set(int({ units: 'm' }), 5), [7, 3, 7, -1]),
    names: object.component('names', set(text(8), 4), ['b', 'a']),
    modes: object.component('modes', set(Mode, 3), ['SAFE', 'OFF']),
    gains: object.component('gains', map(text(8), double(), 4), [
      ['yaw', 3],
      ['pitch', 1],
      ['yaw', 2],
    ]),
    points: object.component('points', map(longLong(), Point, 3)),
    lists: object.component('lists', map(int(), vector(double(), 3), 3), [[2, [1, 2]]]),
    span: object.component('span', pair(double(), text(8)), [1.5, 'up']),
    grid: object.component('grid', set(pair(int(), int()), 4), [
      [1, 2],
      [0, 9],
      [1, 1],
    ]),
  };
  const catalog = new Catalog(state.describe());
  const read = (path: string) => readVariable(catalog.find(path) as Variable, state.arena.memory);
  const write = (path: string, value: Value) => {
    const variable = catalog.find(path) as Variable;
    assign(variable, state.arena.memory, convertFor(variable, value));
  };
  return { ...views, object, catalog, read, write };
}

describe('a set', () => {
  it('holds each value once, in order', () => {
    const { ids, names, modes, grid, read } = built();
    expect([...ids]).to.deep.equal([-1, 3, 7]);
    expect([ids.size, ids.capacity, ids.has(3), ids.has(4)]).to.deep.equal([3, 5, true, false]);
    expect([...names]).to.deep.equal(['a', 'b']);
    expect([...modes]).to.deep.equal(['OFF', 'SAFE']);
    expect(Array.from(grid, ({ first, second }) => [first, second])).to.deep.equal([
      [0, 9],
      [1, 1],
      [1, 2],
    ]);
    ids.add(5).add(3).add(-9);
    expect(read('o.ids')).to.deep.equal([-9, -1, 3, 5, 7]);
    expect([ids.delete(3), ids.delete(3), ids.size]).to.deep.equal([true, false, 4]);
    modes.add('ON');
    expect([modes.has('ON'), ...modes]).to.deep.equal([true, 'OFF', 'ON', 'SAFE']);
    ids.replace([2, 1]);
    expect([...ids]).to.deep.equal([1, 2]);
    ids.clear();
    expect(ids.size).to.equal(0);
  });

  it('refuses what has no room or does not fit, and changes nothing', () => {
    const { ids, read } = built();
    ids.add(100).add(101);
    expect(() => ids.add(102)).to.throw(RangeError, 'a sequence of capacity 5 cannot hold 6 elements');
    expect(() => ids.add(1.5)).to.throw('the key is an int; the number 1.5 does not fit');
    expect(() => ids.replace([1, 'x' as never])).to.throw(TypeError);
    expect(read('o.ids')).to.deep.equal([-1, 3, 7, 100, 101]);
  });

  it('is what a JavaScript set is, in order', () => {
    const step = fc.tuple(fc.constantFrom('add', 'delete'), fc.double({ noNaN: false }));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const own = new State().addObject('o').component('s', set(float(), 64));
        const model = new Set<number>();
        for (const [what, number] of steps) {
          const key = Math.fround(number) || 0;
          if (!Number.isFinite(key)) continue;
          own[what as 'add'](key);
          model[what as 'add'](key);
        }
        expect([...own]).to.deep.equal([...model].sort((a, b) => a - b));
      }),
    );
  });
});

describe('the order of texts', () => {
  it('is that of their bytes', () => {
    const names = new State().addObject('o').component('names', set(text(40), 8));
    const ordered = (...keys: string[]): readonly string[] => {
      names.replace(keys);
      return [...names];
    };
    const word = fc.string({ unit: 'grapheme', maxLength: 8 }).filter((key) => Buffer.byteLength(key) < 40);
    fc.assert(
      fc.property(fc.uniqueArray(word, { maxLength: 8 }), (keys) => {
        const inBytes = [...keys].sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
        expect(ordered(...keys)).to.deep.equal(inBytes);
      }),
    );
    expect(ordered('\u{1f600}', '\uffe5')).to.deep.equal(['\uffe5', '\u{1f600}']);
  });
});

describe('a map', () => {
  it('holds the last value of each key, in the order of the keys', () => {
    const { gains, points, lists, read } = built();
    expect([...gains]).to.deep.equal([
      ['pitch', 1],
      ['yaw', 2],
    ]);
    gains.set('roll', 7).set('yaw', 4);
    expect([gains.get('yaw'), gains.get('x'), gains.size]).to.deep.equal([4, undefined, 3]);
    expect([...gains.keys()]).to.deep.equal(['pitch', 'roll', 'yaw']);
    expect([...gains.values()]).to.deep.equal([1, 7, 4]);
    points.set(5n, { x: 1 }).set(-5n, { x: 2, y: 3 });
    const point = points.get(5n);
    if (point) point.y = 9;
    expect(read('o.points')).to.deep.equal([
      { first: -5n, second: { x: 2, y: 3 } },
      { first: 5n, second: { x: 1, y: 9 } },
    ]);
    expect([...(lists.get(2) ?? [])]).to.deep.equal([1, 2]);
    expect([gains.delete('roll'), gains.has('roll')]).to.deep.equal([true, false]);
  });

  it('is read by entry, and its values can be written there, not its keys', () => {
    const { read, write } = built();
    expect(read('o.gains[1].first')).to.equal('yaw');
    write('o.gains[1].second', 9);
    expect(read('o.gains')).to.deep.equal([
      { first: 'pitch', second: 1 },
      { first: 'yaw', second: 9 },
    ]);
    expect(() => write('o.gains[1].first', 'x')).to.throw('o.gains[1].first is read-only');
    expect(() => write('o.ids[0]', 4)).to.throw('o.ids[0] is read-only');
  });

  it('is assigned whole by clients, in any order', () => {
    const { read, write } = built();
    write('o.gains', [['z', 1], { first: 'a', second: 2 }, ['z', 3]]);
    expect(read('o.gains')).to.deep.equal([
      { first: 'a', second: 2 },
      { first: 'z', second: 3 },
    ]);
    write('o.ids', [3, 1, 3]);
    expect(read('o.ids')).to.deep.equal([1, 3]);
    write('o.span', [2, 'down']);
    expect(read('o.span')).to.deep.equal({ first: 2, second: 'down' });
    expect(() => write('o.gains', [['z']])).to.throw(
      'o.gains[0] is a std::pair<const std::string, double>; a list of 1 does not fit',
    );
    expect(() => write('o.gains', [{ first: 'z' }])).to.throw('o.gains[0] lacks its member second');
    expect(() => write('o.span', { first: 3 })).to.throw('o.span lacks its member second');
    expect(() => write('o.gains', [5])).to.throw('does not fit');
    expect(() => write('o.ids', [1, 2, 3, 4, 5, 6])).to.throw('room for 5');
  });
});

describe('a declaration of a set or map', () => {
  it('refuses keys without an order and a capacity that is none', () => {
    const Row = struct('Row', { x: double() });
    expect(() => set(Row, 3)).to.throw(
      RangeError,
      'the keys of a set are numbers, enumerations, texts or pairs of them, not Row',
    );
    expect(() => map(pointer(int()), int(), 3)).to.throw(RangeError, 'the keys of a map are');
    expect(() => set(pair(int(), Row), 3)).to.throw(RangeError, 'not Row');
    expect(() => map(int(), int(), 0)).to.throw('a map needs a capacity of at least 1 element, not 0');
    expect(describeType(set(pair(bool(), wideText()), 3).type)).to.equal('std::set<std::pair<bool, std::wstring>>');
  });

  it('names its type as C++ does', () => {
    const { catalog } = built();
    const names = catalog.structures().map(({ name }) => name);
    expect(names).to.include('Point');
    expect(names.filter((name) => name.startsWith('std::'))).to.deep.equal([]);
  });
});
