// The catalog: variables found by path, and the nearest names of unknown ones.
import { expect } from 'chai';
import fc from 'fast-check';
import { SMALL } from '../../testing/aids/fixture/all.js';
import { createFixture } from '../../testing/aids/fixture/state.js';
import { runs } from '../../testing/aids/run-counts.js';
import { Catalog, type CatalogChanges } from './catalog.js';
import { array, double, enumeration, int, struct } from './declare.js';
import { readVariable } from './read.js';
import { State } from './state.js';
import { leavesOf } from './variable.js';

const { catalog, memory, state } = createFixture(SMALL);

const readAt = (path: string) => {
  const variable = catalog.find(path);
  return variable && readVariable(variable, memory);
};

describe('finding a variable', () => {
  const VALUES = [
    [
      'fx.all.d23',
      [
        [0.5, 1.5, 2.5],
        [10.5, 11.5, 12.5],
      ],
    ],
    ['fx.all.d23[1]', [10.5, 11.5, 12.5]],
    ['fx.all.d23[1][2]', 12.5],
    ['fx.all.i222[1][0]', [100, 101]],
    ['fx.all.vehicle.sensors[1].label', 'gps'],
    ['fx.all.vehicle.sensors[0]', { reading: -40, id: 2, label: 'star', ok: true }],
    ['fx.all.vehicle.spare.label', 'gps'],
    ['fx.all.vehicle.spare[0].id', 3],
    ['fx.all.dyn', [11, 22, 33]],
    ['fx.all.dyn[2]', 33],
    ['fx.all.dyn_sensors[1].reading', 2.25],
    ['fx.all.null_dyn', null],
    ['fx.all.name', 'Orion'],
    ['fx.all.name[0]', 79],
    ['fx.all.names', ['alpha', 'beta']],
    ['fx.all.names[1]', 'beta'],
    ['fx.all.names[1][0]', 98],
    ['fx.all.strs[1]', 'second'],
    ['fx.all.cp_null', null],
    ['fx.all.vd[2]', 3.3],
    ['fx.all.vb[1]', false],
    ['fx.all.vs', ['one', 'two']],
    ['fx.all.as[2]', -3],
    ['fx.all.vsen[1].id', 21],
    ['fx.all.flags', { lo: 5, mid: -200, hi: 3000 }],
    ['fx.all.ll2[1]', 9223372036854775807n],
    ['fx.all.phases', [0, 2, 7]],
    [' fx.all.i ', -123456],
    ['fx . all . d3 [ 1 ]', 0.2],
  ] as const;
  for (const [path, value] of VALUES) {
    it(`gives ${JSON.stringify(path)} its value`, () => {
      expect(readAt(path)).to.deep.equal(value);
    });
  }

  for (const path of ['fx.all.d3[3]', 'fx.all.d3[-1]', 'fx.all.d3[1][0]', 'fx.all.d23[2]', 'fx.all.d23[0][3]']) {
    it(`finds nothing at ${path}`, () => expect(catalog.find(path)).to.equal(undefined));
  }
  for (const path of ['time', '', 'fx.all.', 'fx.all.nosuch', 'fx.all.vehicle.position.x', 'fx.all.dyn[-1]', 'fx[0]']) {
    it(`finds nothing at ${JSON.stringify(path)}`, () => expect(catalog.find(path)).to.equal(undefined));
  }
  for (const path of ['toString', 'fx.constructor', 'fx.all.__proto__', 'fx.all.vd[5]', 'fx.all.vd.length']) {
    it(`finds nothing at ${path}`, () => expect(catalog.find(path)).to.equal(undefined));
  }

  it('finds objects and components whole', () => {
    expect(catalog.find('fx')?.type).to.include({ kind: 'struct', name: 'FixtureSimObject' });
    expect(catalog.find('fx.all')?.type).to.include({ kind: 'struct', name: 'Fixture' });
    expect(catalog.object('fx')).to.include({ name: 'fx', number: 1 });
    expect(catalog.object('fy')).to.equal(undefined);
    expect(readAt('fx')).to.have.nested.property('all.vehicle.sensors[1].label', 'gps');
  });

  it('knows at each moment whether a sequence or pointer reaches an index', () => {
    const fresh = createFixture(SMALL);
    const find = (path: string) => {
      const variable = fresh.catalog.find(path);
      return variable ? readVariable(variable, fresh.memory) : 'no variable';
    };
    expect(find('fx.all.vd[3]')).to.equal(undefined);
    fresh.all.vd.push(4.4);
    expect(find('fx.all.vd[3]')).to.equal(4.4);
    fresh.all.vd.length = 0;
    expect(find('fx.all.vd[0]')).to.equal(undefined);
    expect(find('fx.all.vd')).to.deep.equal([]);
    expect(find('fx.all.dyn[3]')).to.equal(undefined);
    expect(find('fx.all.null_dyn[0]')).to.equal(undefined);
    fresh.all.null_dyn.pointTo(fresh.all.d3);
    expect(find('fx.all.null_dyn[2]')).to.equal(0.1 * 3);
  });

  it('carries units, description and access of the member', () => {
    expect(catalog.find('fx.all.vehicle.sensors[1].reading')).to.include({
      path: 'fx.all.vehicle.sensors[1].reading',
      units: 'degC',
      about: 'temperature',
      access: 'read-write',
    });
    expect(catalog.find('fx.all.dyn[1]')?.units).to.equal('m');
    expect(catalog.find('fx.all.no_input')?.access).to.equal('read-only');
    expect(catalog.find('fx.all.no_output')?.access).to.equal('write-only');
  });

  it('remembers what it found', () => {
    expect(catalog.find('fx.all.d3')).to.equal(catalog.find('fx.all.d3'));
  });

  it('flattens arrays row by row, and structures not at all', () => {
    const leaves = (path: string) => {
      const variable = catalog.find(path);
      const found = variable && leavesOf(variable, memory);
      return found && [found.count, found.strideBytes];
    };
    expect(leaves('fx.all.d23')).to.deep.equal([6, 8]);
    expect(leaves('fx.all.i222[1]')).to.deep.equal([4, 4]);
    expect(leaves('fx.all.dyn')).to.deep.equal([3, 8]);
    expect(leaves('fx.all.vb')).to.deep.equal([3, 1]);
    for (const path of ['fx.all.vehicle', 'fx.all.vehicle.sensors', 'fx.all.null_dyn', 'fx.all.vsen', 'fx.all.vd[4]']) {
      expect(leaves(path), path).to.equal(undefined);
    }
  });
});

