// What reading a part of a large state costs, beside the same part of a small one.
import { once } from 'node:events';
import { type RawData, WebSocket } from 'ws';
import { LaunchedServer } from '../launch.js';
import type { Measured } from './figure.js';
import { coresTaken, cpuSeconds } from './process-cost.js';
import type { Row } from './rows.js';

const SIMULATION = 'compat-tests/attacks/target.js';
/** Each block of the simulation has 0.8 MB; of the large state nobody reads the others. */
const BLOCKS = { small: 1, large: 125 };
const CYCLE_MILLIS = 10;
/** Frames carry what starting has read for some seconds. */
const SETTLE_SECONDS = 22;
const FRAME_OFFSET = 8;

/** A server with so many blocks. */
class Reading {
  private constructor(
    private readonly server: LaunchedServer,
    /** Cores that the server takes while nobody reads. */
    readonly idleCores: number,
  ) {}

  static async begin(blocks: number): Promise<Reading> {
    const simArguments = ['--blocks', `${blocks}`];
    const server = await LaunchedServer.start(SIMULATION, { options: ['--no-discovery'], simArguments });
    return new Reading(server, await coresTaken(server.processId, 2, SETTLE_SECONDS));
  }

  /**
   * A client gets the first block each 10 ms: CPU milliseconds of the server for each message, without `idleCores`, and frames
   * from the one that was the latest when it subscribed to that of its first values.
   */
  async measured(seconds: number, idleCores: number): Promise<{ readonly millis: number; readonly frames: number }> {
    const { server } = this;
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}/ws`);
    await once(socket, 'open');
    const params = { aliases: ['blocks.b0'], cycle_ms: CYCLE_MILLIS, format: 'binary' };
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'sim/status', params: {} }));
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'var/subscribe', params }));
    const [status] = (await once(socket, 'message')) as [RawData];
    const { frame } = (JSON.parse(String(status)) as { result: { frame: number } }).result;
    const frames = (await firstFrame(socket)) - frame;
    let messages = 0;
    socket.on('message', () => messages++);
    const [before, startMillis] = [cpuSeconds(server.processId), performance.now()];
    await new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
    const idle = (idleCores * (performance.now() - startMillis)) / 1000;
    const taken = cpuSeconds(server.processId) - before - idle;
    socket.terminate();
    return { millis: (1000 * taken) / messages, frames };
  }

  stop(): Promise<unknown> {
    return this.server.stop();
  }
}

/** The number of the frame of the first values. */
async function firstFrame(socket: WebSocket): Promise<number> {
  for (;;) {
    const [bytes, isBinary] = (await once(socket, 'message')) as [Buffer, boolean];
    if (isBinary) return bytes.readDoubleLE(FRAME_OFFSET);
  }
}

export const LARGE_STATE_ROWS: readonly Row[] = [
  {
    name: 'large-state',
    title: '0.8 MB of a state of 100 MB, 100 Hz, one WebSocket of packed values',
    figures: [
      { title: 'CPU ms a message, of a state of 1 MB', digits: 2 },
      { title: 'the same, of 100 MB', digits: 2 },
      { title: 'ratio', digits: 2, atMost: 1.33 },
      { title: 'frames to the first values', digits: 0, atMost: 2 },
    ],
    start: async ({ seconds }) => {
      const [small, large] = [await Reading.begin(BLOCKS.small), await Reading.begin(BLOCKS.large)];
      // Frames carry the small state whole when nobody reads, too: only what the large one takes idle is not for readers.
      const { idleCores } = large;
      const run = async (): Promise<Measured> => {
        const ofSmall = await small.measured(seconds, idleCores);
        const ofLarge = await large.measured(seconds, idleCores);
        return [ofSmall.millis, ofLarge.millis, ofLarge.millis / ofSmall.millis, ofLarge.frames];
      };
      return { run, stop: async () => void (await Promise.all([small.stop(), large.stop()])) };
    },
  },
];
