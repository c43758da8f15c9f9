// Types that components have: a catalog that was changed knows the same ones as one that is made anew.
import { expect } from 'chai';
import fc from 'fast-check';
import { Catalog, type CatalogChanges } from './catalog.js';
import { array, double, enumeration, struct } from './declare.js';
import { pair } from './declare-containers.js';
import { shapeOfDeclaration } from './named-type.js';
import { State } from './state.js';

const Phase = enumeration('Phase', { ON: 1, OFF: 2 });
const Mode = enumeration('Mode', { IDLE: 0 });
const Engine = struct('Engine', { phase: Phase, thrust: double() });
const KINDS = [double(), Phase, array(Mode, 2), Engine, struct('Stage', { engines: array(Engine, 2), mode: Mode })];

const sorted = (catalog: Catalog) => ({
  structures: catalog
    .structures()
    .map(({ name }) => name)
    .sort(),
  enumerations: catalog
    .enumerations()
    .map(({ name }) => name)
    .sort(),
  labels: [...catalog.labels].sort(),
});

describe('types in use', () => {
  it('are the same after any changes as in a catalog that is made anew', () => {
    const change = fc.record({ name: fc.constantFrom('a', 'b', 'c', 'd'), kind: fc.nat(KINDS.length - 1) });
    fc.assert(
      fc.property(fc.array(fc.array(change, { maxLength: 4 }), { maxLength: 12 }), (rounds) => {
        const state = new State();
        let latest = new Catalog(state.describe());
        for (const round of rounds) {
          for (const { name, kind } of round) {
            if (state.hasObject(name)) state.removeObject(name);
            else state.addObject(name).component('x', KINDS[kind] as (typeof KINDS)[number]);
          }
          // What is never asked for is not counted.
          latest.enumerations();
          const changes = state.changesSince(latest.version);
          latest = new Catalog(changes as CatalogChanges, latest);
          expect(sorted(latest)).to.deep.equal(sorted(new Catalog(state.describe())));
        }
      }),
    );
  });

  it('are those of components, as a variable may have them, and not those of objects', () => {
    const state = new State();
    const vehicle = state.addObject('vehicle', { typeName: 'Vehicle' });
    vehicle.component('engine', Engine);
    vehicle.component('pair', pair(double(), double()));
    const catalog = new Catalog(state.describe());
    const declared = (typeName: string) =>
      shapeOfDeclaration(catalog, { typeName, stars: 0, extents: [] })?.element.kind;
    expect(['Engine', 'Phase', 'Vehicle', 'Nothing'].map(declared)).to.deep.equal([
      'struct',
      'enumeration',
      undefined,
      undefined,
    ]);
    expect(shapeOfDeclaration(catalog, { typeName: 'Vehicle', stars: 1, extents: [] })).to.equal(undefined);
    expect(catalog.structures().map(({ name }) => name)).to.deep.equal(['Engine', 'Vehicle']);
  });
});
