// Bytes of requests that wait for their answers.
import { expect } from 'chai';
import { double } from '../../model/state/declare.js';
import { ClientSessions } from '../../serving/session/client-sessions.js';
import { SessionRegistry } from '../../serving/session/registry.js';
import { TestBall } from '../../testing/aids/http-ball.js';
import { TestServer } from '../../testing/aids/http-exchange.js';

const MIB = 1024 * 1024;

describe('requests that wait for their answers', () => {
  /** Requests that wait until they are ended. */
  function waiting() {
    const bodies = new ClientSessions(new SessionRegistry(new TestBall()));
    const ends: (() => void)[] = [];
    const holds = async (address: string, bytes: number): Promise<boolean> => {
      let isAsked = false;
      const all = bodies.during(address, bytes, () => {
        isAsked = true;
        return new Promise((end) => ends.push(end));
      });
      if (!isAsked) expect(await all).to.equal(false);
      return isAsked;
    };
    return { ends, holds };
  }

  it('have 16 MB for an address and 64 MB in all, of which each leaves as much for others', async () => {
    const { ends, holds } = waiting();
    const held: boolean[] = [];
    for (const [address, mib] of [
      ['a', 16],
      ['a', 1],
      ['b', 16],
      ['c', 16],
      ['d', 8],
      ['e', 5],
      ['e', 4],
    ] as const)
      held.push(await holds(address, mib * MIB));
    expect(held).to.deep.equal([true, false, true, true, true, false, true]);
    ends[0]?.();
    await new Promise(setImmediate);
    expect([await holds('a', 10 * MIB), await holds('a', MIB), await holds('f', MIB)]).to.deep.equal([
      true,
      false,
      true,
    ]);
  });

  it('leave room for short ones of the same address', async () => {
    const { holds } = waiting();
    expect([await holds('a', 16 * MIB), await holds('a', 16 * 1024), await holds('a', 16 * 1024 + 1)]).to.deep.equal([
      true,
      true,
      false,
    ]);
  });

  it('are refused beyond that, and taken again when some have been answered', async () => {
    const server = new TestServer(new TestBall((state) => state.addObject('table').component('row', double(10))));
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'var/get', params: { aliases: ['table.row'] } });
    const long = body + ' '.repeat(950_000);
    const all = await answered(server, Promise.all(Array.from({ length: 20 }, () => server.post(long))));
    const statuses = all.map(({ status }) => status);
    expect(statuses).to.deep.equal([...Array<number>(17).fill(200), ...Array<number>(3).fill(429)]);
    expect(all[19]?.json.error).to.deep.include({ code: -23418 });
    expect((await answered(server, server.post(long))).status).to.equal(200);
  });

  /** Lets time pass until what is awaited is there: so many bytes at once rest. */
  async function answered<T>(server: TestServer, awaited: Promise<T>): Promise<T> {
    let isOver = false;
    void awaited.finally(() => {
      isOver = true;
    });
    while (!isOver) {
      server.clock.advance(100);
      await new Promise(setImmediate);
    }
    return awaited;
  }
});
