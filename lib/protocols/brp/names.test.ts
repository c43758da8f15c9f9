// Names that clients give entities: each client has its share, also after it has gone.
import { expect } from 'chai';
import { Catalog, type SimObject } from '../../model/state/catalog.js';
import { State } from '../../model/state/state.js';
import { MOST_NAMES, Names } from './names.js';
import { freeName } from './new-components.js';

describe('names of entities', () => {
  const of = (address: string, session: number) => ({ address, session });
  const objectOf = (number: number) => ({ number, name: `object${number}` }) as SimObject;
  const catalogOf = (...numbers: readonly number[]) => {
    const objects = new Map(numbers.map(objectOf).map((object) => [object.name, object]));
    return { object: (name: string) => objects.get(name), changedSince: () => undefined } as unknown as Catalog;
  };

  it('have shares, which are given back when the entity is gone or has its own name again', () => {
    const names = new Names();
    const by = of('10.0.0.1', 1);
    const numbers: number[] = [];
    const give = (client: typeof by, catalog: Catalog): void => {
      names.requireRoom(catalog, client);
      numbers.push(numbers.length);
      names.give(objectOf(numbers.length - 1), 'a name', client);
    };
    const most = (client: typeof by): number => {
      const all = catalogOf(...Array.from({ length: MOST_NAMES }, (_, number) => number));
      for (let count = 0; ; count++)
        try {
          give(client, all);
        } catch (error) {
          expect((error as Error).message).to.match(/^a client may have given \d+ entities a name now, not one more$/);
          return count;
        }
    };
    expect(most(by)).to.equal(7500);
    expect(most(of('10.0.0.1', 2))).to.equal(3750);
    expect(most(of('10.0.0.2', 3))).to.equal(4375);
    expect(names.figures).to.deep.equal({ held: 15_625, refusals: 3 });
    names.give(objectOf(0), 'object0', by);
    expect(names.figures).to.deep.equal({ held: 15_624, refusals: 3 });
    give(by, catalogOf(1));
    expect(names.figures).to.deep.equal({ held: 2, refusals: 3 });
    expect(names.of(objectOf(1))).to.equal('a name');
    expect(names.of(objectOf(2))).to.equal('object2');
  });

  it('that come late, for an object that is gone, leave that of a new object with its name', () => {
    const names = new Names();
    const by = of('10.0.0.1', 1);
    const named = (number: number) => ({ number, name: 'box' }) as SimObject;
    names.give(named(2), 'new', by);
    names.give(named(1), 'old', by);
    expect(names.of(named(2))).to.equal('new');
    names.give(named(1), 'box', by);
    expect(names.of(named(2))).to.equal('new');
    expect(names.figures.held).to.equal(1);
  });

  it('of objects that are gone are found among those that changed since the last look', () => {
    const names = new Names();
    const by = of('10.0.0.1', 1);
    const state = new State();
    for (let index = 0; index < 7500; index++) state.addObject(`object${index}`);
    const first = new Catalog(state.describe());
    for (const object of first.objects) names.give(object, 'a name', by);
    expect(() => names.requireRoom(first, by)).to.throw('not one more');
    state.removeObject('object7');
    const next = new Catalog(state.changesSince(first.version) as never, first);
    const looks: string[] = [];
    const watched = Object.create(next, {
      objects: { get: () => expect.fail('it looks at all objects') },
      object: { value: (name: string) => looks.push(name) && next.object(name) },
    });
    names.requireRoom(watched, by);
    expect(looks).to.deep.equal(['object7']);
    expect(names.figures.held).to.equal(7499);
  });

  it('are found with few looks, also by who gives one name ten thousand times or takes those that come next', () => {
    const taken = new Set(['twin', ...Array.from({ length: 20_000 }, (_, index) => `box_${10 * index}`)]);
    let looks = 0;
    const isTaken = (name: string): boolean => {
      looks++;
      return taken.has(name);
    };
    const found = (wanted: string): string => {
      const name = freeName(wanted, isTaken);
      expect(taken.has(name), name).to.equal(false);
      taken.add(name);
      return name;
    };
    expect([found('twin'), found('twin'), found('box')]).to.deep.equal(['twin_2', 'twin_3', 'box']);
    for (let count = 0; count < 10_000; count++) found(count % 2 ? 'twin' : 'box');
    expect(looks).to.be.below(1_200_000);
  });
});
