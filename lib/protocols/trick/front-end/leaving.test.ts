// Clients that leave in the middle of a block: what they asked for ends, and nothing of it stays.
import { expect } from 'chai';
import type { Account } from '../../../serving/scheduling/account.js';
import { ComputingClock } from '../../../testing/aids/computing.js';
import { settle, startTrickFixture, type TrickFixture } from '../../../testing/aids/trick-server.js';
import type { ReferenceTable } from '../wire/reference.js';

const MEGABYTE = 1024 * 1024;
const LOOP = 'while True: pass\n';
const UNKNOWN = Array.from({ length: 3000 }, (_, k) => `no.such_${k}`).join();

describe('a client that leaves', () => {
  let fixture: TrickFixture;
  /** @param millisPerLook above 0, each piece of work is a slice. */
  const begin = async (millisPerLook = 0): Promise<void> => {
    const clock = new ComputingClock();
    clock.millisPerLook = millisPerLook;
    fixture = await startTrickFixture({ clock });
  };
  afterEach(() => fixture.close());

  const kept = (): number => fixture.registry.ledger.held('keptBytes');
  const account = (): Account => [...fixture.frontEnd.sessions][0]?.client.account as Account;
  const references = (): ReferenceTable => Reflect.get(fixture.frontEnd, 'references') as ReferenceTable;
  /** Turns of the event loop, until a condition holds. */
  async function until(isSo: () => boolean): Promise<void> {
    for (let turn = 0; turn < 10_000 && !isSo(); turn++) await settle();
    expect(isSo()).to.equal(true);
  }

  it('gives back the names of a message that is being made, which count as its own meanwhile', async () => {
    await begin(3);
    for (const command of [`var_send_once("${UNKNOWN}", 3000)`, `var_send_once("${UNKNOWN}", 3000)\nx = 1`]) {
      const client = fixture.connect();
      client.send(`trick.${command}\n`);
      await until(() => kept() > 384 * 100);
      client.leave();
      // At once: thousands of them may wait for their turn.
      expect([references().size, kept()]).to.deep.equal([0, 0]);
    }
  });

  it('may keep no more names for a message than it may keep at all', async () => {
    await begin();
    const client = fixture.connect();
    account().take('keptBytes', 15 * MEGABYTE);
    expect(await fixture.ask(client, `trick.var_send_once("${UNKNOWN}", 3000)\n`)).to.equal('');
    expect(fixture.log.join('\n')).to.match(/a client may have 16777216 bytes of names.*; nothing is sent/);
    expect([references().size, kept()]).to.deep.equal([0, 15 * MEGABYTE]);
    client.leave();
  });

  it('waits with its long block while another of its address has one, when there is no room to keep them', async () => {
    await begin();
    const client = fixture.connect();
    const all = 16 * MEGABYTE - 100_000;
    account().take('keptBytes', all);
    const neighbour = {};
    const { longBlocks } = fixture.server;
    longBlocks.enter('127.0.0.1', neighbour);
    client.send(`${'#'.repeat(20_000)}\ntrick.var_send_once("fx.all.i")\n`);
    await settle();
    expect(client.taken()).to.equal('');
    longBlocks.leave('127.0.0.1', neighbour);
    fixture.clock.advance(100);
    expect(await fixture.answer(client)).to.equal('5\t5\n');
    // Room that there is, is taken.
    account().give('keptBytes', all);
    longBlocks.enter('127.0.0.1', neighbour);
    expect(await fixture.ask(client, `${'#'.repeat(20_000)}\ntrick.var_send_once("fx.all.i")\n`)).to.equal('5\t5\n');
    expect([kept(), fixture.registry.ledger.refusals('keptBytes')]).to.deep.equal([0, 0]);
    client.leave();
  });

  it('may let its blocks make no more than all of its address may hold, until they have ended', async () => {
    await begin(1);
    const client = fixture.connect();
    const others = Array.from({ length: 6 }, (_, k) => fixture.registry.ledger.open(`127.0.0.1:${k}`));
    for (const other of others) other.take('blockBytes', 63 * MEGABYTE);
    client.send('L = [[k] * 100000 for k in range(20)]\nwhile True: pass\n');
    await until(() => fixture.log.join('\n').includes('MemoryError'));
    expect(fixture.log.join('\n')).to.match(
      /MemoryError: the clients of an address may have \d+ bytes of texts and lists/,
    );
    for (const other of others) other.close();
    expect(fixture.registry.ledger.held('blockBytes')).to.equal(0);
    client.send('M = [[k] * 100000 for k in range(20)]\nwhile True: pass\n');
    await until(() => fixture.registry.ledger.held('blockBytes') > 10 * MEGABYTE);
    client.leave();
    expect(fixture.registry.ledger.held('blockBytes')).to.equal(0);
  });

  it('costs no surroundings of its blocks before one of them begins', async () => {
    await begin();
    let made = 0;
    const { events } = fixture.server;
    Object.defineProperty(fixture.server, 'events', {
      get: () => {
        made++;
        return events;
      },
    });
    const clients = Array.from({ length: 20 }, (_, k) => fixture.connect('tcp', `10.0.0.1:${5000 + k}`));
    for (const client of clients) client.leave();
    expect(made).to.equal(0);
    const client = fixture.connect();
    expect(await fixture.ask(client, 'trick.var_send_once("fx.all.i")\n')).to.equal('5\t5\n');
    expect(made).to.be.above(0);
    client.leave();
  });

  it('is heard while its block runs, which ends there', async () => {
    await begin();
    const clients = Array.from({ length: 100 }, () => fixture.connect());
    for (const client of clients) client.send(LOOP);
    for (const client of clients) client.leave();
    await until(() => fixture.registry.turns.waiting === 0);
    expect(fixture.frontEnd.sessions.size).to.equal(0);
  });

  it('may send its last byte and wait for the answers, also beside many whose blocks compute for long', async () => {
    await begin();
    const honest = Array.from({ length: 25 }, () => fixture.connect('tcp', '10.0.0.1:5000'));
    for (const [k, client] of honest.entries()) {
      client.send(`for k in range(1000): x = k\nfx.all.d = ${k}\ntrick.var_send_once("fx.all.d")\n`);
      client.finish();
    }
    const clients = Array.from({ length: 66 }, (_, k) => fixture.connect('tcp', `10.0.0.1:${6000 + k}`));
    for (const client of clients) {
      client.send(LOOP);
      client.finish();
    }
    for (const client of honest) {
      await until(() => client.isClosed);
      expect(client.taken()).to.match(/^5\t\d+\n$/);
    }
    for (const client of clients) client.leave();
  });
});
