// Poses that a simulation declares: what is kept of them, and the sentences about what is not valid.
import { expect } from 'chai';
import type { Catalog } from '../../model/state/catalog.js';
import { double, float, struct } from '../../model/state/declare.js';
import { TestRun } from '../../testing/aids/simulation-run.js';
import type { PoseOptions } from './poses.js';
import type { Sim } from './simulation.js';

const Vehicle = struct('Vehicle', {
  place: struct('Place', { position: double(3, { units: 'km' }), velocity: double(3, { units: 'km/s' }) }),
  quaternion: double(4),
});

function build(sim: Sim) {
  const ship = sim.object('ship');
  const own = ship.components({
    position: double(3, { units: 'm' }),
    attitude: double(4),
    rate: double(3, { units: 'rad/s' }),
    angles: double(4, { units: 'degree' }),
    plane: double(2, { units: 'm' }),
    coarse: float(3, { units: 'm' }),
    wave: double(3, { units: '1/m' }),
  });
  return { ...own, tug: ship.component('tug', Vehicle) };
}

const posesOf = async (declare: (sim: Sim, views: ReturnType<typeof build>) => void) => {
  const run = await TestRun.start({}, (sim) => declare(sim, build(sim)));
  return run.frames.at(-1)?.catalog.poses;
};

const refusal = (name: string, options: unknown): Promise<string> =>
  posesOf((sim, { position }) => {
    sim.pose('first', { position });
    sim.pose(name, options as PoseOptions);
  }).then(
    () => 'nothing',
    (error: Error) => error.message,
  );

