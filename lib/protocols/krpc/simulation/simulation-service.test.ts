// The names of a simulation's service, which have to be names in every language of kRPC's clients.
import { expect } from 'chai';
import { double, enumeration, struct } from '../../../model/state/declare.js';
import { type Sim, simulation } from '../../../simulation/executive/simulation.js';
import { troubleWithNames } from '../../../testing/aids/krpc-names.js';
import { startLocalSource } from '../../../testing/aids/local-source.js';
import type { Service } from '../service/procedure.js';
import { Services } from '../services.js';
import { RESERVED_TYPES, RESERVED_WORDS } from './reserved-words.js';

const WORDS = [...new Set(Object.values(RESERVED_WORDS).flatMap((text) => text.split(/\s+/)))];
const isName = (word: string): boolean => /^[A-Za-z_]\w*$/.test(word) && !/^(?:True|False|None)$/.test(word);

/** The service of a simulation. */
async function serviceOf(name: string, build: (sim: Sim) => void): Promise<Service> {
  const definition = simulation({ name, frameSeconds: 0.01 }, build);
  const { source } = await startLocalSource(definition, {
    arguments: [],
    directory: '/',
    file: 'it.js',
    runDirectory: 'RUN',
  });
  const { services } = await new Services(source, '1.2.3', { services: [] }).current(() => Promise.resolve());
  return services.at(-1)?.service as Service;
}
const namesOf = ({ procedures }: Service): string[] => procedures.map(({ name }) => name);

describe("the names of a simulation's kRPC service", () => {
  it('give a class another name than the service and than its members', async () => {
    const service = await serviceOf('ball', (sim) => {
      const Position = struct('Position', { position: double(), x: double() });
      sim.object('ball').component('position', Position);
      sim.object('position').component('service', struct('Service', { service: double() }));
      sim.object('service').component('ball', double());
    });
    expect(troubleWithNames(service)).to.deep.equal([]);
    expect(service.classes.map(({ name }) => name)).to.include.members(['BallObject', 'Position']);
    expect(namesOf(service)).to.include.members(['get_Ball', 'BallObject_get_Position', 'Position_get_Position2']);
  });

  it('keep the methods apart that C++ and Java make of them', async () => {
    const service = await serviceOf('plant', (sim) => {
      sim.function('get_valve', { takes: {}, gives: double() }, () => 1);
      sim.function('valve_stream', { takes: {}, gives: double() }, () => 1);
      sim
        .object('valve')
        .components({ flow: double(), flow_stream: double(), all: double(), find_stream: double() }, {});
    });
    expect(troubleWithNames(service)).to.deep.equal([]);
    expect(namesOf(service)).to.include.members(['GetValve', 'get_Valve2', 'Valve_get_Flow', 'Valve_get_FlowStream2']);
  });

  it('are no words of a language, whatever the simulation calls its objects, members, functions, parameters and labels', async () => {
    const own = WORDS.filter(isName);
    const service = await serviceOf('default', (sim) => {
      for (const word of own) {
        const takes = { [word]: double(), value: double() };
        sim.function(`call_${word}`, { takes }, () => undefined);
        sim.function(word, { takes: {} }, () => undefined);
        sim.object(`of_${word}`).component(word, double());
      }
      const labels = Object.fromEntries(own.map((word, index) => [word, index]));
      const Words = enumeration('class', labels);
      const members = Object.fromEntries(own.map((word) => [word, double()]));
      sim.object('all').components({ words: Words, struct: struct('struct', members) }, {});
      for (const type of RESERVED_TYPES.split(/\s+/)) {
        sim.object(`typed_${type}`).component('it', struct(type, { [type]: double() }));
      }
    });
    expect(service.name).to.equal('Default2');
    expect(troubleWithNames(service)).to.deep.equal([]);
    const types = new Set(RESERVED_TYPES.toLowerCase().split(/\s+/));
    expect(service.classes.filter(({ name }) => types.has(name.toLowerCase()))).to.deep.equal([]);
    expect(service.procedures.find(({ name }) => name === 'CallEnd')?.parameters.map(({ name }) => name)).to.deep.equal(
      ['end2', 'value'],
    );
  });

  it('keep parameters apart that only capitals and underscores make different', async () => {
    const service = await serviceOf('plant', (sim) => {
      const takes = { fill_level: double(), fillLevel: double(), URLPath: double(), self: double() };
      sim.function('fill', { takes }, () => undefined);
    });
    const [fill] = service.procedures;
    expect(fill?.parameters.map(({ name }) => name)).to.deep.equal(['fill_level', 'fillLevel2', 'urlPath', 'self2']);
  });

  for (const [name, expected] of [
    ['krpc', 'KrpcSimulation'],
    ['stream', 'StreamSimulation'],
    ['var server', 'VarServerSimulation'],
    ['client', 'ClientSimulation'],
  ] as const) {
    it(`call the service of a simulation "${name}" ${expected}`, async () => {
      expect((await serviceOf(name, (sim) => void sim.object('a'))).name).to.equal(expected);
    });
  }
});
