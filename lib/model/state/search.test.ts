// The search for variables: what it looks at among very many, and what it ranks.

import { expect } from 'chai';
import { type SearchRoot, type SearchWish, searchVariables } from './search.js';
import type { Member, StructType } from './type.js';

const DOUBLE = { kind: 'number', name: 'double' } as const;
const member = (name: string, type: Member['type'], about = ''): Member => ({
  name,
  type,
  offsetBytes: 0,
  units: 'm',
  about,
  access: 'read-write',
});
const struct = (name: string, members: readonly Member[]): StructType =>
  ({ kind: 'struct', name, members, sizeBytes: 8, alignBytes: 8 }) as unknown as StructType;

/** Runs a search to its end, and counts how often it asked for the time and how often it gave way. */
function search(roots: readonly SearchRoot[], text: string, wish: Partial<SearchWish> = {}) {
  let [steps, turns] = [0, 0];
  const isOver = (): boolean => ++steps % 1000 === 0;
  const whole = { text, limit: 10, hasStructures: true, isLeftOut: () => false, ...wish };
  const run = searchVariables(() => roots, whole, isOver);
  for (;;) {
    const step = run.next();
    if (step.done) return { ...step.value, paths: step.value.matches.map(({ path }) => path), steps, turns };
    turns++;
  }
}

describe('a search over a million variables', () => {
  const device = struct(
    'Device',
    Array.from({ length: 1000 }, (_, index) => member(`signal${index}`, DOUBLE)),
  );
  const roots = Array.from({ length: 1000 }, (_, index) => ({
    path: `device${index}`,
    member: member(`device${index}`, device),
  }));

  it('looks only where something fits', () => {
    const { paths, steps, isComplete } = search(roots, 'device77 signal12');
    expect(paths[0]).to.equal('device77.signal12');
    expect(isComplete).to.equal(true);
    expect(steps).to.be.lessThan(60_000);
  });

  it('gives way often, also where nothing fits', () => {
    const { paths, steps, turns } = search(roots, 'nothingalike');
    expect(paths).to.deep.equal([]);
    expect(turns).to.equal(Math.floor(steps / 1000));
  });

  it('answers as many as are asked for when an object fits with all it has', () => {
    const { paths } = search(roots, 'device999', { limit: 3 });
    expect(paths).to.deep.equal(['device999', 'device999.signal0', 'device999.signal1']);
  });

  it('stops where more fit than it may rank, and says so', () => {
    const { isComplete, matches } = search(roots, 'signal');
    expect(isComplete).to.equal(false);
    expect(matches).to.have.length(10);
  });

  it('stops in a flat structure of millions too', () => {
    const flat = struct('Flat', [
      member(
        'inner',
        struct(
          'Inner',
          Array.from({ length: 100 }, (_, index) => member(`v${index}`, DOUBLE)),
        ),
      ),
    ]);
    const array = { kind: 'array', element: flat, length: 100_000 } as unknown as Member['type'];
    const { isComplete, steps } = search([{ path: 'all', member: member('all', array) }], 'v7');
    expect(isComplete).to.equal(false);
    expect(steps).to.be.lessThan(4_000_000);
  });
});

describe('a search by the name of a type', () => {
  it('finds structures and enumerations, and arrays of them', () => {
    const node = struct('ThermalNode', [member('t', DOUBLE)]);
    const phase = { kind: 'enumeration', name: 'FlightPhase', labels: {} } as unknown as Member['type'];
    const nodes = { kind: 'array', element: node, length: 2 } as unknown as Member['type'];
    const ship = struct('Ship', [member('mode', phase), member('hot', node), member('all', nodes)]);
    const roots = [{ path: 'ship', member: member('ship', ship) }];
    expect(search(roots, 'phase').paths).to.deep.equal(['ship.mode']);
    expect(search(roots, 'thermalnode').paths.slice(0, 2)).to.deep.equal(['ship.all', 'ship.hot']);
    expect(search(roots, 'double').paths).to.deep.equal([]);
  });
});
