// Pointers and containers of a simulation behind a bridge: their lengths change while it runs.
import { expect } from 'chai';
import { bridge, type RunningServer, serveSource } from '../lib/index.js';
import { call, type Json, type Values } from './http-client.js';
import { TrickStandIn } from './trick-stand-in.js';
import { member, SIE } from './trick-stand-in-description.js';

const QUIET = { port: 0, discovery: false, udp: 'off', messages: 'off', brp: 'off' } as const;
const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => 1.5 * index);

describe('what pointers and containers of a simulation hold, through a bridge,', () => {
  let trick: TrickStandIn;
  let served: RunningServer;
  before(async () => {
    trick = await new TrickStandIn().start();
    trick.description = SIE.replace(
      '</class>',
      `${member('p', 'double', [0])}${member('gone', 'double', [0])}</class>`,
    );
    hold('fx.p', numbers(5));
    served = await serveSource(await bridge({ port: trick.port }), QUIET);
  });
  after(async () => {
    await served?.close();
    await trick.stop();
  });

  function hold(name: string, values: number[], isContainer = false): void {
    trick.held[name] = { kind: 'double', extents: [values.length], values, ...(isContainer && { isContainer: true }) };
  }
  const get = async (alias: string): Promise<Json | undefined> =>
    (await call<Values>(served.port, 'var/get', { aliases: [alias] })).values[alias];
  /** Asks until the answer is this. */
  const untilIs = async (alias: string, values: readonly number[] | null): Promise<void> => {
    while (JSON.stringify(await get(alias).catch(() => undefined)) !== JSON.stringify(values))
      await new Promise((resolve) => setTimeout(resolve, 20));
  };

  it('is as many values as the simulation says', async () => {
    expect(await get('fx.p')).to.deep.equal(numbers(5));
    expect(await get('fx.p[4]')).to.equal(6);
    expect(await get('fx.gone')).to.equal(null);
    expect(await get('fx.vd')).to.deep.equal([10, 20, 30]);
    expect(await get('fx.vd[2]')).to.equal(30);
  });

  it('changes with a container that grows beyond its room, and with a pointer whose memory goes away', async () => {
    expect(await get('fx.p[0]')).to.equal(0);
    hold('fx.vd', numbers(40), true);
    delete trick.held['fx.p'];
    await Promise.all([untilIs('fx.vd', numbers(40)), untilIs('fx.p', null)]);
    hold('fx.vd', numbers(2), true);
    await untilIs('fx.vd', numbers(2));
    const asked = [...trick.sessions].flatMap(({ list }) => list.map(({ name }) => name));
    expect(asked.filter((name) => /^fx\.(p|vd)\[/.test(name))).to.deep.equal([]);
    expect(trick.hasCrashed).to.equal(false);
  });

  it('is left out of containers by a Trick that tells no sizes, and nothing else is', async () => {
    const old = await new TrickStandIn().start();
    old.isOld = true;
    const source = await bridge({ port: old.port });
    const found = ['fx.vd', 'fx.d', 'fx.words'].map((path) => source.catalog.find(path) !== undefined);
    expect(found).to.deep.equal([false, true, true]);
    await source.close();
    await old.stop();
  });
});
