// What the streams of one kRPC client cost.
import { call, KrpcClient } from '../krpc/client.js';
import { text } from '../krpc/values.js';
import { LaunchedServer } from '../launch.js';
import type { Measured } from './figure.js';
import { coresTaken } from './process-cost.js';
import { HERTZ, VALUES } from './ramps.js';
import type { Row } from './rows.js';

const SIMULATION = new URL('./ramps.js', import.meta.url);
const OPTIONS = ['--no-discovery', '--krpc', '127.0.0.1:0'];
const SETTLE_SECONDS = 3;

/** Counts updates and their results while something else is measured. */
async function counted<T>(client: KrpcClient, during: Promise<T>) {
  let isOver = false;
  const counts = { updates: 0, results: 0 };
  const counting = (async () => {
    while (!isOver) {
      counts.results += (await client.update()).length;
      counts.updates++;
    }
  })();
  const startMillis = performance.now();
  const value = await during;
  const seconds = (performance.now() - startMillis) / 1000;
  isOver = true;
  await counting;
  return { value, hertz: counts.updates / seconds, resultsPerUpdate: counts.results / counts.updates };
}

export const KRPC_ROWS: readonly Row[] = [
  {
    name: 'krpc',
    title: `${VALUES} streams of a double that all change, ${HERTZ} Hz, one kRPC client`,
    figures: [
      { title: 'cores of the whole server', digits: 3, atMost: 0.1 },
      { title: 'updates a second', digits: 1, atLeast: 59 },
      { title: 'streams in an update', digits: 0, atLeast: VALUES },
    ],
    start: async ({ seconds }) => {
      const server = await LaunchedServer.start(SIMULATION, { options: OPTIONS });
      const client = await KrpcClient.tcp(server.krpcPorts);
      for (let k = 0; k < VALUES; k++) await client.addStream(call('VarServer', 'Get', text(`ramps.values[${k}]`)));
      // What has come while the streams were added.
      await counted(client, coresTaken(server.processId, SETTLE_SECONDS));
      const run = async (): Promise<Measured> => {
        const { value, hertz, resultsPerUpdate } = await counted(client, coresTaken(server.processId, seconds));
        return [value, hertz, resultsPerUpdate];
      };
      return {
        run,
        stop: async () => {
          client.close();
          await server.stop();
        },
      };
    },
  },
];
