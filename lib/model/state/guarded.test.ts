// An assignment to a view writes the state or throws: none does nothing without a word.
import { expect } from 'chai';
import { Catalog } from './catalog.js';
import { type AnyDeclared, array, bool, chars, double, enumeration, int, pointer, struct, text } from './declare.js';
import { deque, list, map, pair, set, vector } from './declare-containers.js';
import { readVariable } from './read.js';
import { State } from './state.js';

const Sensor = struct('Sensor', { a: int(), of: double(2) });

/** Each kind of value with its initial one, another element, and whether elements are assigned by index. */
const KINDS: Readonly<Record<string, readonly [AnyDeclared, initial: unknown, element: unknown, isIndexed: boolean]>> =
  {
    'a vector of numbers': [vector(double(), 4), [1, 2], 7, true],
    'a vector of texts': [vector(text(8), 4), ['a', 'b'], 'zz', true],
    'a list': [list(int(), 4), [1, 2], 7, true],
    'a deque of structures': [deque(Sensor, 4), [{ a: 1 }, { a: 2 }], { a: 7, of: [0, 1] }, true],
    'a vector of vectors': [vector(vector(int(), 3), 3), [[1], [2]], [7, 8], true],
    'a map': [map(text(8), double(), 4), [['k', 1]], 7, false],
    'a set': [set(int(), 4), [1, 2], 7, false],
    'a pointer': [pointer(double()), [1, 2], 7, true],
    'a pair': [pair(int(), double()), [1, 2], 7, false],
    'an array of texts': [array(text(8), 2), ['a', 'b'], 'zz', true],
    'an array of characters': [chars([2, 8]), ['a', 'b'], 'zz', true],
    'an array of truth values': [bool(2), [false, false], true, true],
    'an array of labels': [array(enumeration('Way', ['OUT', 'HOME']), 2), ['OUT', 'OUT'], 'HOME', true],
    'an array of structures': [array(Sensor, 2), [{ a: 1 }, { a: 2 }], { a: 7 }, false],
    'a long array of structures': [array(Sensor, 2000), undefined, { a: 7 }, false],
    'an array of arrays': [double([2, 2]), undefined, [7, 8], false],
    'an array of numbers': [double(2), [1, 2], 7, true],
    'a structure': [Sensor, { a: 1 }, 7, false],
  };

describe('a view', () => {
  for (const [what, [declared, initial, element, isIndexed]] of Object.entries(KINDS)) {
    const made = () => {
      const state = new State();
      const view = state.addObject('o').component('x', declared as never, initial as never) as Record<string, unknown>;
      const seen = (): unknown => {
        const variable = new Catalog(state.describe()).find('o.x');
        return variable && readVariable(variable, state.arena.memory);
      };
      return { view, seen };
    };

    it(`of ${what} ${isIndexed ? 'writes' : 'refuses'} an assignment to an element`, () => {
      const { view, seen } = made();
      const before = JSON.stringify(seen());
      const assign = (): void => {
        view[1] = element;
      };
      if (isIndexed) assign();
      else expect(assign).to.throw(TypeError);
      expect(JSON.stringify(seen()) === before).to.equal(!isIndexed);
    });

    it(`of ${what} refuses an assignment to what it does not have`, () => {
      const { view, seen } = made();
      const before = JSON.stringify(seen());
      // Typed arrays of JavaScript itself leave out what is outside them.
      const outside = ArrayBuffer.isView(view) ? [] : ['2000', '2', '-1'];
      for (const key of [...outside, 'name', 'capacity', '1.5x', Symbol('s') as never as string])
        expect(() => {
          view[key] = element;
        }, String(key)).to.throw(/outside|no |Cannot|view of the state|use /);
      expect(JSON.stringify(seen())).to.equal(before);
      expect(Object.keys(view)).to.not.include('name');
    });
  }

  it('of a vector reads by index as an array does', () => {
    const view = new State().addObject('o').component('x', vector(double(), 4), [1, 2]);
    expect([view[0], view[1], view[2], view[-1], 'push' in view, `${view}`]).to.deep.equal([
      1,
      2,
      undefined,
      undefined,
      true,
      '[object Object]',
    ]);
    view[1] = 9;
    expect([...view]).to.deep.equal([1, 9]);
    expect(() => {
      view[2] = 3;
    }).to.throw(RangeError, 'index 2 is outside 0 to 1');
    view.length = 0;
    expect(() => {
      view[0] = 3;
    }).to.throw(RangeError, 'there is no index 0: it is empty');
  });

  it('of a list refuses an element that does not fit, and changes nothing', () => {
    const view = new State().addObject('o').component('x', list(int(), 4), [1, 2]);
    expect(() => {
      view[0] = 1e12;
    }).to.throw('a whole number from -2147483648 to 2147483647; the number 1000000000000 does not fit');
    expect([...view]).to.deep.equal([1, 2]);
  });
});
