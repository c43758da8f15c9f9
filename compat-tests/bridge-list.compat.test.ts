// What a bridge asks of a simulation of 12,000 members: the values of somebody's interest, as often as they are wanted.
import { expect } from 'chai';
import { TrickClient } from '../lib/clients/trick/index.js';
import { bridge, type RunningServer, serveSource } from '../lib/index.js';
import { serveHere } from '../lib/testing/aids/serve-here.js';
import { call, EventStream, type Values } from './http-client.js';

const PLANT = new URL('fixture/many-members.js', import.meta.url);
const QUIET = { port: 0, discovery: false, udp: 'off', messages: 'off', brp: 'off' } as const;

interface Connection {
  readonly connection: { readonly client_tag: string; readonly variables: readonly string[] };
}

describe('what a bridge asks for', () => {
  let simulation: RunningServer;
  let served: RunningServer;
  let asker: TrickClient;
  before(async () => {
    simulation = await serveHere(PLANT, QUIET);
    served = await serveSource(await bridge({ port: simulation.port }), QUIET);
    asker = await TrickClient.connect({ port: simulation.port });
  });
  after(async () => {
    asker?.close();
    await served?.close();
    await simulation?.close();
  });

  /** The names of the simulation's objects in the list that a bridge is sent. */
  async function asked(): Promise<readonly string[]> {
    const text = String(await asker.call('var_server_list_connections'));
    const { variable_server_connections: all } = JSON.parse(text.slice(0, text.lastIndexOf('}') + 1)) as {
      readonly variable_server_connections: readonly Connection[];
    };
    return all
      .filter(({ connection }) => connection.client_tag === 'varwire bridge')
      .flatMap(({ connection }) => connection.variables.filter((name) => /^(plant|units)\./.test(name)));
  }
  const untilAsked = async (isMet: (names: readonly string[]) => boolean): Promise<readonly string[]> => {
    for (;;) {
      const names = await asked();
      if (isMet(names)) return names;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };

  it('is nothing while nobody reads, though all of it is shown', async () => {
    expect(served.source.catalog.find('units.u119.m99')).to.not.equal(undefined);
    expect(await asked()).to.deep.equal([]);
  });

  it('is what is read, with little that lies beside it, and nothing when its reader has gone', async () => {
    const { values } = await call<Values>(served.port, 'var/get', { aliases: ['units.u7.m50'] });
    expect(values).to.deep.equal({ 'units.u7.m50': 0 });
    const near = await asked();
    expect(near).to.include('units.u7.m50');
    expect(near).to.have.length.within(1, 16);
    await untilAsked((names) => names.length === 0);
  });

  it('is a subscription’s as long as it lasts, also when others come and go', async () => {
    const stream = await EventStream.subscribe(served.port, ['plant.frames'], 50);
    const counts: number[] = [];
    for await (const { values } of stream.messages()) {
      counts.push(values['plant.frames'] as number);
      if (counts.length === 3) await call(served.port, 'var/get', { aliases: ['units.u8.m1'] });
      if (counts.length > 8) break;
    }
    expect(await asked()).to.include('plant.frames');
    stream.close();
    expect(counts.every((count, index) => index === 0 || count > (counts[index - 1] as number))).to.equal(true);
  });
});
