// Long lists of numbers: they become what short ones become, and get the same sentences, in slices.
import { expect } from 'chai';
import { Catalog } from '../model/catalog.js';
import { array, describe as described, double, int, longLong, struct } from '../model/declare.js';
import { vector } from '../model/declare-containers.js';
import { State } from '../model/state.js';
import type { Variable } from '../model/variable.js';
import { Slice } from '../scheduling/turns.js';
import type { JsonValue } from './json-value.js';
import { isLong, readyList, readyValue } from './long-lists.js';

const COUNT = 5000;

describe('a long list for a variable', () => {
  const state = new State();
  const many = state.addObject('many');
  many.component('doubles', double(COUNT, { units: 'm' }));
  many.component('ints', int(COUNT));
  many.component('wide', array(longLong(), COUNT));
  many.component('rows', array(array(double({ units: 'm' }), COUNT), 2));
  many.component('some', vector(double(), COUNT));
  many.component('positive', double(COUNT, { min: 1 }), Array(COUNT).fill(1));
  many.component('fixed', described(double(COUNT), { access: 'read-only' }));
  many.component('table', struct('Table', { row: double(COUNT) }));
  const catalog = new Catalog(state.describe());

  const list = (change: (list: JsonValue[]) => void = () => undefined, count = COUNT): JsonValue[] => {
    const values: JsonValue[] = Array.from({ length: count }, (_, k) => k);
    change(values);
    return values;
  };
  const outcome = (work: () => unknown): unknown => {
    try {
      return work();
    } catch (error) {
      return `${(error as Error).name}: ${(error as Error).message}`;
    }
  };
  /** What becomes of it, and in how many slices when each step takes longer than a slice. */
  function inSlices(path: string, json: JsonValue, units?: string): { became: unknown; slices: number } {
    let millis = 0;
    const slice = new Slice(() => (millis += 10));
    const work = readyList(catalog.find(path) as Variable, json, { path, units }, slice);
    let slices = 1;
    const became = outcome(() => {
      for (let step = work.next(); ; step = work.next(), slices++) if (step.done) return step.value;
    });
    return { became, slices };
  }
  const atOnce = (path: string, json: JsonValue, units?: string): unknown =>
    outcome(() => readyValue(catalog.find(path) as Variable, json, { path, units }));

  const cases: Readonly<Record<string, readonly [path: string, json: JsonValue, units?: string]>> = {
    doubles: ['many.doubles', list()],
    'a part of the doubles': ['many.doubles', list(undefined, 3000)],
    'doubles in other units': ['many.doubles', list(), 'cm'],
    ints: ['many.ints', list()],
    'wide integers, some as text': ['many.wide', list((values) => values.splice(4000, 1, '9007199254740993'))],
    'text for infinity': ['many.doubles', list((values) => values.splice(4000, 1, '-Infinity'))],
    rows: ['many.rows', [list(), list(undefined, 2000)], 'cm'],
    'a sequence': ['many.some', list(undefined, 3000)],
    'a structure': ['many.table', { row: list() }],
    'too many': ['many.doubles', list(undefined, COUNT + 1)],
    'too many for a sequence': ['many.some', list(undefined, COUNT + 1)],
    'too many in a row': ['many.rows', [list(), list(undefined, COUNT + 1)]],
    'a word': ['many.doubles', list((values) => values.splice(4000, 1, 'word'))],
    'a word in a row': ['many.rows', [list(), list((values) => values.splice(4000, 1, 'word'))]],
    'no row': ['many.rows', [list(), 5]],
    'a list where a number goes': ['many.ints', list((values) => values.splice(4000, 1, [1]))],
    'a word with units': ['many.doubles', list((values) => values.splice(4000, 1, 'word')), 'cm'],
    'units that do not convert': ['many.doubles', list(), 'kg'],
    'an integer that does not fit': ['many.ints', list((values) => values.splice(4000, 1, 2 ** 40))],
    'a number below the least': [
      'many.positive',
      list((values) => values.splice(0, 1, 3).concat(values.splice(4000, 1, 0))),
    ],
    'fewer than may be zero': ['many.positive', list((values) => values.splice(0, 1, 3), 3000)],
    'what may not be set': ['many.fixed', list()],
  };
  for (const [what, [path, json, units]] of Object.entries(cases)) {
    it(`becomes what it becomes at once: ${what}`, () => {
      expect(inSlices(path, json, units).became).to.deep.equal(atOnce(path, json, units));
    });
  }

  it('takes a slice for each thousand', () => {
    expect(inSlices('many.ints', list()).slices).to.be.at.least(COUNT / 1024);
    expect(inSlices('many.rows', [list(), list()]).slices).to.be.at.least((2 * COUNT) / 1024);
  });

  it('is long by all that its lists hold', () => {
    expect([1, 'x', null, list(undefined, 1024), [[1, 2], [3]]].map(isLong)).to.deep.equal(Array(5).fill(false));
    expect([list(undefined, 1025), Array(40).fill(list(undefined, 30))].map(isLong)).to.deep.equal([true, true]);
  });
});
