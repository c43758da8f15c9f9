// Watches of an entity that wait for the complete world, which is made in turns.
import { expect } from 'chai';
import { Catalog, type SimObject } from '../../model/state/catalog.js';
import { State } from '../../model/state/state.js';
import type { Source } from '../../source/source.js';
import { turn } from '../../testing/aids/http-exchange.js';
import { EntityWatch } from './entity-watch.js';
import type { BrpCall } from './operation.js';
import { madeWorldOf, type World, worldOf } from './world.js';

/** Notes how often it looks for its object's children. */
class ChildrenWatch extends EntityWatch {
  rebinds = 0;
  children = 0;
  looks = 0;

  protected readonly needsWorld = true;

  protected rebind(world: World): void {
    this.rebinds++;
    this.children = world.children(this.object).length;
  }

  protected begin(): void {}

  protected lookAt(): void {
    this.looks++;
  }
}

describe('a watch that waits for the complete world', () => {
  const COUNT = 3000;
  let state: State;
  let source: Source;
  let watch: ChildrenWatch;
  /** Gives the watch the turn that it waits for. */
  let goOn: (() => void) | undefined;
  let told: unknown[];

  /** So many objects come; the watch looks at a frame. */
  function grow(count: number): void {
    const parent = state.object('root');
    const { catalog } = source;
    for (let index = 0; index < count; index++) state.addObject(`at${catalog.version}_${index}`, { parent });
    const changes = state.changesSince(catalog.version);
    Object.assign(source, { catalog: new Catalog((changes ?? state.describe()) as never, catalog) });
    watch.look(source.frame);
  }

  async function turnsLeft(): Promise<number> {
    for (let count = 0; ; count++) {
      const give = goOn;
      if (!give) return count;
      goOn = undefined;
      give();
      await turn();
    }
  }

  /** They come when the test says so. */
  const turns = {
    turn: (): Promise<void> => {
      expect(goOn).to.equal(undefined);
      return new Promise((resolve) => {
        goOn = resolve;
      });
    },
    failed: (error: unknown) => told.push(error),
  };

  beforeEach(async () => {
    state = new State();
    const parent = state.addObject('root');
    for (let index = 1; index < COUNT; index++) state.addObject(`n${index}`, { parent });
    source = { catalog: new Catalog(state.describe()), info: { name: 'sim' }, frame: {} } as unknown as Source;
    await madeWorldOf(source, async () => undefined);
    told = [];
    goOn = undefined;
    const account = { change: () => undefined, give: () => undefined };
    const followers = { add: () => () => undefined };
    const call = { account, source, generation: '0.17', followers, registry: { turns } } as unknown as BrpCall;
    const output = { fail: ({ code, message }: { code: number; message: string }) => told.push([code, message]) };
    watch = new ChildrenWatch(call, source.catalog.object('root') as SimObject, output as never);
    watch.start();
  });

  it('looks once for what it needs, and again when the world is complete', async () => {
    grow(300);
    for (let frames = 0; frames < 5; frames++) watch.look(source.frame);
    expect([watch.rebinds, watch.looks]).to.deep.equal([1, 1]);
    expect(await turnsLeft()).to.be.above(5);
    expect([watch.rebinds, watch.looks, watch.children]).to.deep.equal([2, 2, COUNT + 299]);
    expect(told).to.deep.equal([]);
  });

  it('leaves the work to others when its client has left', async () => {
    grow(300);
    watch.close();
    expect(await turnsLeft()).to.equal(1);
    expect(worldOf(source)).to.equal(undefined);
    expect([watch.looks, told]).to.deep.equal([1, []]);
  });

  it('ends when objects come and go too fast', async () => {
    grow(300);
    Object.defineProperty(source, 'catalog', { get: () => new Catalog(state.describe()) });
    await turnsLeft();
    expect(told).to.deep.equal([[-23418, 'objects come and go faster than they can be looked at; ask again later']]);
  });

  it('ends when the world has a fault', async () => {
    const fault = new Error('a fault');
    grow(300);
    Object.assign(source.catalog, {
      object: () => {
        throw fault;
      },
    });
    await turnsLeft();
    expect(told).to.deep.equal([[-32603, 'the watch has ended: the server failed to look at the entities'], fault]);
  });
});
