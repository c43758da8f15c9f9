// The world of the next catalog, made from what has changed, is the one that looking at all objects would make.
import { expect } from 'chai';
import fc from 'fast-check';
import { Catalog } from '../model/catalog.js';
import { type AnyDeclared, double, struct } from '../model/declare.js';
import { State } from '../model/state.js';
import { runs } from '../testing/aids/run-counts.js';
import { World } from './world.js';

const TYPES: readonly AnyDeclared[] = [
  struct('Position', { x: double() }),
  struct('server::Position', { x: double() }),
  struct('other::Mass', { kg: double() }),
  double(),
];
const NAMES = ['a', 'b', 'c', 'd', 'e'];

type Step = readonly [act: 'add' | 'drop' | 'insert' | 'remove' | 'move', object: number, which: number];

function change(state: State, [act, object, which]: Step): void {
  const name = NAMES[object] as string;
  const other = NAMES[which % NAMES.length] as string;
  const alias = `m${which % TYPES.length}`;
  const hasObject = state.hasObject(name);
  if (act === 'add') {
    const parent = state.hasObject(other) && other !== name ? { parent: state.object(other) } : {};
    if (!hasObject) state.addObject(name, parent);
  } else if (!hasObject) return;
  else if (act === 'drop') state.removeObject(name);
  else if (act === 'insert') {
    if (!state.aliasesOf(name).includes(alias))
      state.addComponent(name, alias, TYPES[which % TYPES.length] as AnyDeclared);
  } else if (act === 'remove') {
    if (state.aliasesOf(name).includes(alias)) state.removeComponents(name, [alias], 'all');
  } else if (state.hasObject(other) && !state.family(name).some((one) => one.name === other))
    state.reparent(name, other);
}

/** All that can be asked of a complete world. */
function shown(world: World): unknown {
  const shortNames = ['Position', 'Mass', 'm3', 'Name', 'ChildOf'];
  return {
    paths: world.paths,
    types: world.paths.map((path) => world.type(path)?.type),
    owners: world.paths.map((path) => world.ownersOf(path)?.map(({ name }) => name)),
    shortNames: shortNames.map((name) => world.resolve(name)),
    objects: world.catalog.objects.map((object) => ({
      found: world.object(object.number) === object,
      children: world.children(object).map(({ name }) => name),
      paths: world.pathsOf(object),
    })),
  };
}

const whole = (catalog: Catalog): World => {
  const world = new World(catalog, 'sim');
  for (const _ of world.complete());
  return world;
};

describe('a world that follows another one', () => {
  const step = fc.tuple(
    fc.constantFrom('add', 'add', 'drop', 'insert', 'insert', 'remove', 'move'),
    fc.nat(NAMES.length - 1),
    fc.nat(20),
  ) as fc.Arbitrary<Step>;

  it('is the same as one that has looked at all objects', () => {
    fc.assert(
      fc.property(fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { maxLength: 20 }), (rounds) => {
        const state = new State();
        state.addType(TYPES[1] as AnyDeclared, { name: 'server::Position' });
        let catalog = new Catalog(state.describe());
        let before = whole(catalog);
        for (const [index, steps] of rounds.entries()) {
          for (const one of steps) change(state, one);
          const changes = state.changesSince(catalog.version);
          if (!changes) throw new Error('the changes are not known');
          catalog = new Catalog(changes, catalog);
          // A world that nobody has asked for is left out.
          if (index % 3 === 1) continue;
          const next = new World(catalog, 'sim');
          next.follow(before);
          expect(next.isComplete).to.equal(true);
          expect(shown(next)).to.deep.equal(shown(whole(catalog)));
          before = next;
        }
      }),
      { numRuns: runs(300) },
    );
  });

  it('leaves the earlier one as it was', () => {
    const state = new State();
    state.addObject('a').component('m', TYPES[0] as never);
    const first = new Catalog(state.describe());
    const before = whole(first);
    const was = shown(before);
    state.addObject('b', { parent: state.object('a') }).component('m', TYPES[2] as never);
    state.removeComponents('a', ['m'], 'all');
    const next = new World(new Catalog(state.changesSince(first.version) as never, first), 'sim');
    next.follow(before);
    expect(next.isComplete).to.equal(true);
    expect(shown(before)).to.deep.equal(was);
  });

  it('is not complete when too much has changed, or an unknown part, or the types', () => {
    const state = new State();
    const first = new Catalog(state.describe());
    const before = whole(first);
    const follows = (catalog: Catalog): boolean => {
      const world = new World(catalog, 'sim');
      world.follow(before);
      return world.isComplete;
    };
    state.addObject('one');
    const next = new Catalog(state.changesSince(first.version) as never, first);
    expect(follows(next)).to.equal(true);
    expect(follows(new Catalog(state.describe()))).to.equal(false);
    state.addType(TYPES[0] as AnyDeclared, {});
    expect(follows(new Catalog(state.changesSince(first.version) as never, first))).to.equal(false);
    for (let index = 0; index < 300; index++) state.addObject(`many${index}`);
    expect(follows(new Catalog(state.changesSince(next.version) as never, next))).to.equal(false);
  });
});
