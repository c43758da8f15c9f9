// A catalog that follows changes is the catalog that is described anew.
import { expect } from 'chai';
import fc from 'fast-check';
import { Catalog } from '../model/state/catalog.js';
import { double, int, struct } from '../model/state/declare.js';
import { State } from '../model/state/state.js';
import type { Layout } from '../simulation/executive/publisher.js';
import { TypePacker, TypeUnpacker } from './type-numbers.js';

const Body = struct('Body', { mass: double(), at: double(3) });
const NAMES = ['a', 'b', 'c', 'd'];

/** Changes a state by one random step; a step that is refused changes nothing. */
function change(state: State, [what, name, other]: readonly [number, string, string]): void {
  try {
    if (what === 0) state.addObject(name).component('body', Body);
    else if (what === 1) state.removeObject(name);
    else if (what === 2) state.object(name).component(other, int());
    else if (what === 3) state.object(name).remove(other);
    else if (what === 4) state.reparent(name, other);
    else if (what === 5) {
      const names = state.family(name).map((one) => one.name);
      state.removeObjects(names, 'all');
    } else if (what === 6) state.allocations.name(state.allocations.allocate(Body.type, 2, false), name);
    else if (what === 7) state.allocations.remove(state.allocations.named(name));
    else if (what === 8) state.addFunction({ name, about: '' });
    else if (what === 9) state.addType(struct(name.toUpperCase(), { x: int() }), {});
    else state.allocations.allocate(double().type, 3, false);
  } catch {}
}

/** All that can be asked of a catalog. */
const shown = (catalog: Catalog) => ({
  version: catalog.version,
  arenaBytes: catalog.arenaBytes,
  objects: catalog.objects,
  functions: [...catalog.functions.keys()],
  types: catalog.types,
  variables: [...catalog.variables()],
  found: NAMES.flatMap((name) => [`${name}.body.mass`, `${name}[1].mass`, `${name}.a`, name]).map((path) =>
    catalog.find(path),
  ),
  bodies: catalog.componentsOf('Body').map(({ object }) => object.name),
});

describe('changes of a catalog', () => {
  it('lead from version to version to what a description says, on the other side of a thread too', () => {
    const step = fc.tuple(fc.nat(10), fc.constantFrom(...NAMES), fc.constantFrom(...NAMES));
    fc.assert(
      fc.property(fc.array(fc.array(step, { maxLength: 4 }), { maxLength: 30 }), (turns) => {
        const state = new State();
        state.addType(Body, {});
        let here = new Catalog(state.describe());
        const [packer, unpacker] = [new TypePacker(), new TypeUnpacker()];
        const send = (catalog: Layout['catalog']): Layout['catalog'] =>
          unpacker.unpack(structuredClone(packer.pack({ catalog } as Layout))).catalog;
        let there = new Catalog(send(state.describe()));
        for (const steps of turns) {
          for (const one of steps) change(state, one);
          const changes = state.changesSince(here.version);
          if (!changes) throw new Error('the journal is long enough');
          const [before, seen] = [here, shown(here)];
          there = new Catalog(send(changes), there);
          here = new Catalog(changes, here);
          expect(shown(here)).to.deep.equal(shown(new Catalog(state.describe())));
          expect(shown(there)).to.deep.equal(shown(here));
          // The version before stays what it was, for those who still read its frames.
          expect(shown(before)).to.deep.equal(seen);
        }
        const bodies = there.componentsOf('Body').map(({ member }) => member.type);
        expect(new Set(bodies).size).to.be.at.most(1);
      }),
    );
  });

  it('are not known any more after very many', () => {
    const state = new State();
    const { version } = state;
    for (let k = 0; k < 9000; k++) state.addObject(`o${k}`);
    expect(state.changesSince(version)).to.equal(undefined);
    expect(state.changesSince(state.version - 1000)?.objects).to.have.length(1000);
  });

  it('apply to their version only', () => {
    const state = new State();
    const catalog = new Catalog(state.describe());
    state.addObject('a');
    const { version } = state;
    state.addObject('b');
    const changes = state.changesSince(version);
    expect(() => changes && new Catalog(changes, catalog)).to.throw('do not apply to version');
  });
});
