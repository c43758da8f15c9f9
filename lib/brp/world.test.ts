// The world of the next catalog, made from what has changed, is the one that looking at all objects would make.
import { expect } from 'chai';
import fc from 'fast-check';
import { Catalog } from '../model/catalog.js';
import { type AnyDeclared, double, struct } from '../model/declare.js';
import { State } from '../model/state.js';
import { Slice } from '../scheduling/slice.js';
import type { Source } from '../source/source.js';
import { runs } from '../testing/aids/run-counts.js';
import { CHILDREN } from './built-in.js';
import { matching, type Query, readQuery } from './query.js';
import { completeWorldOf, IncompleteError, World, worldOf } from './world.js';

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

describe('a world of very many objects', () => {
  const COUNT = 3000;
  let state: State;
  let catalog: Catalog;
  let source: Source;
  let made = 0;
  /** How often the objects were gone through. */
  let walks: number;
  /** Thrown by who goes through them. */
  let fault: Error | undefined;

  /** Notes who goes through all objects; nobody may have a list of them. */
  const noted = (one: Catalog): Catalog =>
    Object.defineProperties(one, {
      objects: { get: () => expect.fail('it makes a list of all objects') },
      eachObject: {
        value: () => {
          walks++;
          if (fault) throw fault;
          return Catalog.prototype.eachObject.call(one);
        },
      },
    });

  function next(): Catalog {
    catalog = noted(new Catalog(state.changesSince(catalog.version) as never, catalog));
    Object.assign(source, { catalog });
    return catalog;
  }

  /** Five hundred objects come, and the oldest five hundred go. */
  function renew(): void {
    const names = state.describe().objects.map(({ name }) => name);
    for (const name of names.slice(1, 501)) state.removeObject(name);
    const parent = state.object('root');
    for (let index = 0; index < 500; index++) state.addObject(`new${made++}`, { parent });
  }

  /** So many objects come. */
  function grow(count: number): void {
    const parent = state.object('root');
    for (let index = 0; index < count; index++) state.addObject(`grown${made++}`, { parent });
    next();
  }

  /** More names than the history has. */
  const loseHistory = (): void => {
    for (let times = 0; times < 12; times++) grow(1000);
  };

  /** Looks at the clock always find that the slice is over. */
  const shortSlice = () => {
    let millis = 0;
    return new Slice(() => millis++);
  };

  const inSlices = <T>(work: Generator<void, T>): readonly [slices: number, result: T] => {
    for (let slices = 1; ; slices++) {
      const step = work.next();
      if (step.done) return [slices, step.value];
    }
  };

  const numbers = (world: World): number[] =>
    world.children(world.catalog.object('root') as never).map(({ number }) => number);

  const fresh = (): World => {
    const world = new World(new Catalog(state.describe()), 'sim');
    for (const _ of world.complete());
    return world;
  };

  beforeEach(() => {
    state = new State();
    const parent = state.addObject('root');
    for (let index = 1; index < COUNT; index++) state.addObject(`n${index}`, { parent });
    catalog = noted(new Catalog(state.describe()));
    source = { catalog, info: { name: 'sim' } } as unknown as Source;
    walks = 0;
    fault = undefined;
  });

  it('looks at none before it is complete', () => {
    const world = worldOf(source);
    const root = catalog.object('root') as never;
    for (const look of [
      () => world.object(1),
      () => world.children(root),
      () => world.pathsOf(root),
      () => world.has(root, world.paths[0] as string),
    ])
      expect(look).to.throw(IncompleteError);
    expect(world.object(undefined)).to.equal(undefined);
    expect(walks).to.equal(0);
  });

  it('is made in slices, once for all who wait', () => {
    const world = worldOf(source);
    const [one, other] = [world.complete(shortSlice()), world.complete(shortSlice())];
    let slices = 0;
    while (!world.isComplete) {
      slices++;
      (slices % 2 ? one : other).next();
    }
    expect(walks).to.equal(1);
    expect(slices).to.be.within(100, 1000);
    expect(numbers(world)).to.deep.equal(numbers(fresh()));
  });

  it('follows an earlier one in slices when many objects have changed', () => {
    inSlices(worldOf(source).complete());
    renew();
    next();
    const world = worldOf(source);
    expect(world.isComplete).to.equal(false);
    const [slices] = inSlices(world.complete(shortSlice()));
    expect(slices).to.be.above(50);
    expect(walks).to.equal(1);
    expect(numbers(world)).to.deep.equal(numbers(fresh()));
  });

  it('is queried without a list of all objects', () => {
    const [, world] = inSlices(completeWorldOf(source, shortSlice()));
    const data = { components: [], option: [], has: [] };
    const query = readQuery(world, { data, filter: { with: [], without: [CHILDREN] } }, 'strict') as Query;
    const [slices, found] = inSlices(matching(world, query, shortSlice()));
    expect(found.map(({ number }) => number)).to.deep.equal(numbers(world));
    expect(slices).to.be.above(10);
  });

  it('looks at all objects again when most have changed', () => {
    inSlices(worldOf(source).complete());
    for (let times = 0; times < 5; times++) renew();
    next();
    const world = worldOf(source);
    inSlices(world.complete(shortSlice()));
    expect(walks).to.equal(2);
    expect(numbers(world)).to.deep.equal(numbers(fresh()));
  });

  it('looks at all objects when the history is lost, and the next ones wait for that', () => {
    const first = worldOf(source);
    first.complete(shortSlice()).next();
    next();
    const waiting = worldOf(source).complete(shortSlice());
    waiting.next();
    loseHistory();
    const later = worldOf(source);
    expect([walks, later.looksAtAll]).to.deep.equal([1, false]);
    later.complete(shortSlice()).next();
    expect([walks, later.looksAtAll]).to.deep.equal([2, true]);
    state.removeObject('n7');
    next();
    const last = worldOf(source);
    inSlices(last.complete(shortSlice()));
    expect([walks, later.isComplete]).to.deep.equal([2, true]);
    expect(numbers(last)).to.deep.equal(numbers(fresh()));
    inSlices(waiting);
    expect(worldOf(source)).to.equal(last);
    expect(walks).to.equal(2);
  });

  it('is looked at twice when the history is lost while twenty wait, each for the world of another catalog', () => {
    let waiting = Array.from({ length: 20 }, () => {
      const work = completeWorldOf(source, shortSlice());
      work.next();
      grow(10);
      return work;
    });
    loseHistory();
    const found = new Set<World>();
    while (waiting.length > 0)
      waiting = waiting.filter((work) => {
        const { done, value } = work.next();
        if (done) found.add(value);
        return !done;
      });
    expect([...found]).to.deep.equal([worldOf(source)]);
    expect(walks).to.equal(2);
  });

  it('that is older and complete later does not displace one that looks at all objects', () => {
    const first = worldOf(source);
    first.complete(shortSlice()).next();
    loseHistory();
    const later = worldOf(source);
    later.complete(shortSlice()).next();
    grow(1);
    worldOf(source);
    inSlices(first.complete());
    grow(1);
    inSlices(worldOf(source).complete());
    expect([walks, later.isComplete]).to.deep.equal([2, true]);
  });

  it('is followed at once when up to 64 objects have changed, and in one piece when up to 500', () => {
    inSlices(worldOf(source).complete());
    const changed = [64, 65, 500, 501].map((count) => {
      grow(count);
      const world = worldOf(source);
      const { isComplete, isNear } = world;
      inSlices(world.complete());
      return [isComplete, isNear];
    });
    expect(changed).to.deep.equal([
      [true, true],
      [false, true],
      [false, true],
      [false, false],
    ]);
  });

  it('is refused when most objects change during each look at all of them', () => {
    const work = completeWorldOf(source, shortSlice());
    let slices = 0;
    let seen = 0;
    const advance = (): void => {
      while (!work.next().done && slices++ < 20_000) {
        if (walks === seen) continue;
        seen = walks;
        for (let times = 0; times < 4; times++) renew();
        next();
      }
    };
    expect(advance)
      .to.throw('objects come and go faster than they can be looked at; ask again later')
      .with.property('code', -23418);
    expect(walks).to.equal(20);
  });

  it('is made anew after a fault', () => {
    fault = new Error('a fault');
    expect(() => inSlices(completeWorldOf(source, shortSlice()))).to.throw('a fault');
    fault = undefined;
    const [, world] = inSlices(completeWorldOf(source, shortSlice()));
    expect(world.isComplete).to.equal(true);
    expect(numbers(world)).to.deep.equal(numbers(fresh()));
  });

  it('is complete although objects come and go in each slice', () => {
    const work = completeWorldOf(source, shortSlice());
    let world: World | undefined;
    let slices = 0;
    while (!world) {
      const step = work.next();
      if (step.done) world = step.value;
      else if (slices++ < 2000) {
        state.addObject(`later${slices}`, { parent: state.object('root') });
        next();
        // Others ask meanwhile; each goes on with the work that was begun.
        worldOf(source).complete(shortSlice()).next();
      }
    }
    expect(world.catalog).to.equal(source.catalog);
    expect(walks).to.equal(1);
    expect(slices).to.be.below(1000);
    expect(numbers(world)).to.deep.equal(numbers(fresh()));
  });
});
