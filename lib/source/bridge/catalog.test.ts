// What a bridge shows of a description, and what it asks for.
import { expect } from 'chai';
import { describeType } from '../../model/state/type.js';
import { componentsOf, elementsOf, type MeasuredPart, partsOf } from './catalog.js';
import type { Described, DescribedMember } from './trick-end.js';

const member = (name: string, type: string, ...dimensions: number[]): DescribedMember => ({
  name,
  type,
  dimensions,
  units: 'm',
  about: '',
  io: 15,
});

const described = (members: readonly DescribedMember[], classes: Described['classes'] = new Map()): Described => ({
  classes: new Map([['CraftSimObject', members], ...classes]),
  enumerations: new Map([['Phase', new Map([['COAST', 2]])]]),
  topLevel: [member('craft', 'CraftSimObject'), member('trick_sys', 'CraftSimObject'), member('x', 'double')],
});

const shown = (of: Described, isLeftOut = (_: string) => false): string[] =>
  componentsOf(of, isLeftOut).map(({ object, alias }) => `${object}.${alias}`);
const asked = (of: Described): string[] =>
  componentsOf(of, () => false).flatMap(({ object, alias, declared }) =>
    [...partsOf(`${object}.${alias}`, declared.type)].map(({ path }) => path),
  );

describe('the catalog of a bridge', () => {
  it('leaves out what it cannot show: unknown types, what nobody may read, containers of which Trick finds no elements', () => {
    const members = [
      member('a', 'double'),
      member('pp', 'double', 0, 0),
      member('v', 'std__vector<std__vector<double>>'),
      member('m', 'std__map<int, int>'),
      member('vc', 'std__vector<char>'),
      member('several', 'std__vector<double>', 2),
      member('u', 'Unknown'),
      { ...member('n', 'double'), io: 0 },
      member('long_text', 'char', 9000),
      member('text', 'char', 0),
      member('phase', 'Phase'),
      member('s', 'std__string'),
    ];
    expect(shown(described(members))).to.deep.equal(['craft.a', 'craft.text', 'craft.phase', 'craft.s']);
    expect(shown(described(members), (path) => path === 'craft.phase')).to.not.include('craft.phase');
  });

  it('shows pointers and containers, and behind them none', () => {
    const node = [member('x', 'double'), member('next', 'Node', 0), member('log', 'std__vector<int>')];
    const members = [
      member('p', 'double', 0),
      member('nodes', 'Node', 0),
      member('several', 'double', 2, 0),
      member('v', 'std__vector<double>'),
      member('d', 'std::deque<Node>'),
      member('a', 'std__array<short, 3>'),
    ];
    const of = described(members, new Map([['Node', node]]));
    const types = componentsOf(
      of,
      () => false,
      (path) => path.length,
    ).map(({ declared }) => describeType(declared.type));
    expect(types).to.deep.equal([
      'double*',
      'Node*',
      'double[2]*',
      'std::vector<double>',
      'std::deque<Node>',
      'std::array<short, 3>',
    ]);
    expect(asked(of)).to.deep.equal([
      'craft.p',
      'craft.nodes',
      'craft.several[0]',
      'craft.several[1]',
      'craft.v',
      'craft.d',
      'craft.a[0]',
      'craft.a[1]',
      'craft.a[2]',
    ]);
    const [, nodes] = [...componentsOf(of, () => false)].map(({ declared }) => ({ path: 'n', type: declared.type }));
    const part = { ...nodes, offsetBytes: 0 } as MeasuredPart;
    expect([...elementsOf(part, 2, 100)].map(({ path, offsetBytes }) => [path, offsetBytes])).to.deep.equal([
      ['n[0].x', 100],
      ['n[1].x', 108],
    ]);
  });

  it('ends where a class holds itself', () => {
    const node = new Map([['Node', [member('x', 'double'), member('next', 'Node')]]]);
    expect(asked(described([member('node', 'Node')], node))).to.deep.equal(['craft.node.x']);
  });

  it('asks for arrays of numbers whole, where they fit in a message, and for all others by their elements', () => {
    const sensor = new Map([['Sensor', [member('id', 'int'), member('label', 'char', 8)]]]);
    expect(asked(described([member('d', 'double', 2, 3), member('sensors', 'Sensor', 2)], sensor))).to.deep.equal([
      'craft.d',
      'craft.sensors[0].id',
      'craft.sensors[0].label',
      'craft.sensors[1].id',
      'craft.sensors[1].label',
    ]);
    expect(asked(described([member('rows', 'double', 2, 600), member('names', 'char', 2, 8)]))).to.deep.equal([
      'craft.rows[0]',
      'craft.rows[1]',
      'craft.names[0]',
      'craft.names[1]',
    ]);
    expect(asked(described([member('many', 'double', 1001)]))).to.have.length(1001);
    expect(asked(described([member('phases', 'Phase', 2)]))).to.deep.equal(['craft.phases[0]', 'craft.phases[1]']);
  });

  it('knows where each value lies', () => {
    const [component] = componentsOf(
      described([member('sensors', 'Sensor', 2)], new Map([['Sensor', [member('id', 'int'), member('x', 'double')]]])),
      () => false,
    );
    const parts = [...partsOf('s', component?.declared.type as never)];
    expect(parts.map(({ offsetBytes }) => offsetBytes)).to.deep.equal([0, 8, 16, 24]);
  });

  it('has one structure for a class, and another where members are left out', () => {
    const classes = new Map([['Sensor', [member('id', 'int'), member('x', 'double')]]]);
    const of = described([member('one', 'Sensor'), member('two', 'Sensor'), member('three', 'Sensor')], classes);
    const types = componentsOf(of, (path) => path === 'craft.three.x').map(({ declared }) => declared.type);
    expect(types[0]).to.equal(types[1]);
    expect(types[2]).to.have.property('members').with.length(1);
  });
});
