// Whole files that clients ask for: what is read counts as an answer that waits.
import { expect } from 'chai';
import type { MemoryConnection } from '../../testing/aids/memory-connection.js';
import { startTrickFixture, type TrickFixture } from '../../testing/aids/trick-server.js';

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
      *readFile(_, take) {
        try {
          take(fileBytes);
        } catch {
          return undefined;
        }
        reading++;
        while (!isWhole) yield;
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

  it('answers -1 for a file that is more than a client may have unread', async () => {
    fileBytes = 40 * MIB;
    isWhole = true;
    expect(await fixture.ask(client, 'trick.send_file("it")\n')).to.equal('2\t-1\n');
    expect(reading).to.equal(0);
  });
});
