// A client that stops reading for a while, and then gets the latest values.
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { array, double } from '../../model/state/declare.js';
import { type Sim, simulation } from '../../simulation/executive/simulation.js';
import { randomOf } from '../../testing/aids/fuzz-seed.js';
import { collect, type Received } from '../../testing/aids/transport-peer.js';
import { type ServedBeside, serveBeside } from './serve-beside.js';

const NUMBERS = 10_000;
const FRAMES = 60;

/** A simulation that shows its frame number, and large arrays beside it. */
function wide(sim: Sim): void {
  const object = sim.object('o');
  const tick = object.component('tick', double());
  object.component('noise', array(double(), NUMBERS));
  sim.job(0.01, () => {
    tick.value += 1;
  });
}

describe('a client that stops reading for a while', () => {
  let served: ServedBeside;
  const clients: Socket[] = [];

  beforeEach(async () => {
    const definition = simulation({ name: 'wide', frameSeconds: 0.01 }, wide);
    served = await serveBeside(definition, { port: 0, udp: 'off', discovery: false, drive: 'caller' });
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) client.destroy();
    await served.close();
  });

  async function call(method: string, params: object): Promise<{ values: Record<string, number> }> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const response = await fetch(`http://127.0.0.1:${served.port}/jsonrpc`, { method: 'POST', body });
    return ((await response.json()) as { result: { values: Record<string, number> } }).result;
  }

  /** The tick that is shown once it is as high as this: a frame and a request come by different ways. */
  async function tickFrom(lowest: number): Promise<number> {
    for (;;) {
      const { values } = await call('var/get', { aliases: ['o.tick'] });
      const tick = values['o.tick'] as number;
      if (tick >= lowest) return tick;
    }
  }

  /** Sends a request, waits for the first message, and stops reading while the simulation runs on. */
  async function pausedBy(request: string, isFirst: RegExp): Promise<Received> {
    const random = randomOf('noise');
    const value = Array.from({ length: NUMBERS }, () => random.uniform());
    await call('var/set', { alias: 'o.noise', value });
    const socket = connect(served.port, '127.0.0.1');
    clients.push(socket);
    const heard = collect(socket);
    socket.write(request);
    await heard.until((text) => isFirst.test(text));
    socket.pause();
    for (let frame = 0; frame < FRAMES; frame++) {
      served.advance();
      expect(await tickFrom(frame + 1)).to.equal(frame + 1);
    }
    socket.resume();
    return heard;
  }

  it('reads the latest event last, and knows how many it has missed', async () => {
    const params = { aliases: ['o.tick', 'o.noise'], cycle_ms: 10 };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'var/subscribe', params });
    const heard = await pausedBy(
      `POST /jsonrpc HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      /"o.tick":0,/,
    );
    const text = await heard.until((all) => all.includes(`"o.tick":${FRAMES},`) && all.endsWith('\n\n\r\n'));
    const ticks = [...text.matchAll(/"o\.tick":(\d+),/g)].map(([, tick]) => Number(tick));
    const dropped = [...text.matchAll(/"dropped":(\d+)/g)].reduce((sum, [, count]) => sum + Number(count), 0);
    expect(ticks.length + dropped).to.equal(FRAMES + 1);
    expect(ticks).to.deep.equal(ticks.toSorted((a, b) => a - b));
    expect(dropped).to.be.greaterThan(0);
  });
});
