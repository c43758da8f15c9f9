// The NATS server and an edge are killed at random moments while a client writes: what was acknowledged has been done.
import { expect } from 'chai';
import { double, feed, type RunningServer, serveSource } from '../lib/index.js';
import { randomOf } from '../lib/testing/aids/fuzz-seed.js';
import { call } from './http-client.js';
import { LaunchedServer, showOutputOfFailure } from './launch.js';
import { NatsServer } from './nats-server.js';
import { until } from './panels-page.js';

const QUIET = { port: 0, discovery: false, udp: 'off', messages: 'off', brp: 'off' } as const;
const NAME = 'tank';
const ALIAS = 'tank.level';
const FRAME_MILLIS = 50;
const MOST_WRITES = 20;
const MOST_MILLIS = 10;

describe('while a client writes at an edge', () => {
  const random = randomOf('kills');
  let nats: NatsServer;
  let simulation: RunningServer;
  let publishing: NodeJS.Timeout | undefined;
  let edge: LaunchedServer;
  let written = 0;
  let acknowledged = 0;
  const startEdge = async (): Promise<void> => {
    edge = await LaunchedServer.command('edge', NAME, '--nats', nats.url);
  };
  before(async function () {
    NatsServer.skipWithout(this);
    nats = await NatsServer.start();
    const source = feed({ name: NAME, frameSeconds: FRAME_MILLIS / 1000, write: () => undefined }, (objects) => {
      objects.object('tank').component('level', double());
    });
    simulation = await serveSource(source, { ...QUIET, nats: nats.url });
    let frames = 0;
    publishing = setInterval(() => source.publish((++frames * FRAME_MILLIS) / 1000), FRAME_MILLIS);
    await startEdge();
  });
  afterEach(function () {
    showOutputOfFailure(this, edge);
  });
  after(async () => {
    clearInterval(publishing);
    await edge?.kill();
    await simulation?.close();
    await nats?.stop();
  });

  const valueAt = async ({ port }: { readonly port: number }): Promise<number> =>
    (await call<{ values: Record<string, number> }>(port, 'var/get', { aliases: [ALIAS] })).values[ALIAS] as number;
  /** Writes the next number. */
  const write = async (): Promise<void> => {
    const value = ++written;
    await call(edge.port, 'var/set', { alias: ALIAS, value, wait: true });
    acknowledged = value;
  };
  const writeAndRead = async (): Promise<void> => {
    await write();
    expect(await valueAt(edge)).to.equal(written);
  };
  /** Kills while writes go on, one after the other; each of them is answered or fails. */
  const killedAmongWrites = async (kill: () => Promise<void>): Promise<void> => {
    const before = random.integer(1, MOST_WRITES);
    for (let count = 0; count < before; count++) await writeAndRead();
    let isKilled = false;
    const killed = new Promise((resolve) => setTimeout(resolve, random.uniform(0, MOST_MILLIS))).then(async () => {
      await kill();
      isKilled = true;
    });
    while (!isKilled) if ((await Promise.allSettled([write()]))[0].status === 'rejected') break;
    await killed;
    expect(await valueAt(simulation)).to.be.within(acknowledged, written);
  };
  const heals = async (): Promise<void> => {
    await until(
      () => call<{ mode: string }>(edge.port, 'sim/status', {}),
      ({ mode }) => mode !== 'disconnected',
    );
    await writeAndRead();
    expect(await valueAt(simulation)).to.equal(written);
  };

  for (const time of ['once', 'twice'])
    it(`the server is killed ${time}, and nothing is lost that was acknowledged`, async () => {
      await killedAmongWrites(async () => {
        await nats.stop('SIGKILL');
        nats = await NatsServer.start(nats.options, nats.port);
      });
      await heals();
    });

  it('the edge is killed, and nothing is lost that was acknowledged', async () => {
    await killedAmongWrites(() => edge.kill());
    await startEdge();
    await heals();
  });
});
