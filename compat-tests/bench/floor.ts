// The cost for Node alone of writing as many bytes to as many sockets, and answering beside it, without any values.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Measured } from './figure.js';
import { type Bench, cpuFigure, type Row } from './rows.js';

const MAIN = fileURLToPath(new URL('./main.js', import.meta.url));

/** A connection that begins with this gets no lines, but an answer to everything it sends then. */
export const FLOOR_ASKER = '-';

/** Writes a line of that many bytes to every connection on every cycle, until the process is killed. */
export function runFloor([bytes, cycleMillis]: readonly string[]): void {
  const line = Buffer.alloc(Number(bytes), 'x');
  line[line.length - 1] = 10;
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    socket.on('data', (bytes) => {
      if (bytes.toString() === FLOOR_ASKER) sockets.delete(socket);
      else if (!sockets.has(socket)) socket.write('answer\n');
    });
  });
  server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
  setInterval(() => {
    for (const socket of sockets) socket.write(line);
  }, Number(cycleMillis));
}

interface Floor {
  readonly port: number;
  readonly processId: number;
  readonly stop: () => Promise<void>;
}

export async function startFloor(bytes: number, cycleMillis: number): Promise<Floor> {
  const child = spawn(process.execPath, [MAIN, 'floor', `${bytes}`, `${cycleMillis}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  return { port: Number(port), processId: child.pid as number, stop: async () => void child.kill() };
}

function floorRow(name: string, sessions: number, values: number, bytes: number, cycleMillis: number): Row {
  return {
    name,
    title: `Node alone: ${sessions === 1 ? 'one write' : `${sessions} writes`} of ${bytes} bytes each ${cycleMillis} ms, as much as ${values} doubles`,
    figures: [cpuFigure({})],
    start: async ({ client, seconds }: Bench) => {
      const floor = await startFloor(bytes, cycleMillis);
      const run = async (): Promise<Measured> => {
        const load = { sessions, seconds, cut: 'line', valuesInUpdate: values, setUps: ['\n'] } as const;
        const result = await client.fan(floor, load);
        return [(result.cpuSeconds / result.values) * 1e6];
      };
      return { run, stop: floor.stop };
    },
  };
}

export const FLOOR_ROWS: readonly Row[] = [
  floorRow('floor100', 100, 100, 1850, 10),
  floorRow('floor500', 500, 100, 1850, 100),
  floorRow('floor1000', 1000, 20, 370, 100),
  floorRow('floor-binary', 1, 600, 9624, 10),
];
