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

/** A server, and a client that gets the first block each 10 ms. */
class Reading {
  private messages = 0;

  private constructor(
    private readonly server: LaunchedServer,
    private readonly socket: WebSocket,
    /** Frames from the one that was the latest when the client subscribed to that of its first values. */
    readonly framesToFirst: number,
    private readonly idleCores: number,
  ) {
    socket.on('message', (_, isBinary) => {
      if (isBinary) this.messages++;
    });
  }

  static async begin(blocks: number): Promise<Reading> {
    const simArguments = ['--blocks', `${blocks}`];
    const server = await LaunchedServer.start(SIMULATION, { options: ['--no-discovery'], simArguments });
    const idleCores = await coresTaken(server.processId, 2, SETTLE_SECONDS);
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}/ws`);
    await once(socket, 'open');
    const params = { aliases: ['blocks.b0'], cycle_ms: CYCLE_MILLIS, format: 'binary' };
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'sim/status', params: {} }));
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'var/subscribe', params }));
    const [status] = (await once(socket, 'message')) as [RawData];
    const { frame } = (JSON.parse(String(status)) as { result: { frame: number } }).result;
    return new Reading(server, socket, (await firstFrame(socket)) - frame, idleCores);
  }

  /** CPU milliseconds of the server for each message over some seconds. */
  async millisPerMessage(seconds: number): Promise<number> {
    const [messages, before, startMillis] = [this.messages, cpuSeconds(this.server.processId), performance.now()];
    await new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
    const idle = (this.idleCores * (performance.now() - startMillis)) / 1000;
    const taken = cpuSeconds(this.server.processId) - before - idle;
    return (1000 * taken) / (this.messages - messages);
  }

  async stop(): Promise<void> {
    this.socket.terminate();
    await this.server.stop();
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
      const run = async (): Promise<Measured> => {
        const [ofSmall, ofLarge] = [await small.millisPerMessage(seconds), await large.millisPerMessage(seconds)];
        return [ofSmall, ofLarge, ofLarge / ofSmall, large.framesToFirst];
      };
      return { run, stop: async () => void (await Promise.all([small.stop(), large.stop()])) };
    },
  },
];