describe('a path that names nothing', () => {
  const SENTENCES = [
    ['fy.all', 'there is no object fy; did you mean fx.all?', ['fx.all']],
    ['fx.al.d3', 'fx has no member al; did you mean fx.all.d3, fx.ball or fx.id?', ['fx.all.d3', 'fx.ball', 'fx.id']],
    [
      'fx.all.vehicle.postion[1]',
      'fx.all.vehicle has no member postion; did you mean fx.all.vehicle.position[1]?',
      ['fx.all.vehicle.position[1]'],
    ],
    ['fx.all.postion', 'fx.all has no member postion', []],
    ['fx.all.d3[3]', 'fx.all.d3 has no element [3], its indices are 0 to 2', []],
    ['fx.all.d3[-1]', 'fx.all.d3 has no element [-1], its indices are 0 to 2', []],
    ['fx.all.i[0]', 'fx.all.i has no element [0], it is not an array', []],
    ['fx.all.d3.x', 'fx.all.d3 has no member x, it is not a structure', []],
    ['fx.all.', '"fx.all." is not a variable\'s path: ', []],
  ] as const;
  for (const [path, sentence, nearest] of SENTENCES) {
    it(`is explained: ${sentence}`, () => {
      expect(catalog.explain(path)).to.include(sentence);
      expect(catalog.nearest(path)).to.deep.equal(nearest);
    });
  }

  it('never throws, whatever it is', () => {
    const word = fc.constantFrom(
      'fx',
      'all',
      'vehicle',
      'sensors',
      'spare',
      'dyn',
      'vd',
      'vsen',
      'names',
      'label',
      'x',
    );
    const index = fc.oneof(fc.integer({ min: -2, max: 9 }), fc.maxSafeInteger()).map((i) => `[${i}]`);
    const near = fc
      .array(fc.oneof(word, index, fc.constantFrom(' ', '.', ']', '[')), { maxLength: 8 })
      .map((parts) => parts.join('.').replaceAll('.[', '['));
    fc.assert(
      fc.property(
        fc.oneof(
          near,
          fc.string(),
          near.map((path) => `fx.all.${path}`),
        ),
        (path) => {
          const variable = catalog.find(path);
          expect(catalog.explain(path)).to.be.a('string').with.length.greaterThan(0);
          for (const name of catalog.nearest(path)) expect(catalog.find(name), name).to.be.an('object');
          if (!variable) return;
          readVariable(variable, memory);
          leavesOf(variable, memory);
          expect(catalog.find(variable.path)).to.deep.equal(variable);
        },
      ),
      { numRuns: runs(2000) },
    );
  });
});

