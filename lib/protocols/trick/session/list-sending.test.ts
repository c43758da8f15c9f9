// Long messages of a list: not made without room, counted while they wait, and the client that takes none is let go.
import { expect } from 'chai';
import { double } from '../../../model/state/declare.js';
import type { MemoryConnection } from '../../../testing/aids/memory-connection.js';
import { startTrickFixture, type TrickFixture } from '../../../testing/aids/trick-server.js';

const COUNT = 1000;
const LISTED = 40;
const NAME = 'wide.many';

describe('the long messages of a list', () => {
  let fixture: TrickFixture;
  let client: MemoryConnection;
  const unread = (): number => fixture.registry.ledger.held('unreadBytes');

  beforeEach(async () => {
    fixture = await startTrickFixture({
      build: (sim) => {
        const many = sim.object('wide').component('many', double(COUNT));
        sim.job(0.01, () => many.fill(sim.timeSeconds));
      },
    });
    client = fixture.connect();
  });
  afterEach(() => fixture.close());

  async function list(length: number, ...more: string[]): Promise<void> {
    const adds = Array.from({ length }, () => `var_add("${NAME}")`);
    const commands = ['var_pause()', 'var_binary()', 'var_cycle(0.05)', ...adds, ...more, 'var_unpause()'];
    await fixture.ask(client, commands.map((command) => `trick.${command}\n`).join(''));
  }
  /** The first value of each message. */
  const times = (): number[] =>
    client.written.splice(0).map((message) => message.readDoubleLE(message.indexOf(NAME) + NAME.length + 8));

  it('count as answers that are not read until the client has taken them', async () => {
    client.isStuck = true;
    await list(LISTED);
    await fixture.pass(60);
    expect([client.pendingBytes > LISTED * 8 * COUNT, unread()]).to.deep.equal([true, client.pendingBytes]);
    client.read();
    await fixture.pass(1);
    expect(unread()).to.equal(0);
  });

  it('are not made before the client has room, and then show the latest values', async () => {
    client.isStuck = true;
    client.pendingBytes = 600_000;
    await list(LISTED);
    client.taken();
    await fixture.pass(1020);
    expect([client.written.length, unread()]).to.deep.equal([0, 0]);
    client.read();
    await fixture.pass(30);
    expect(times()[0]).to.be.at.least(1);
  });

  it('count while they wait for their cycle, and when they were made before the client had room', async () => {
    await list(LISTED, 'var_set_copy_mode(2)');
    client.isStuck = true;
    client.pendingBytes = 600_000;
    await fixture.pass(200);
    expect(client.written.splice(0)).to.have.length(0);
    expect(unread()).to.be.within(8 * COUNT * LISTED, 2 * 8.1 * COUNT * LISTED);
    client.leave();
    expect(unread()).to.equal(0);
  });

  it('end the connection of a client that takes none of them for long', async () => {
    client.isStuck = true;
    await list(2 * LISTED);
    await fixture.pass(9_000);
    expect(client.isClosed).to.equal(false);
    await fixture.pass(20_000);
    expect([client.isClosed, unread()]).to.deep.equal([true, 0]);
    expect(fixture.log.join('\n')).to.match(/was let go: its answers were not taken: \d+ bytes wait/);
  });
});
