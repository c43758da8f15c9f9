// A client of plain HTTP that takes none of its answers: others of its address are served again after a while.
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'chai';
import { array, double } from '../../model/state/declare.js';
import { ManualClock } from '../../testing/aids/manual-clock.js';
import { feed } from './feed.js';
import { serveSource } from './serve.js';

const get = { method: 'var/get', params: { aliases: ['tank.levels'] } };
/** An answer of 380 KB. */
const VALUES = 20_000;
const callsOf = (count: number): string =>
  JSON.stringify(Array.from({ length: count }, (_, id) => ({ jsonrpc: '2.0', id, ...get })));

describe('a client of plain HTTP that takes none of its answers', () => {
  it('is let go, so that others of its address have room for theirs', async () => {
    const clock = new ManualClock();
    const logged: string[] = [];
    const source = feed({ name: 'tank', frameSeconds: 1 }, (data) => {
      data.object('tank').component('levels', array(double(), VALUES), Array<number>(VALUES).fill(1 / 3));
    });
    const log = (_: string, text: string): unknown => logged.push(text);
    const server = await serveSource(source, { port: 0, udp: 'off', discovery: false, clock, log: log as never });
    const address = `http://127.0.0.1:${server.port}`;
    const metric = async (name: string): Promise<number> => {
      const line = (await (await fetch(`${address}/metrics`)).text()).split('\n').find((one) => one.startsWith(name));
      return Number(line?.split(' ')[1]);
    };
    const ask = async (): Promise<string> =>
      (await fetch(`${address}/jsonrpc`, { method: 'POST', body: callsOf(10) })).text();
    try {
      const body = callsOf(80);
      const stuck = connect(server.port, '127.0.0.1').on('error', () => undefined);
      stuck.write(`POST /jsonrpc HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
      // The watch has begun when the answer has been handed over.
      const isWatched = (): boolean => clock.delaysMillis.some((millis) => millis > 100_000 && millis < 600_000);
      while (!isWatched()) await metric('varwire_held{what="unreadBytes"}');
      expect(await metric('varwire_held{what="unreadBytes"}')).to.be.greaterThan(29e6);
      expect(await ask()).to.include('"code":-23418');
      expect(await metric('varwire_held_back_total{bound="unread"}')).to.equal(0);
      clock.advance(600_000);
      await once(stuck.resume(), 'close');
      expect(await ask()).to.not.include('error');
      expect(await metric('varwire_held_back_total{bound="unread"}')).to.equal(1);
      expect(logged.filter((text) => text.includes('was let go: its answers were not taken'))).to.have.length(1);
    } finally {
      await server.close();
    }
  });
});