describe('a listing', () => {
  it('enters structures and arrays of them, and finds all it lists', () => {
    const listed = [...catalog.variables()];
    const paths = listed.map(({ path }) => path);
    expect(paths.slice(2, 5)).to.deep.equal(['fx.object_disabled', 'fx.all.c', 'fx.all.uc']);
    expect(paths).to.include.members([
      'fx.all.d23',
      'fx.all.vehicle.sensors[1].label',
      'fx.all.vehicle.spare',
      'fx.all.vsen',
      'fx.all.flags.mid',
    ]);
    expect(paths).to.not.include.members(['fx.all.vehicle', 'fx.all.vehicle.sensors']);
    for (const variable of listed) expect(catalog.find(variable.path)).to.deep.equal(variable);
  });

  it('enters nested arrays of structures', () => {
    const own = new State();
    own.addObject('o').component('grid', array(array(struct('Cell', { x: int() }), 2), 2));
    const paths = [...new Catalog(own.describe()).variables()].map(({ path }) => path);
    expect(paths).to.deep.equal(['o.grid[0][0].x', 'o.grid[0][1].x', 'o.grid[1][0].x', 'o.grid[1][1].x']);
  });

  it('starts below any variable', () => {
    const sensor = catalog.find('fx.all.vehicle.sensor');
    const paths = sensor && [...catalog.within(sensor)].map(({ path }) => path.slice('fx.all.vehicle.'.length));
    expect(paths).to.deep.equal(['sensor.reading', 'sensor.id', 'sensor.label', 'sensor.ok']);
  });

  it('of very many variables, a million in the soak, keeps none of them', () => {
    const POINTS = runs(50_000);
    const own = new State();
    const many = array(struct('Point', { x: double(), y: double() }), POINTS);
    for (let i = 0; i < 10; i++) own.addObject(`o${i}`).component('points', many);
    let count = 0;
    let last = '';
    for (const { path } of new Catalog(own.describe()).variables()) {
      count++;
      last = path;
    }
    expect([count, last]).to.deep.equal([20 * POINTS, `o9.points[${POINTS - 1}].y`]);
  });

  it('knows structures before those that hold them, enumerations and labels', () => {
    expect(catalog.structures().map(({ name }) => name)).to.deep.equal([
      'Flags',
      'Sensor',
      'Vehicle',
      'Fixture',
      'Ball',
      'FixtureSimObject',
    ]);
    expect(catalog.enumerations().map(({ name }) => name)).to.deep.equal(['FlightPhase']);
    expect([...catalog.labels]).to.deep.equal([
      ['STANDBY', 0],
      ['ASCENT', 1],
      ['COAST', 2],
      ['ENTRY', 7],
    ]);
  });

  it('finds labels again only when something with an enumeration has come or gone', () => {
    const own = new State();
    own.addObject('plain').component('x', double());
    let latest = new Catalog(own.describe());
    const next = (change: () => void): ReadonlyMap<string, number> => {
      change();
      latest = new Catalog(own.changesSince(latest.version) as CatalogChanges, latest);
      return latest.labels;
    };
    const { labels } = latest;
    expect(next(() => own.addObject('other').component('x', double()))).to.equal(labels);
    const phase = enumeration('Phase', { ON: 1 });
    const found = next(() => own.addObject('phased').component('phase', array(phase, 2)));
    expect([...found]).to.deep.equal([['ON', 1]]);
    expect(next(() => own.removeObject('other'))).to.equal(found);
    expect([...next(() => own.removeObject('phased'))]).to.deep.equal([]);
  });

  it('survives a copy to another thread', () => {
    const copy = new Catalog(structuredClone(state.describe()));
    expect([...copy.variables()]).to.deep.equal([...catalog.variables()]);
  });
});
