// Bytes of requests that wait for their answers.
import { expect } from 'chai';
import { double } from '../model/declare.js';
import { TestBall } from '../testing/aids/http-ball.js';
import { TestServer } from '../testing/aids/http-exchange.js';
import { WaitingBodies } from './waiting-bodies.js';

const MIB = 1024 * 1024;

describe('requests that wait for their answers', () => {
  it('have 16 MB for an address and 64 MB in all', () => {
    const bodies = new WaitingBodies();
    const holds = (address: string, megabytes: number): boolean => bodies.hold(address, megabytes * MIB);
    expect([holds('a', 16), holds('a', 1), holds('b', 16), holds('c', 16), holds('d', 15)]).to.deep.equal([
      true,
      false,
      true,
      true,
      true,
    ]);
    expect([holds('e', 2), holds('e', 1)]).to.deep.equal([false, true]);
    bodies.release('a', 16 * MIB);
    expect([holds('a', 15), holds('a', 2), holds('e', 1), holds('e', 1)]).to.deep.equal([true, false, true, false]);
  });

  it('are refused beyond that, and taken again when some have been answered', async () => {
    const server = new TestServer(new TestBall((state) => state.addObject('table').component('row', double(10))));
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'var/get', params: { aliases: ['table.row'] } });
    const long = body + ' '.repeat(950_000);
    const all = await Promise.all(Array.from({ length: 20 }, () => server.post(long)));
    const statuses = all.map(({ status }) => status);
    expect(statuses).to.deep.equal([...Array<number>(17).fill(200), ...Array<number>(3).fill(429)]);
    expect(all[19]?.json.error).to.deep.include({ code: -23418 });
    expect((await server.post(long)).status).to.equal(200);
  });
});
