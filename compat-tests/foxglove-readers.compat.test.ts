// A Foxglove client that reads nothing for a while: it misses whole messages, what waits for it is bounded, and others go on.
import { expect } from 'chai';
import { double, type ServedBeside, serveBeside, simulation } from '../lib/index.js';
import { connectFoxglove, jsonOf, type Message } from './foxglove-client.js';
import { call } from './http-client.js';

const COUNT = 8000;
/** With as many digits as numbers have: 150 KB a message. */
const LARGE = simulation({ name: 'large', frameSeconds: 0.01 }, (sim) => {
  const { numbers } = sim.object('large').components({ numbers: double(COUNT) });
  let tick = 0;
  sim.job(0.01, () => void numbers.fill(++tick / 3));
});

interface Client {
  readonly address: string;
  readonly sent_bytes: number;
  readonly dropped_messages: number;
}

describe('a Foxglove client that does not read', () => {
  let server: ServedBeside;
  before(async () => {
    const options = { port: 0, discovery: false, udp: 'off', foxgloveRate: 100 } as const;
    server = await serveBeside(LARGE, options);
  });
  after(() => server?.close());

  it('misses whole messages, holds no more than its share, and lets others go on', async () => {
    const [slow, other] = [await connectFoxglove(server.port), await connectFoxglove(server.port)];
    // Compression is offered by the clients, and refused.
    expect([slow.socket.extensions, other.socket.extensions]).to.deep.equal(['', '']);
    const { localPort } = (slow.socket as unknown as { _socket: { localPort: number } })._socket;
    const facts = async (): Promise<Client> => {
      const { clients } = await call<{ clients: Client[] }>(server.port, 'sim/clients', {});
      return clients.find(({ address }) => address.endsWith(`:${localPort}`)) as Client;
    };
    const until = async (dropped: number): Promise<Client> => {
      for (;;) {
        const found = await facts();
        if (found.dropped_messages >= dropped) return found;
        other.told.forget();
        await other.told.first('message');
      }
    };
    for (const { client, channel } of [slow, other]) client.subscribe(channel('/large').id);
    await Promise.all([slow, other].map(({ told }) => told.first('message')));
    slow.socket.pause();
    const full = await until(10);
    const later = await until(full.dropped_messages + 20);
    // Each message that it might have got is longer than what it got meanwhile.
    expect(later.sent_bytes - full.sent_bytes).to.be.below(20 * COUNT);
    other.told.forget();
    const { timestamp } = await other.told.first<Message>('message');
    slow.told.forget();
    slow.socket.resume();
    await slow.told.first<Message>('message', (message) => message.timestamp > timestamp);
    const times = slow.told.events.flatMap(([name, event]) => {
      if (name !== 'message') return [];
      const message = event as Message;
      const { numbers } = jsonOf(message) as { numbers: number[] };
      expect([numbers.length, new Set(numbers).size]).to.deep.equal([COUNT, 1]);
      return [Number(message.timestamp)];
    });
    const gaps = times.slice(1).map((time, index) => time - (times[index] as number));
    // Some 30 frames of 10 ms have been left out, in one place or a few.
    expect(Math.max(...gaps)).to.be.at.least(50e6);
    expect(Math.min(...gaps)).to.be.above(0);
    for (const { socket } of [slow, other]) socket.terminate();
  });
});
