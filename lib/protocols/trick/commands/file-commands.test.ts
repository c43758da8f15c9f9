// Whole files that clients ask for: what is read or made counts as an answer that waits.
import { expect } from 'chai';
import { double, struct } from '../../../model/state/declare.js';
import { ComputingClock } from '../../../testing/aids/computing.js';
import { turn } from '../../../testing/aids/http-exchange.js';
import { MemoryConnection } from '../../../testing/aids/memory-connection.js';
import { startTrickFixture, type TrickFixture } from '../../../testing/aids/trick-server.js';

const MIB = 1024 * 1024;

describe('send_file', () => {
  let fixture: TrickFixture;
  let client: MemoryConnection;
  let fileBytes = 0;
  let isWhole = false;
  let reading = 0;

  beforeEach(async () => {
    isWhole = false;
    reading = 0;
    fixture = await startTrickFixture({
      async readFile(_, take, turnOfClient) {
        try {
          take(fileBytes);
        } catch {
          return undefined;
        }
        reading++;
        while (!isWhole) await turnOfClient();
        return Buffer.from('as read');
      },
    });
    client = fixture.connect();
  });
  afterEach(() => fixture.close());

  const heldBytes = (): number => fixture.registry.ledger.held('unreadBytes');

  it('counts a file while it is read, of all clients together, and gives it back', async () => {
    fileBytes = 30 * MIB;
    const others = Array.from({ length: 20 }, () => fixture.connect());
    for (const other of others) other.send('trick.send_file("it")\n');
    await fixture.pass(50);
    expect(reading).to.be.within(2, 8);
    expect(heldBytes()).to.be.within(2 * 30 * MIB, 256 * MIB);
    isWhole = true;
    await fixture.pass(200);
    expect(heldBytes()).to.equal(0);
    expect(await fixture.ask(client, 'trick.send_file("it")\n')).to.equal('2\t7\nas read');
  });

  it('answers -1 for a file that no datagram can carry, and does not read it', async () => {
    const datagrams = new MemoryConnection('udp');
    fixture.frontEnd.accept(datagrams);
    isWhole = true;
    fileBytes = 65_000;
    expect(await fixture.ask(datagrams, 'trick.send_file("it")\n')).to.equal('2\t7\nas read');
    fileBytes = 66_000;
    expect(await fixture.ask(datagrams, 'trick.send_file("it")\n')).to.equal('2\t-1\n');
    expect(reading).to.equal(1);
  });

  it('answers -1 for a file that is more than a client may have unread', async () => {
    fileBytes = 40 * MIB;
    isWhole = true;
    expect(await fixture.ask(client, 'trick.send_file("it")\n')).to.equal('2\t-1\n');
    expect(reading).to.equal(0);
  });
});

describe('send_sie_resource', () => {
  let fixture: TrickFixture;

  beforeEach(async () => {
    const members = Array.from({ length: 3000 }, (_, k) => [`member_${k}`, double({ units: 'm' })] as const);
    const Large = struct('Large', Object.fromEntries(members));
    const clock = new ComputingClock();
    clock.millisPerLook = 0.5;
    fixture = await startTrickFixture({ clock, build: (sim) => void sim.object('large').component('all', Large) });
  });
  afterEach(() => fixture.close());

  const ledger = () => fixture.registry.ledger;
  const account = () => [...fixture.registry.sessions][0]!.account;

  it('counts the document of each who asks while it is made', async () => {
    const clients = [fixture.connect(), fixture.connect()];
    for (const client of clients) client.send('trick.send_sie_class()\n');
    let mostBytes = 0;
    for (let turns = 0; turns < 60; turns++) {
      await turn();
      mostBytes = Math.max(mostBytes, ledger().held('unreadBytes'));
    }
    const [one = '', other] = clients.map((client) => client.taken());
    const [, size] = /^2\t(\d+)\n<\?xml[\s\S]*<\/sie>\n$/.exec(one) ?? [];
    expect(other).to.equal(one);
    expect(Number(size)).to.be.above(300_000);
    expect(mostBytes).to.be.within(Number(size), 2 * Number(size) + 128);
    expect(ledger().held('unreadBytes')).to.equal(0);
  });

  it('answers -1 where no datagram can carry it', async () => {
    const datagrams = new MemoryConnection('udp');
    fixture.frontEnd.accept(datagrams);
    expect(await fixture.ask(datagrams, 'trick.send_sie_class()\n')).to.equal('2\t-1\n');
    expect(await fixture.ask(datagrams, 'trick.send_sie_top_level_objects()\n')).to.match(/^2\t\d+\n<\?xml/);
  });

  it('answers -1 where the client may not have so much unread, also when the document is there', async () => {
    const client = fixture.connect();
    const most = ledger().bounds.unreadBytes.each;
    account().take('unreadBytes', most - 200_000);
    for (let time = 1; time <= 2; time++) {
      expect(await fixture.ask(client, 'trick.send_sie_resource()\n')).to.equal('2\t-1\n');
      expect(ledger().refusals('unreadBytes')).to.equal(time);
    }
    account().give('unreadBytes', most - 200_000);
    const whole = await fixture.ask(client, 'trick.send_sie_resource()\n');
    expect(whole).to.match(/^2\t\d+\n<\?xml/);
    account().take('unreadBytes', most - 200_000);
    expect(await fixture.ask(client, 'trick.send_sie_resource()\n')).to.equal('2\t-1\n');
    expect([client.isClosed, ledger().held('unreadBytes')]).to.deep.equal([false, most - 200_000]);
  });
});
