// Long lists of numbers: they become what short ones become, and get the same sentences, in turns.
import { expect } from 'chai';
import { Catalog } from '../../model/state/catalog.js';
import {
  array,
  bool,
  describe as described,
  double,
  enumeration,
  int,
  longLong,
  struct,
  unsignedInt,
} from '../../model/state/declare.js';
import { vector } from '../../model/state/declare-containers.js';
import { isPacked } from '../../model/state/packed-numbers.js';
import { State } from '../../model/state/state.js';
import type { Variable } from '../../model/state/variable.js';
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
  many.component(
    'log',
    struct('Log', { size: int(), row: double(COUNT), id: described(int(), { access: 'read-only' }) }),
  );
  many.component('points', array(struct('Point', { x: double(), at: int(3) }), COUNT));
  many.component('modes', array(enumeration('Mode', ['OFF', 'ON']), COUNT));
  many.component('counts', array(unsignedInt(), COUNT));
  many.component('switches', array(bool(), COUNT));
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
  /** What becomes of it, and in how many turns. */
  async function inTurns(path: string, json: JsonValue, units?: string): Promise<{ became: unknown; turns: number }> {
    let turns = 1;
    const turn = async () => void turns++;
    const work = readyList(catalog.find(path) as Variable, json, units, turn);
    const became = await work.catch((error: Error) => `${error.name}: ${error.message}`);
    return { became, turns };
  }
  const atOnce = (path: string, json: JsonValue, units?: string): unknown =>
    outcome(() => readyValue(catalog.find(path) as Variable, json, units));

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
    'integers with fractions': ['many.ints', list((values) => values.splice(4000, 1, -7.9))],
    'the least and the greatest integer': [
      'many.ints',
      list((values) => values.splice(4000, 2, -(2 ** 31), 2 ** 31 - 1)),
    ],
    'an integer just above': ['many.ints', list((values) => values.splice(4000, 1, 2 ** 31))],
    'an integer below 0 that may have no sign': ['many.counts', list((values) => values.splice(4000, 1, -1))],
    'truth values among integers': ['many.ints', list((values) => values.splice(4000, 1, true))],
    'a structure with its other members': ['many.log', { size: 3, row: list() }],
    'a word in a list of a structure': ['many.log', { row: list((values) => values.splice(4000, 1, 'word')) }],
    'a word beside a list of a structure': ['many.log', { row: list(), size: 'word' }],
    'a list for a member that is not there': ['many.log', { rows: list() }],
    'a list for a member that may not be set': ['many.log', { id: list() }],
    'a structure with units': ['many.log', { row: list() }, 'cm'],
    structures: ['many.points', list().map((x) => ({ x, at: [1, 2, 3] }))],
    'structures, one with a short list': [
      'many.points',
      [...list(undefined, COUNT - 1).map((x) => ({ x })), { x: 1, at: [1, 2] }],
    ],
    'a large number for a wide integer': ['many.wide', list((values) => values.splice(4000, 1, 2 ** 53))],
    'structures with units': ['many.points', list().map((x) => ({ x })), 'cm'],
    'structures, one with a word': [
      'many.points',
      [...list(undefined, 4000).map((x) => ({ x })), { x: 1, at: [1, 'word'] }],
    ],
    'labels and numbers': ['many.modes', list().map((x) => ((x as number) % 2 > 0 ? 'ON' : 0))],
    'a label that is not there': ['many.modes', [...list(undefined, 4000).map(() => 'ON'), 'UP']],
    switches: ['many.switches', list().map((x) => (x as number) % 3 > 0)],
  };
  for (const [what, [path, json, units]] of Object.entries(cases)) {
    it(`becomes what it becomes at once: ${what}`, async () => {
      expect((await inTurns(path, json, units)).became).to.deep.equal(atOnce(path, json, units));
    });
  }

  it('takes a turn for each thousand', async () => {
    expect((await inTurns('many.ints', list())).turns).to.be.at.least(COUNT / 1024);
    expect((await inTurns('many.rows', [list(), list()])).turns).to.be.at.least((2 * COUNT) / 1024);
    expect((await inTurns('many.log', { size: 3, row: list() })).turns).to.be.at.least(COUNT / 1024);
    expect(
      (
        await inTurns(
          'many.modes',
          list().map(() => 'ON'),
        )
      ).turns,
    ).to.be.at.least(COUNT / 1024);
    expect(
      (
        await inTurns(
          'many.points',
          list().map((x) => ({ x })),
        )
      ).turns,
    ).to.be.at.least(COUNT / 1024);
  });

  it('is packed as the state stores it', async () => {
    for (const path of ['many.ints', 'many.doubles', 'many.some', 'many.switches'])
      expect(isPacked((await inTurns(path, list())).became), path).to.equal(true);
    const { row } = (await inTurns('many.log', { row: list() })).became as { readonly row: unknown };
    expect(isPacked(row)).to.equal(true);
  });

  it('is long by all that its lists hold', () => {
    expect([1, 'x', null, list(undefined, 1024), [[1, 2], [3]]].map(isLong)).to.deep.equal(Array(5).fill(false));
    expect([list(undefined, 1025), Array(40).fill(list(undefined, 30))].map(isLong)).to.deep.equal([true, true]);
    expect([{ row: list(undefined, 1025) }, { row: list(undefined, 9), size: 1 }].map(isLong)).to.deep.equal([
      true,
      false,
    ]);
  });
});
