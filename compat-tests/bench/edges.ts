// What three edges with many clients each cost: the simulation, the NATS server, an edge, and the line between them.
import { Down } from '../../lib/source/edge/carrier.js';
import { connectNats, subjectsOf } from '../../lib/source/edge/nats.js';
import { LaunchedServer } from '../launch.js';
import { NatsServer } from '../nats-server.js';
import type { Measured } from './figure.js';
import type { LoadClient, Target } from './load-client.js';
import type { Row } from './rows.js';
import { doubles, eventsSetUp } from './set-ups.js';

const NAME = 'bench';
const FIXTURE = 'compat-tests/fixture/fixture.js';
const EDGES = 3;
const CLIENTS = 1000;
const VALUES = 20;
const FRAME_SECONDS = 0.01;
const CYCLE_SECONDS = 0.1;
/** Two key frames and what is between them. */
const LINE_FRAMES = 200;
/** Where the number of its key frame lies in a message; of a key frame it is 0. */
const KEY_OFFSET = 16;

interface Load {
  /** Milliseconds of a processor for each frame of the simulation, of a process that need not be the one that is read. */
  readonly millis: number;
  readonly slowestHertz: number;
}

async function loaded(
  client: LoadClient,
  target: Target,
  sessions: number,
  cycleSeconds: number,
  seconds: number,
): Promise<Load> {
  const setUps = [eventsSetUp(doubles(VALUES), cycleSeconds)];
  const load = { sessions, seconds, cut: 'event', valuesInUpdate: VALUES, setUps } as const;
  const { cpuSeconds, seconds: measured, slowestHertz } = await client.fan(target, load);
  return { millis: (1000 * cpuSeconds * FRAME_SECONDS) / measured, slowestHertz };
}

/** Mean bytes of a frame on the line to an edge, and those of a key frame. */
async function lineBytes(url: string): Promise<readonly [number, number]> {
  const { connection } = await connectNats(url);
  let [frames, bytes, whole] = [0, 0, 0];
  await new Promise<void>((resolve) => {
    connection.subscribe(subjectsOf(NAME).of(Down.frame), {
      callback: (_, { data }) => {
        if (new DataView(data.buffer, data.byteOffset).getFloat64(KEY_OFFSET, true) === 0) whole = data.length;
        bytes += data.length;
        if (++frames === LINE_FRAMES) resolve();
      },
    });
  });
  await connection.close();
  return [bytes / frames, whole];
}

export const EDGE_ROWS: readonly Row[] = [
  {
    name: 'edges',
    title: `${EDGES} edges by NATS on one simulation at 100 Hz, ${CLIENTS} event streams of ${VALUES} doubles at 10 Hz on each`,
    figures: [
      { title: 'simulation, CPU ms a frame', digits: 2 },
      { title: `the same with ${EDGES} event streams at 100 Hz instead`, digits: 2 },
      { title: 'ratio', digits: 2, atMost: 1.25 },
      { title: 'NATS server, CPU ms a frame', digits: 2 },
      { title: 'one edge, CPU ms a frame', digits: 2 },
      { title: 'slowest event stream of all, Hz', digits: 1 },
      { title: 'bytes of a frame on the line', digits: 0 },
      { title: 'the same without deltas', digits: 0 },
    ],
    start: async ({ client, seconds }) => {
      const nats = await NatsServer.start();
      const launch = (...options: string[]) =>
        LaunchedServer.start(FIXTURE, { options: ['--no-discovery', ...options], simArguments: ['--step-big-d'] });
      const plain = await launch();
      const simulation = await launch('--nats', nats.url, '--nats-name', NAME);
      const edges: LaunchedServer[] = [];
      while (edges.length < EDGES) edges.push(await LaunchedServer.command('edge', NAME, '--nats', nats.url));
      const run = async (): Promise<Measured> => {
        const readers = await loaded(client, plain, EDGES, FRAME_SECONDS, seconds);
        // Each load tells what another process has taken meanwhile.
        const watched = [simulation, nats, edges[0] as LaunchedServer];
        const [source, server, edge] = (await Promise.all(
          edges.map(({ port }, index) => {
            const { processId } = watched[index] as { processId: number };
            return loaded(client, { port, processId }, CLIENTS, CYCLE_SECONDS, seconds);
          }),
        )) as [Load, Load, Load];
        const [changes, whole] = await lineBytes(nats.url);
        const slowest = Math.min(...[source, server, edge].map(({ slowestHertz }) => slowestHertz));
        const ratio = source.millis / readers.millis;
        return [source.millis, readers.millis, ratio, server.millis, edge.millis, slowest, changes, whole];
      };
      return {
        run,
        stop: async () => {
          for (const one of [...edges, simulation, plain]) await one.stop();
          await nats.stop();
        },
      };
    },
  },
];