describe('a pose', () => {
  it('is kept by the paths of its variables, in the order of declaration', async () => {
    const poses = await posesOf((sim, { position, attitude, tug }) => {
      sim.pose('ship', { position, attitude, shape: { kind: 'box', size: [1, 2, 3], color: '#ff0000' } });
      sim.pose('ship.tug', { parent: 'ship', position: tug.place.position, attitude: 'ship.tug.quaternion' });
      sim.pose('home', { position: 'ship.position', body: { radius: 6e6, texture: 'maps/home-1.jpg' } });
      sim.pose('mast', { parent: 'ship', position: tug.place.position, shape: { kind: 'model', file: 'mast.glb' } });
    });
    const none = { parent: null, metres: 1, attitude: null, shape: null, body: null };
    expect(poses).to.deep.equal([
      {
        ...{ ...none, name: 'ship', position: 'ship.position', attitude: 'ship.attitude' },
        shape: { kind: 'box', size: [1, 2, 3], color: '#ff0000' },
      },
      {
        ...{ ...none, name: 'ship.tug', parent: 'ship' },
        ...{ position: 'ship.tug.place.position', metres: 1000, attitude: 'ship.tug.quaternion' },
      },
      { ...none, name: 'home', position: 'ship.position', body: { radius: 6e6, texture: 'maps/home-1.jpg' } },
      {
        ...{ ...none, name: 'mast', parent: 'ship', position: 'ship.tug.place.position', metres: 1000 },
        shape: { kind: 'model', file: 'mast.glb', scale: 1 },
      },
    ]);
  });

  it('knows metres of units that take a grammar to be known', async () => {
    const poses = await posesOf((sim) => {
      const far = sim.object('far').components({ position: double(3, { units: '10 mile' }) });
      sim.pose('far', far);
    });
    expect(poses?.map(({ metres }) => metres)).to.deep.equal([16_093.44]);
  });

  it('reaches later versions of the catalog', async () => {
    const run = await TestRun.start({}, (sim) => sim.pose('ship', { position: build(sim).position }));
    run.sim.object('other').component('x', double());
    run.running.advance();
    const { catalog } = run.frames.at(-1) as { catalog: Catalog };
    expect(catalog.find('other.x')).to.be.an('object');
    expect(catalog.poses.map(({ name }) => name)).to.deep.equal(['ship']);
  });

  it('comes while the simulation is built', async () => {
    const run = await TestRun.start({}, (sim) => void build(sim));
    expect(() => run.sim.pose('late', { position: 'ship.position' })).to.throw(
      'pose late comes too late: poses are declared while the simulation is built',
    );
  });

  const position = 'ship.position';
  const refused: readonly (readonly [name: string, options: unknown, sentence: string])[] = [
    ['a', { position: 'ship.positon' }, 'did you mean ship.position?'],
    [
      'a',
      { position: new Float64Array(3) },
      'the position of pose a is a variable of 3 doubles: give its path, or its view',
    ],
    ['a', {}, 'the position of pose a is a variable of 3 doubles: give its path, or its view'],
    ['a', { position: 'ship.plane' }, 'the position of pose a is a variable of 3 doubles, and ship.plane is double[2]'],
    ['a', { position: 'ship.coarse' }, 'and ship.coarse is float[3]'],
    ['a', { position: 'ship.tug' }, 'and ship.tug is Vehicle'],
    ['a', { position: 'ship.rate' }, 'the position of pose a is a length in units such as m, not rad/s'],
    ['a', { position: 'ship.wave' }, 'the position of pose a is a length in units such as m, not 1/m'],
    [
      'a',
      { position, attitude: position },
      'the attitude of pose a is a variable of 4 doubles, and ship.position is double[3]',
    ],
    ['a', { position, attitude: 'ship.angles' }, 'the attitude of pose a is a quaternion without units, not in degree'],
    [
      'a',
      { position, parent: 'frist' },
      'pose a has a parent that is not declared before it: "frist"; did you mean first?',
    ],
    ['a', { position, parent: 'a' }, 'pose a has a parent that is not declared before it: "a"'],
    ['first', { position }, 'there is a pose first already'],
    ['world', { position }, 'a pose has a name such as lander or vehicle.iss, and not world; this one is "world"'],
    ['../a', { position }, 'this one is "../a"'],
    ['a', { position, atitude: 'x' }, 'pose a has no option atitude; did you mean attitude?'],
    [
      'a',
      { position, shape: { kind: 'cone' } },
      'the shape of pose a is one of box, sphere, cylinder, arrow, model, not "cone"',
    ],
    [
      'a',
      { position, shape: 'box' },
      'the shape of pose a is one of box, sphere, cylinder, arrow, model, not undefined',
    ],
    [
      'a',
      { position, shape: { kind: 'box', size: 3 } },
      'the size of the shape of pose a is a list of 3 sizes in metres',
    ],
    ['a', { position, shape: { kind: 'box', size: [1, 0, 1] } }, 'the size of the shape of pose a is a number above 0'],
    [
      'a',
      { position, shape: { kind: 'sphere', radius: Number.NaN } },
      'the radius of the shape of pose a is a number above 0',
    ],
    [
      'a',
      { position, shape: { kind: 'sphere', radius: 1, size: [1, 1, 1] } },
      'the shape of pose a has no option size',
    ],
    [
      'a',
      { position, shape: { kind: 'sphere', radius: 1, color: 'red' } },
      'is spelled #rrggbb or #rrggbbaa, not "red"',
    ],
    [
      'a',
      { position, shape: { kind: 'model', file: '../a.glb' } },
      'in or below the folder of the simulation, not "../a.glb"',
    ],
    ['a', { position, shape: { kind: 'model', file: '/a.glb' } }, 'not "/a.glb"'],
    ['a', { position, shape: { kind: 'model', file: 'a\\..\\b.glb' } }, 'not "a\\\\..\\\\b.glb"'],
    ['a', { position, shape: { kind: 'model', file: '.ssh/a.glb' } }, 'not ".ssh/a.glb"'],
    ['a', { position, shape: { kind: 'model', file: 'a.ts' } }, 'glTF (.glb or .gltf)'],
    ['a', { position, body: { radius: -1 } }, 'the radius of the body of pose a is a number above 0, in metres'],
    ['a', { position, body: { radius: 1, texture: 'a.svg' } }, 'image (.png, .jpg or .webp)'],
  ];
  for (const [name, options, sentence] of refused)
    it(`is refused: ${sentence}`, async () => expect(await refusal(name, options)).to.include(sentence));
});
