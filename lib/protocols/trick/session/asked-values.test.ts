// The values a second that a session's list asks for: counted, bounded, and given back.
import { expect } from 'chai';
import { double } from '../../../model/state/declare.js';
import type { MemoryConnection } from '../../../testing/aids/memory-connection.js';
import { startTrickFixture, type TrickFixture } from '../../../testing/aids/trick-server.js';

const VALUES = 16_000;

describe('what the list of a session asks for', () => {
  let server: TrickFixture;

  before(async () => {
    server = await startTrickFixture({ ballast: VALUES });
  });
  after(() => server.close());

  const held = () => server.registry.ledger.held('valuesPerSecond');

  it('is its values by its cycle, and nothing once the list is empty or the client gone', async () => {
    const client = server.connect();
    await server.ask(client, 'trick.var_pause()\ntrick.var_add("ballast.many")\ntrick.var_add("fx.all.i")\n');
    const single = held() - 10 * VALUES;
    expect(single).to.be.within(1, 100);
    await server.ask(client, 'trick.var_cycle(1)\n');
    expect(held()).to.equal(VALUES + single / 10);
    await server.ask(client, 'trick.var_clear()\n');
    expect(held()).to.equal(0);
    await server.ask(client, 'trick.var_add("ballast.many")\n');
    client.leave();
    expect(held()).to.equal(0);
  });

  it('is refused beyond the bound: a faster cycle, and one variable more', async () => {
    const client = server.connect();
    await server.ask(client, 'trick.var_pause()\ntrick.var_add("ballast.many")\ntrick.var_add("ballast.many")\n');
    server.log.length = 0;
    await server.ask(client, 'trick.var_cycle(0)\n');
    expect(server.log.join()).to.include('a client may have 20000000 values a second; the cycle stays as it is');
    expect(held()).to.equal(2 * 10 * VALUES);
    await server.ask(client, 'trick.var_remove("ballast.many")\ntrick.var_cycle(0)\ntrick.var_add("ballast.many")\n');
    expect(server.log.join()).to.include('a client may have 20000000 values a second; ballast.many was not added');
    expect(held()).to.equal(1000 * VALUES);
    await server.ask(client, 'trick.var_exit()\n');
  });
});

describe('a list with pointers', () => {
  const FAR = 10_000;
  const declaring = [`a = trick.TMM_declare_var_s("double far[${FAR}]")`, 'trick.TMM_declare_var_s("double * p[60]")'];
  const aimed = Array.from({ length: 60 }, (_, k) => `p[${k}] = a`);
  const added = (count: number) => Array.from({ length: count }, (_, k) => `trick.var_add("p[${k}]")`);
  /** In several blocks: one has a time, in which a busy machine may not run all of them. */
  async function ask(server: TrickFixture, client: MemoryConnection, lines: readonly string[]): Promise<void> {
    for (let from = 0; from < lines.length; from += 5)
      await server.ask(client, `${lines.slice(from, from + 5).join('\n')}\n`);
  }

  for (const [name, ballast] of [
    ['a small state', 16],
    ['a large one', 400_000],
  ] as const)
    it(`counts what they lead to, as much of it as messages show, in ${name}`, async () => {
      const server = await startTrickFixture({ ballast });
      const held = () => server.registry.ledger.held('valuesPerSecond');
      const client = server.connect();
      await ask(server, client, ['trick.var_pause()', ...declaring, ...aimed, ...added(2)]);
      await server.ask(client, 'trick.var_cycle(1)\n');
      expect(held()).to.equal(2);
      await server.ask(client, 'trick.var_unpause()\n');
      await server.pass(40);
      const shown = 8192;
      expect(held()).to.equal(2 + 2 * 50 * shown);
      await ask(server, client, added(60));
      await server.pass(1100);
      expect(server.log.join()).to.include('a client may have 20000000 values a second; the list is not sent');
      await ask(
        server,
        client,
        Array.from({ length: 60 }, (_, k) => `trick.var_remove("p[${k}]")`),
      );
      await server.ask(client, 'trick.var_remove("p[0]")\ntrick.var_remove("p[1]")\ntrick.var_add("fx.all.i")\n');
      expect(held()).to.be.below(100);
      await server.ask(client, 'trick.var_clear()\n');
      expect(held()).to.equal(0);
      await server.close();
    });

  it('counts what is declared after it was added', async () => {
    const server = await startTrickFixture();
    const client = server.connect();
    await server.ask(client, 'trick.var_add("p[0]")\n');
    await server.pass(200);
    await ask(server, client, [...declaring, ...aimed]);
    await server.pass(200);
    expect(server.registry.ledger.held('valuesPerSecond')).to.be.above(50 * 8192);
    await server.close();
  });
});

describe('a list of values that lie far apart', () => {
  const listing = (count: number) =>
    Array.from({ length: count }, (_, k) => `trick.var_add("ballast.many[${k * 512}]")\n`);

  it('counts pages of a large state, but for the first 256', async () => {
    const server = await startTrickFixture({ ballast: 800_000 });
    const held = () => server.registry.ledger.held('valuesPerSecond');
    const client = server.connect();
    await server.ask(client, listing(200).join(''));
    await server.pass(200);
    expect(held()).to.equal(10 * 200);
    await server.ask(client, listing(500).slice(200).join(''));
    await server.pass(200);
    // A value and a page may begin at different bytes.
    expect(held()).to.be.within(10 * 500 + 50 * 512 * 244, 10 * 500 + 50 * 512 * 246);
    const ofOne = held();
    // The references are shared, and have been looked at in the same frame.
    const other = server.connect();
    await server.ask(other, listing(500).join(''));
    await server.pass(500);
    expect(held()).to.equal(2 * ofOne);
    other.leave();
    await server.ask(client, listing(1500).slice(500).join(''));
    await server.pass(200);
    expect(server.log.join()).to.include('a client may have 20000000 values a second; the list is not sent');
    await server.close();
  });
});

describe('a list with an array of megabytes', () => {
  it('asks frames only for the elements that messages show', async () => {
    const server = await startTrickFixture({
      build: (sim) => sim.object('wide').component('many', double(400_000)).fill(1.5),
    });
    const client = server.connect();
    const field = `${'1.5,'.repeat(2048)}`.slice(0, 8190);
    await server.ask(client, 'trick.var_pause()\ntrick.var_add("wide.many")\n');
    expect(await server.ask(client, 'trick.var_send()\n')).to.equal(`0\t${field}\n`);
    expect(await server.ask(client, 'trick.var_send_once("wide.many")\n')).to.equal(`5\t${field}\n`);
    const { pages, memory } = server.registry.source.frame;
    expect(pages?.carried.bytesOf(memory.bytes.length)).to.be.below(400_000);
    await server.close();
  });
});
