// Sets, maps, pairs, wide text and small enumerations in checkpoints. Trick: checkpoint_map.hh, checkpoint_pair.hh
import { expect } from 'chai';
import { double, enumeration, int, struct, text, wideChars, wideText } from '../../model/state/declare.js';
import { map, pair, set, vector } from '../../model/state/declare-containers.js';
import { State } from '../../model/state/state.js';
import { modelOf, readModelOf, takeOver } from './plan.js';
import { planLoad } from './reader.js';
import { writeCheckpoint } from './writer.js';

const dump = (state: State): string => writeCheckpoint(modelOf(state), state.arena.memory);
const load = (state: State, file: string): void => takeOver(state, planLoad(readModelOf(state), file)).end();
const Small = enumeration('Small', { LOW: 0, HIGH: 200 }, { storedAs: 'unsigned char' });
const Stl = struct('Stl', {
  ids: set(int(), 8),
  gains: map(text(8), double(), 4),
  lists: map(int(), vector(double(), 3), 3),
  spans: map(int(), pair(double(), int()), 3),
  span: pair(double(), text(8)),
  deep: pair(int(), vector(int(), 3)),
  none: map(int(), int(), 3),
  wide: wideText(20),
  name: wideChars(4),
  small: Small,
});
const FULL = {
  ids: [9, 2],
  gains: [
    ['yaw', 2],
    ['pitch', 0],
  ],
  lists: [
    [4, [1, 2]],
    [3, []],
  ],
  spans: [[7, [1.5, 8]]],
  span: [2.5, 'up'],
  deep: [5, [6, 7]],
  wide: 'été',
  name: '€a',
  small: 'HIGH',
} as const;

function built(initial?: object) {
  const state = new State();
  const all = state.addObject('o').component('s', Stl, initial as never);
  return { state, all };
}

const shown = ({ all }: ReturnType<typeof built>) => ({
  ids: [...all.ids],
  gains: [...all.gains],
  lists: Array.from(all.lists, ([key, list]) => [key, [...list]]),
  spans: Array.from(all.spans, ([key, { first, second }]) => [key, first, second]),
  rest: [all.span.first, all.span.second, all.deep.first, ...all.deep.second, all.none.size],
  texts: [all.wide, all.name, all.small],
});

describe('a checkpoint of containers', () => {
  it('has a map as its keys and its data, and a pair as its two halves', () => {
    const file = dump(built(FULL).state);
    const declared = file.split('\n').filter((line) => /^[a-z].* o_s_\w+\[/.test(line));
    expect(declared).to.deep.equal([
      'int o_s_ids[2];',
      'std::string o_s_gains_keys[2];',
      'double o_s_gains_data[2];',
      'int o_s_lists_keys[2];',
      'std::string o_s_lists_data[2];',
      'double o_s_lists_data_1[2];',
      'int o_s_spans_keys[1];',
      'std::string o_s_spans_data[1];',
      'double o_s_spans_data_0_first[1];',
      'int o_s_spans_data_0_second[1];',
      'double o_s_span_first[1];',
      'std::string o_s_span_second[1];',
      'int o_s_deep_first[1];',
      'std::string o_s_deep_second[1];',
      'int o_s_deep_second_inner[2];',
    ]);
    for (const name of ['ids', 'gains', 'lists', 'spans', 'span', 'deep', 'none'])
      expect(file).to.include(`// STL: o.s.${name}\n`);
    expect(file).to.include('o_s_gains_keys = \n    {"pitch", \n     "yaw"};\n');
    expect(file).to.include('o_s_gains_data = \n    {0, 2};\n');
    expect(file).to.include('o_s_deep_second = \n    {"inner"};\n');
    expect(file).to.include('o.s.small = HIGH;\n');
  });

  it('is read back as it was', () => {
    const before = built(FULL);
    const after = built({ ids: [1], gains: [['x', 1]], none: [[1, 1]] });
    load(after.state, dump(before.state));
    expect(shown(after)).to.deep.equal(shown(before));
    expect(dump(after.state)).to.equal(dump(before.state));
  });

  it('is put in order when it is read', () => {
    const { state, all } = built();
    load(
      state,
      [
        'int o_s_ids[3];',
        'std::string o_s_gains_keys[2];',
        'double o_s_gains_data[2];',
        'clear_all_vars();',
        'o.id = 1;',
        'o_s_ids = {5, 1, 5};',
        'o_s_gains_keys = {"b", "a"};',
        'o_s_gains_data = {1, 2};',
      ].join('\n'),
    );
    expect([...all.ids]).to.deep.equal([1, 5]);
    expect([...all.gains]).to.deep.equal([
      ['a', 2],
      ['b', 1],
    ]);
  });

  it('is refused when it has more than there is room for', () => {
    const { state, all } = built(FULL);
    expect(() => load(state, 'int o_s_none_keys[4];\no.id = 1;\no_s_none_keys = {1, 2, 3, 4};')).to.throw(
      'o.s.none has room for 3 elements, not 4',
    );
    expect([...all.ids]).to.deep.equal([2, 9]);
  });
});
