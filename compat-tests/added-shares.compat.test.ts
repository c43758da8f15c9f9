// Clients that add what they may to a simulation, and fill the disk with checkpoints: others still have their part.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { serve } from '../lib/index.js';
import { ask, rpc } from './asking.js';
import { ServerHere } from './launch.js';

describe('what greedy clients add', () => {
  let directory: string;
  let server: ServerHere;

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'varwire-added-'));
    const options = ['--no-discovery', '--udp', 'off', '--run-dir', directory, '--disk-quota', '1MB'];
    server = await ServerHere.start(new URL('./growing.js', import.meta.url), { options, by: serve });
  });
  afterEach(async () => {
    await server?.stop();
    rmSync(directory, { recursive: true });
  });

  // biome-ignore lint/suspicious/noExplicitAny: whatever the server says
  const call = async (localAddress: string, method: string, params: object): Promise<any> =>
    JSON.parse((await ask({ port: server.port, path: '/jsonrpc', body: rpc(method, params), localAddress })).text);
  const figure = async (name: string, what: string): Promise<number> => {
    const { text } = await ask({ port: server.port, path: '/metrics' });
    return Number(new RegExp(`^${name}\\{what="${what}"\\} (.*)$`, 'm').exec(text)?.[1]);
  };
  /** How often a call succeeds, and the sentence that refuses it then. */
  const until = async (address: string, method: string, params: (count: number) => object) => {
    for (let count = 0; ; count++) {
      const { error } = await call(address, method, params(count));
      if (error) return { count, why: error.message as string };
    }
  };

  it('as objects leaves others some, and says in the metrics how much it is', async () => {
    const spawn = (address: string) => until(address, 'world.spawn_entity', () => ({ components: {} }));
    const greedy = await spawn('127.0.0.1');
    expect(greedy).to.deep.include({ count: 75 });
    expect(greedy.why).to.match(/a client may have added 75 objects now, not one more$/);
    expect((await spawn('127.0.0.2')).count).to.be.within(50, 60);
    expect(await figure('varwire_held', 'objects')).to.be.within(125, 135);
    expect(await figure('varwire_refused_total', 'objects')).to.equal(2);
  });

  it('as components leaves others some of the state, and as names some of the names', async () => {
    const x = new Array(1000).fill(1);
    const load = () => ({ components: { Load: { x }, Name: 'a heavy load' } });
    const greedy = await until('127.0.0.1', 'world.spawn_entity', load);
    expect(greedy.why).to.match(/what a client has added to the state may take \d+ bytes now, not \d+$/);
    expect((await until('127.0.0.2', 'world.spawn_entity', load)).count).to.be.within(20, greedy.count);
    expect(await figure('varwire_held', 'objectBytes')).to.be.within(8000 * greedy.count, 2 ** 20);
    expect(await figure('varwire_held', 'entityNames')).to.be.at.least(greedy.count + 20);
  });

  it('as files leaves others some of the disk, and a file that is replaced counts once', async () => {
    const save = (address: string, name: string) =>
      until(address, 'sim/checkpoint', (count) => ({ file: `${name}_${count}` }));
    for (let round = 0; round < 50; round++)
      expect((await call('127.0.0.1', 'sim/checkpoint', { file: 'again' })).error, `round ${round}`).to.equal(
        undefined,
      );
    const greedy = await save('127.0.0.1', 'greedy');
    expect(greedy.count).to.be.above(1);
    expect(greedy.why).to.match(/a client's files may take 37\d.\d+ kB now, of 1 MB for all$/);
    expect((await save('127.0.0.2', 'honest')).count).to.be.above(0);
    expect(await figure('varwire_held', 'diskBytes')).to.be.within(300_000, 1_000_000);
    expect(await figure('varwire_refused_total', 'diskBytes')).to.equal(2);
  });
});
