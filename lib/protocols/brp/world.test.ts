// The world of the next catalog, made from what has changed, is the one that looking at all objects would make.
import { expect } from 'chai';
import fc from 'fast-check';
import { Catalog } from '../../model/state/catalog.js';
import { type AnyDeclared, double, struct } from '../../model/state/declare.js';
import { State } from '../../model/state/state.js';
import type { Source } from '../../source/source.js';
import { runs } from '../../testing/aids/run-counts.js';
import { SteppedWork } from '../../testing/aids/stepped-work.js';
import { CHILDREN } from './built-in.js';
import { eachMatch, type Query, readQuery } from './query.js';
import { madeWorldOf, type World, worldOf } from './world.js';

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

const sourceOf = (catalog: Catalog): Source => ({ catalog, info: { name: 'sim' } }) as unknown as Source;

const completed = (source: Source): Promise<World> => madeWorldOf(source, async () => undefined);

const whole = (catalog: Catalog): Promise<World> => completed(sourceOf(catalog));

describe('a world that follows another one', () => {
  const step = fc.tuple(
    fc.constantFrom('add', 'add', 'drop', 'insert', 'insert', 'remove', 'move'),
    fc.nat(NAMES.length - 1),
    fc.nat(20),
  ) as fc.Arbitrary<Step>;

  it('is the same as one that has looked at all objects', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { maxLength: 20 }), async (rounds) => {
        const state = new State();
        state.addType(TYPES[1] as AnyDeclared, { name: 'server::Position' });
        let catalog = new Catalog(state.describe());
        const source = sourceOf(catalog);
        await completed(source);
        for (const [index, steps] of rounds.entries()) {
          for (const one of steps) change(state, one);
          const changes = state.changesSince(catalog.version);
          if (!changes) throw new Error('the changes are not known');
          catalog = new Catalog(changes, catalog);
          // A world that nobody has asked for is left out.
          if (index % 3 === 1) continue;
          Object.assign(source, { catalog });
          const next = worldOf(source);
          expect(shown(next as World)).to.deep.equal(shown(await whole(catalog)));
        }
      }),
      { numRuns: runs(300) },
    );
  });

  it('leaves the earlier one as it was', async () => {
    const state = new State();
    state.addObject('a').component('m', TYPES[0] as never);
    const first = new Catalog(state.describe());
    const source = sourceOf(first);
    const before = await completed(source);
    const was = shown(before);
    state.addObject('b', { parent: state.object('a') }).component('m', TYPES[2] as never);
    state.removeComponents('a', ['m'], 'all');
    Object.assign(source, { catalog: new Catalog(state.changesSince(first.version) as never, first) });
    expect(worldOf(source)?.catalog).to.equal(source.catalog);
    expect(shown(before)).to.deep.equal(was);
  });

  it('is not complete when too much has changed, or an unknown part, or the types', async () => {
    const state = new State();
    const first = new Catalog(state.describe());
    const follows = async (catalog: Catalog): Promise<boolean> => {
      const source = sourceOf(first);
      await completed(source);
      Object.assign(source, { catalog });
      return worldOf(source) !== undefined;
    };
    state.addObject('one');
    const next = new Catalog(state.changesSince(first.version) as never, first);
    expect(await follows(next)).to.equal(true);
    expect(await follows(new Catalog(state.describe()))).to.equal(false);
    state.addType(TYPES[0] as AnyDeclared, {});
    expect(await follows(new Catalog(state.changesSince(first.version) as never, first))).to.equal(false);
    for (let index = 0; index < 300; index++) state.addObject(`many${index}`);
    expect(await follows(new Catalog(state.changesSince(next.version) as never, next))).to.equal(false);
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

  const making = () => new SteppedWork((turn) => madeWorldOf(source, turn));

  const numbers = (world: World): number[] =>
    world.children(world.catalog.object('root') as never).map(({ number }) => number);

  const fresh = async (): Promise<number[]> => numbers(await whole(new Catalog(state.describe())));

  beforeEach(() => {
    state = new State();
    const parent = state.addObject('root');
    for (let index = 1; index < COUNT; index++) state.addObject(`n${index}`, { parent });
    catalog = noted(new Catalog(state.describe()));
    source = sourceOf(catalog);
    walks = 0;
    fault = undefined;
  });

  it('looks at none before it is waited for', () => {
    expect([worldOf(source), walks]).to.deep.equal([undefined, 0]);
  });

  it('is made in turns, once for all who wait', async () => {
    const [one, other] = [making(), making()];
    let turns = 0;
    while (!worldOf(source)) await (turns++ % 2 ? one : other).next();
    expect(walks).to.equal(1);
    expect(turns).to.be.within(COUNT / 32, COUNT / 16);
    expect(numbers(worldOf(source) as World)).to.deep.equal(await fresh());
  });

  it('follows an earlier one in turns when many objects have changed', async () => {
    await completed(source);
    renew();
    next();
    expect(worldOf(source)).to.equal(undefined);
    const { turns, value: world } = await making().end();
    expect(turns).to.be.above(10);
    expect(walks).to.equal(1);
    expect(numbers(world)).to.deep.equal(await fresh());
  });

  it('is queried without a list of all objects', async () => {
    const { value: world } = await making().end();
    const data = { components: [], option: [], has: [] };
    const query = readQuery(world, { data, filter: { with: [], without: [CHILDREN] } }, 'strict') as Query;
    const found: number[] = [];
    const look = new SteppedWork((turn) => eachMatch(turn, world, query, ({ number }) => found.push(number)));
    const { turns } = await look.end();
    expect(found).to.deep.equal(numbers(world));
    expect(turns).to.be.above(10);
  });

  it('looks at all objects again when most have changed', async () => {
    await completed(source);
    for (let times = 0; times < 5; times++) renew();
    next();
    const { value: world } = await making().end();
    expect(walks).to.equal(2);
    expect(numbers(world)).to.deep.equal(await fresh());
  });

  it('looks at all objects again when the history is lost meanwhile, and only then', async () => {
    const first = making();
    await first.next();
    grow(10);
    await first.next();
    loseHistory();
    for (let turns = 0; turns < 3; turns++) await first.next();
    expect(walks).to.equal(2);
    state.removeObject('n7');
    next();
    const { value: world } = await first.end();
    expect(world).to.equal(worldOf(source));
    expect(walks).to.equal(2);
    expect(numbers(world)).to.deep.equal(await fresh());
  });

  it('is looked at twice when the history is lost while twenty wait, each for the world of another catalog', async () => {
    const waiting = new Set<ReturnType<typeof making>>();
    for (let count = 0; count < 20; count++) {
      const work = making();
      await work.next();
      grow(10);
      waiting.add(work);
    }
    loseHistory();
    const found = new Set<World>();
    while (waiting.size > 0)
      for (const work of waiting) {
        const done = await work.next();
        if (!done) continue;
        found.add(done.value);
        waiting.delete(work);
      }
    expect([...found]).to.deep.equal([worldOf(source)]);
    expect(walks).to.equal(2);
  });

  it('is followed at once when up to 64 objects have changed', async () => {
    await completed(source);
    const changed: boolean[] = [];
    for (const count of [64, 65]) {
      grow(count);
      changed.push(worldOf(source) !== undefined);
      await completed(source);
    }
    expect(changed).to.deep.equal([true, false]);
  });

  it('is followed in one piece in the end when some objects come in each turn', async () => {
    await completed(source);
    grow(200);
    const work = making();
    let turns = 0;
    for (; !(await work.next()); turns++) grow(20);
    expect(turns).to.be.within(20, 60);
    expect(numbers(worldOf(source) as World)).to.deep.equal(await fresh());
  });

  it('is refused when most objects change during each look at all of them', async () => {
    const work = making();
    let seen = 0;
    const advance = async (): Promise<void> => {
      while (!(await work.next())) {
        if (walks === seen) continue;
        seen = walks;
        for (let times = 0; times < 4; times++) renew();
        next();
      }
    };
    const error = await advance().catch((thrown: unknown) => thrown);
    expect(error).to.include({
      code: -23418,
      message: 'objects come and go faster than they can be looked at; ask again later',
    });
    expect(walks).to.equal(20);
  });

  it('is made anew after a fault', async () => {
    fault = new Error('a fault');
    expect(
      await making()
        .end()
        .catch((error: unknown) => error),
    ).to.equal(fault);
    fault = undefined;
    const { value: world } = await making().end();
    expect(numbers(world)).to.deep.equal(await fresh());
  });

  it('is complete although objects come and go in each turn', async () => {
    const work = making();
    let world: World | undefined;
    let turns = 0;
    while (!world) {
      world = (await work.next())?.value;
      if (world || turns++ >= 2000) continue;
      state.addObject(`later${turns}`, { parent: state.object('root') });
      next();
      // Others ask meanwhile; each goes on with the work that was begun.
      await making().next();
    }
    expect(world.catalog).to.equal(source.catalog);
    expect(walks).to.equal(1);
    expect(turns).to.be.below(1000);
    expect(numbers(world)).to.deep.equal(await fresh());
  });
});
