// The time from the launch of a command to its result; each run is a launch.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { LaunchedServer } from '../launch.js';
import type { Figure, Measured } from './figure.js';
import type { Row } from './rows.js';
import { trickCommands } from './set-ups.js';

const SIMULATION = 'sims/ball.js';
const COMMAND = fileURLToPath(new URL('../../lib/clients/cli/main.js', import.meta.url));
const QUESTION = trickCommands(['var_send_once("ball.position[0]")']);

const seconds = (title: string, atMost?: number): Figure => ({
  title: `${title}, s`,
  digits: 2,
  ...(atMost === undefined ? {} : { atMost }),
});

/** Resolves at the first bytes of the answer. */
async function askTrick(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  socket.write(QUESTION);
  await once(socket, 'data');
  socket.destroy();
}

async function askHealth(port: number): Promise<void> {
  const [response] = (await once(get({ port, path: '/healthz' }), 'response')) as [IncomingMessage];
  response.resume();
  if (response.statusCode !== 200) throw new Error(`GET /healthz answers ${response.statusCode}`);
}

/** Asks in Trick text first, then over HTTP, of the same server. */
async function launchAndAsk(): Promise<Measured> {
  const launched = performance.now();
  const since = (): number => (performance.now() - launched) / 1000;
  const server = await LaunchedServer.start(SIMULATION);
  await askTrick(server.port);
  const trick = since();
  await askHealth(server.port);
  const http = since();
  await server.stop();
  return [trick, http];
}

const programRow = (name: string, title: string, args: readonly string[], figure: Figure): Row => ({
  name,
  title,
  figures: [figure],
  start: async () => ({
    run: async () => {
      const launched = performance.now();
      await promisify(execFile)(process.execPath, args);
      return [(performance.now() - launched) / 1000];
    },
    stop: async () => undefined,
  }),
});

export const START_UP_ROWS: readonly Row[] = [
  {
    name: 'start',
    title: '`varwire run sims/ball.js` from its launch to the first answers',
    figures: [seconds('var_send_once', 0.5), seconds('then GET /healthz', 0.5)],
    start: async () => ({ run: launchAndAsk, stop: async () => undefined }),
  },
  programRow('help', '`varwire --help` from its launch to its end', [COMMAND, '--help'], seconds('all', 0.15)),
  programRow('floor-start', 'Node alone: an empty program', ['-e', '0'], seconds('all')),
];
