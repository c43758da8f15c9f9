// The registry of whole simulations, as tools that show components read it.
import { expect } from 'chai';
import { expectBevyRegistry, shownShape } from '../../lib/testing/aids/bevy-schema.js';
import { serveHere } from '../../lib/testing/aids/serve-here.js';
import { ServerHere } from '../launch.js';
import { serveBridged } from '../serve-bridged.js';
import { serveEdged } from '../serve-edged.js';
import { Inspector } from './inspector.js';

const SIMULATIONS = ['sims/ball.js', 'sims/satellite.js', 'sims/lander.js', 'compat-tests/fixture/fixture.js'];
const VECTOR = { each: 'float' };

/** Components of each simulation, and the values that the inspector in VS Code shows of them. */
const SHOWN: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'sims/ball.js': {
    'ball::ball::position': VECTOR,
    'bevy_ecs::name::Name': 'string',
    'bevy_ecs::hierarchy::ChildOf': 'uint',
    'bevy_ecs::hierarchy::Children': { each: 'uint' },
  },
  'sims/satellite.js': {
    'satellite::Vehicle': {
      translational: { position: VECTOR, velocity: VECTOR },
      attitude: { quaternion: VECTOR },
      angular_velocity: VECTOR,
      gravity: { acceleration: VECTOR },
      mass: { total: 'float' },
    },
  },
  'sims/lander.js': {
    'lander::Mode': ['BRAKE', 'APPROACH', 'ABORT', 'LANDED', 'CRASHED'],
    'lander::lander::nodes': { each: { temperature: 'float' } },
  },
  'compat-tests/fixture/fixture.js': {},
};

describe('the registry of', () => {
  const served = SIMULATIONS.map((file) => [file, '', serveHere] as const);
  for (const [file, where, by] of [
    ...served,
    ['sims/satellite.js', ', in front of a bridge,', serveBridged] as const,
    ['sims/satellite.js', ', at an edge,', serveEdged] as const,
  ]) {
    it(`${file}${where} has all that its entries refer to, in Bevy's form`, async () => {
      const server = await ServerHere.start(file, { options: ['--no-discovery', '--brp', '0'], by });
      const inspector = new Inspector(server.brpPort);
      try {
        for (const method of ['bevy/registry/schema', 'registry.schema']) {
          const registry = await inspector.call(method);
          expectBevyRegistry(registry);
          expect(registry).to.include.keys('u128', 'u64', 'bevy_ecs::entity::Entity');
          for (const row of await inspector.call('world.query', { data: { option: 'all' } })) {
            for (const path of Object.keys(row.components)) {
              expect(registry[path].reflectTypes, path).to.include('Component');
              expect(shownShape(registry, path), path).to.not.equal(undefined);
            }
          }
          for (const [path, shape] of Object.entries(SHOWN[file] ?? {})) {
            expect(shownShape(registry, path)).to.deep.equal(shape);
          }
        }
      } finally {
        inspector.close();
        await server.stop();
      }
    });
  }
});
