// What a bridge finds out of a simulation that is a table of values.
import { expect } from 'chai';
import { MOST_ELEMENTS } from './lengths.js';
import { MOST_PARTS, survey } from './survey.js';
import type { DescribedMember, TrickEnd } from './trick-end.js';

const member = (name: string, type: string, ...dimensions: number[]): DescribedMember => ({
  name,
  type,
  dimensions,
  units: '--',
  about: '',
  io: 15,
});
const SENSOR: readonly DescribedMember[] = [member('id', 'int'), member('label', 'char', 0)];

/**
 * @param hasValue which names the simulation answers with a value.
 * @param elements how many each pointer leads to, with room for any number where Trick does not know it.
 */
function endOf(
  members: readonly DescribedMember[],
  hasValue = (_: string) => true,
  elements: Readonly<Record<string, number | 'any'>> = {},
  sizes: Readonly<Record<string, number>> = {},
) {
  const there = new Set(
    Object.entries(elements).flatMap(([path, count]) =>
      count === 'any' ? [`${path}[any]`] : Array.from({ length: count }, (_, index) => `${path}[${index}]`),
    ),
  );
  const asked: string[] = [];
  const described = {
    classes: new Map([
      ['CraftSimObject', members],
      ['Sensor', SENSOR],
    ]),
    enumerations: new Map<string, ReadonlyMap<string, number>>(),
    topLevel: [member('craft', 'CraftSimObject')],
  };
  const end: Partial<TrickEnd> = {
    describe: async () => ({ text: '', described }),
    readable: async (names) => {
      asked.push(...names);
      return new Set(names.filter(hasValue));
    },
    get: async () => [0.01],
    exist: async (names) => names.map((name) => there.has(name) || there.has(name.replace(/\[\d+\]$/, '[any]'))),
    sizes: async (names) => names.map((name) => sizes[name]),
  };
  return { end: end as TrickEnd, asked };
}

const aliases = (components: readonly { readonly alias: string }[]) => components.map(({ alias }) => alias);

describe('the survey of a bridge', () => {
  it('asks for each name before it shows it, and leaves out those without a value, in all elements', async () => {
    const { end, asked } = endOf(
      [member('x', 'double'), member('dead', 'double'), member('sensors', 'Sensor', 2)],
      (name) => !name.endsWith('dead') && name !== 'craft.sensors[1].label',
    );
    const { components, leftOut, frameSeconds } = await survey(end);
    expect(asked).to.have.length(6);
    expect(aliases(components)).to.deep.equal(['x', 'sensors']);
    expect(components[1]?.parts.map(({ path }) => path)).to.deep.equal(['craft.sensors[0].id', 'craft.sensors[1].id']);
    expect(leftOut).to.equal(
      'left out, because they have no value that fits in a message: craft.dead, craft.sensors.label',
    );
    expect(frameSeconds).to.equal(0.01);
  });

  it('finds out how long pointers and containers are, and asks for what they lead to', async () => {
    const lengths = { 'craft.one': 1, 'craft.five': 5, 'craft.most': MOST_ELEMENTS, 'craft.inside': 'any' } as const;
    const names = ['null', ...Object.keys(lengths).map((path) => path.slice('craft.'.length))];
    const { end, asked } = endOf(
      [
        ...names.map((name) => member(name, 'double', 0)),
        member('v', 'std__vector<Sensor>'),
        member('w', 'std__deque<int>'),
        member('unknown', 'std__vector<int>'),
      ],
      undefined,
      lengths,
      { 'craft.v': 20, 'craft.w': 0 },
    );
    const found = await survey(end);
    expect(Object.fromEntries(found.lengths)).to.deep.equal({
      ...lengths,
      'craft.inside': 1,
      'craft.v': 20,
      'craft.w': 0,
    });
    expect(aliases(found.components)).to.deep.equal([...names, 'v', 'w']);
    const roomOf = ({ declared: { type } }: (typeof found.components)[number]) =>
      type.kind === 'sequence' ? type.capacity : undefined;
    expect(found.components.slice(-2).map(roomOf)).to.deep.equal([64, 16]);
    expect(asked.filter((name) => !name.startsWith('craft.most'))).to.deep.equal([
      'craft.one[0]',
      ...[0, 1, 2, 3, 4].map((index) => `craft.five[${index}]`),
      'craft.inside[0]',
      'craft.v[0].id',
      'craft.v[0].label',
    ]);
    asked.length = 0;
    await survey(end, found);
    expect(asked).to.deep.equal([]);
  });

  it('leaves out whole components when there is too much, and says so', async () => {
    const { end, asked } = endOf([
      member('first', 'double'),
      member('many', 'Sensor', MOST_PARTS / 2),
      member('last', 'int'),
    ]);
    const { components, leftOut } = await survey(end);
    expect(aliases(components)).to.deep.equal(['first', 'last']);
    expect(asked).to.deep.equal(['craft.first', 'craft.last']);
    expect(leftOut).to.equal(`left out, because they are more than ${MOST_PARTS} values: craft.many`);
  });
});
