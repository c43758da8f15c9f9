// What anybody may publish at a NATS server without users: neither a simulation nor an edge is hurt by it.
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { expect } from 'chai';
import { double, edge, feed, type RunningServer, serveSource } from '../lib/index.js';
import { randomOf } from '../lib/testing/aids/fuzz-seed.js';
import { commandHere } from './command-here.js';
import { NatsServer } from './nats-server.js';
import { until } from './panels-page.js';

const QUIET = { port: 0, discovery: false, udp: 'off', messages: 'off', brp: 'off' } as const;
const TO_EDGES = ['hello', 'catalog', 'frame', 'note'];
const TO_SOURCE = ['need', 'do.anyone', 'do.mallory', 'do'];
/** The first bytes of messages. */
const KINDS = [1, 2, 3, 4, 5, 6, 7, 0, 255];
const FLOOD = 2000;
const MOST_BYTES = 300 * 2 ** 20;

/** A part of a message that would have so many bytes. */
function partOf(bytes: number): Buffer {
  const part = Buffer.alloc(14);
  part.writeUInt8(6);
  part.writeUInt32LE(bytes, 9);
  return part;
}

const json = (kind: number, body: unknown): Buffer => Buffer.from(String.fromCharCode(kind) + JSON.stringify(body));
const NEEDS = [
  { edge: 5 },
  { edge: 'x'.repeat(100_000) },
  { edge: 'one', pages: 5 },
  { edge: 'two', pages: '!'.repeat(10_000) },
  { edge: 'three', past: 7 },
  { edge: 'four', past: { id: 'x', path: { nested: [] } } },
  { edge: 'five', anew: 'yes', past: { id: 1, path: 'x'.repeat(100_000) } },
];
const ASKED = [
  ...['__proto__', 'schedule', 'show', 'write', 'control'].map((kind) => ({
    edge: 'a',
    id: 1,
    epoch: 1,
    request: { kind },
  })),
  { edge: 'a', id: Number.MAX_VALUE },
  { edge: 'a' },
  { id: 1, request: 5 },
];
const HELLOS = [{}, null, [], 5, { version: 99 }, { version: 1 }, { version: 1, epoch: 'x', info: null }];
/** Of a run that nobody has begun. */
const FALSE_RUN = {
  ...{ version: 1, epoch: 1234, mode: 5, timeSeconds: 1, abilities: {} },
  info: { name: 'false', directory: '.', file: 'false.js', clockLabel: 'sim_elapsed' },
};

describe('a NATS server at which anybody may publish', () => {
  const random = randomOf('hostile');
  let nats: NatsServer;
  let tank: RunningServer;
  let served: RunningServer;
  let level = { value: 0 };
  /** Of all simulations that are there. */
  let everything: RunningServer;
  let mallory: NatsConnection;
  let seconds = 0;
  const source = feed({ name: 'tank', frameSeconds: 0.01, write: () => undefined }, (objects) => {
    level = objects.object('tank').component('level', double());
  });
  before(async function () {
    NatsServer.skipWithout(this);
    nats = await NatsServer.start();
    tank = await serveSource(source, { ...QUIET, nats: nats.url });
    source.publish(++seconds);
    const all = edge({ nats: nats.url });
    served = await serveSource(await edge({ nats: nats.url, name: 'tank' }), QUIET);
    everything = await serveSource(await all, QUIET);
    mallory = await connect({ servers: nats.url });
  });
  after(async () => {
    await mallory?.close();
    await everything?.close();
    await served?.close();
    await tank?.close();
    await nats?.stop();
  });

  const publish = (word: string, message: Uint8Array | string): void =>
    mallory.publish(`vw.tank.${word}`, message, { reply: 'vw.tank.frame' });
  const bytes = (length: number): Uint8Array => Uint8Array.from({ length }, () => random.integer(0, 255));
  /** Values go both ways, as if nothing had been sent. */
  async function goesOn(): Promise<void> {
    await mallory.flush();
    level.value = ++seconds;
    source.publish(seconds);
    await until(
      async () => [served.source.lastHeardMillis, await served.get('tank.level')],
      ([lost, value]) => lost === undefined && value === seconds,
    );
    await served.set('tank.level', -seconds);
    expect([await tank.get('tank.level'), await served.get('tank.level')]).to.deep.equal([-seconds, -seconds]);
  }

  it('has an edge and a source that leave out what is no message, whatever it says of itself', async () => {
    const { jumps } = served.source.frame.header;
    for (const word of [...TO_EDGES, ...TO_SOURCE]) {
      for (const kind of KINDS)
        for (const length of [0, 1, 5, 40, 300]) publish(word, Uint8Array.of(kind, ...bytes(length)));
      for (const length of [0, 1, 13, 2 ** 29, 2 ** 32 - 1]) publish(word, partOf(length));
      for (const body of [...HELLOS, ...NEEDS, ...ASKED]) {
        publish(word, json(1, body));
        publish(word, JSON.stringify(body));
      }
    }
    await goesOn();
    expect(served.source.frame.header.jumps).to.equal(jumps);
  });

  it('has an edge that goes back to its simulation from a run that there is not', async () => {
    publish('hello', json(1, FALSE_RUN));
    await goesOn();
  });

  it('has a source that answers others, however many have asked', async () => {
    const before = process.memoryUsage.rss();
    for (let number = 0; number < FLOOD; number++) {
      publish('need', JSON.stringify({ edge: `edge ${number}`, anew: true, past: { id: number, path: 'tank.level' } }));
      publish(`do.user${number}`, JSON.stringify({ edge: 'a', id: 0 }));
      publish('do.flood', JSON.stringify({ edge: 'b', id: number + 1, epoch: 1, request: { kind: 'look' } }));
    }
    await goesOn();
    const late = await serveSource(await edge({ nats: nats.url, name: 'tank' }), QUIET);
    try {
      await late.set('tank.level', 1);
      expect(await tank.get('tank.level')).to.equal(1);
    } finally {
      await late.close();
    }
    expect(process.memoryUsage.rss() - before).to.be.below(MOST_BYTES);
  });

  it('is listed and shown as what it says of itself, and no more', async () => {
    const hellos = setInterval(() => {
      publish('hello', json(1, { version: 1 }));
      for (let number = 0; number < FLOOD; number++) mallory.publish(`vw.=1b${number}.hello`, json(1, FALSE_RUN));
    }, 500);
    try {
      const { output } = await commandHere(['find', '--nats', nats.url, '--seconds', '1.5']);
      expect(output).to.not.contain('\u001b');
      // Who shows all looks for false ones meanwhile, and shows what is there.
      expect([...(everything.source.alone?.keys() ?? [])]).to.deep.equal(['tank']);
      await everything.set('tank.tank.level', 1234);
      expect(await tank.get('tank.level')).to.equal(1234);
      await goesOn();
    } finally {
      clearInterval(hellos);
    }
  });
});
