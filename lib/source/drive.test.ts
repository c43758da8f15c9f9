// How the thread of a simulation takes messages between its turns.
import { MessageChannel } from 'node:worker_threads';
import { expect } from 'chai';
import { receiveSome } from './drive.js';
import { packed, Unpacker } from './packed-writes.js';
import type { ToSimulation } from './protocol.js';
import type { SimulationHost } from './simulation-host.js';

describe('messages to the thread of a simulation', () => {
  it('are taken for a short time before a frame, which counts as that of requests', () => {
    const { port1, port2 } = new MessageChannel();
    let now = 0;
    const spent: number[] = [];
    const received: number[] = [];
    const host = {
      running: { nowMillis: () => now, spentReceiving: (millis: number) => spent.push(millis) },
      receive: ({ id }: { readonly id: number }) => {
        received.push(id);
        now += 1.5;
      },
    } as unknown as SimulationHost;
    for (const id of [1, 2, 3, 4, 5]) port1.postMessage({ kind: 'request', id });
    const unpacker = new Unpacker();
    const ends = [1, 2, 3, 4].map(() => [receiveSome(host, port2, unpacker), received.length]);
    expect(ends).to.deep.equal([
      [false, 2],
      [false, 4],
      [true, 5],
      [true, 5],
    ]);
    expect([received, spent]).to.deep.equal([
      [1, 2, 3, 4, 5],
      [3, 3, 1.5, 0],
    ]);
    port1.close();
  });

  it('that go on in the next one are put together, before and after a frame', () => {
    const { port1, port2 } = new MessageChannel();
    let now = 0;
    const received: unknown[] = [];
    const host = {
      // Each look at the clock takes as long as reading a message.
      running: { nowMillis: () => (now += 0.7), spentReceiving: () => undefined },
      receive: (message: unknown) => received.push(message),
    } as unknown as SimulationHost;
    const writes = Array.from({ length: 4500 }, (_, k) => ({ path: `o.x[${k}]`, value: k }));
    const request: ToSimulation = { kind: 'request', id: 1, request: { kind: 'write', writes } };
    for (const sent of packed(request)) port1.postMessage(sent);
    const unpacker = new Unpacker();
    expect([receiveSome(host, port2, unpacker), received]).to.deep.equal([false, []]);
    expect(receiveSome(host, port2, unpacker)).to.equal(true);
    expect(received).to.deep.equal([request]);
    port1.close();
  });
});
