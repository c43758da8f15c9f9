// Simulations that announce themselves on the network. Trick: VariableServerListenThread, Sim Sniffer
import { createSocket, type Socket } from 'node:dgram';
import { type Clock, systemClock } from './clock.js';
import { UpdateQueue } from './update-queue.js';

const GROUPS = ['239.3.14.15', '224.3.14.15'] as const;
const PORT = 9265;
const LOOPBACK = '127.0.0.1';
const MOST_KEPT = 10_000;

/** Where and how long to listen for announcements. */
export interface DiscoverOptions {
  /** How long to listen, in wall time; simulations announce themselves every 2 seconds. Default 5. */
  readonly seconds?: number;
  /** Address of the network interface to listen on. Default: the usual one and loopback. */
  readonly interface?: string;
  /** For tests. */
  readonly port?: number;
  /** For tests. */
  readonly clock?: Clock;
}

/** A simulation that has announced itself. */
export interface Discovered {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly processId: number;
  readonly directory: string;
  readonly program: string;
  readonly inputFile: string;
  /** The version of Trick. */
  readonly version: string;
  readonly tag: string;
  /** Whether the variable server takes connections; true where an older Trick does not tell. */
  readonly isEnabled: boolean;
  /** Trick's mode number (1 freeze, 5 run); undefined where an older Trick does not tell. */
  readonly mode: number | undefined;
}

/** Each simulation once, when it is first heard. Throws an Error when the port cannot be listened on. */
export async function* discover(options: DiscoverOptions = {}): AsyncGenerator<Discovered, void, undefined> {
  const { seconds = 5, port = PORT, clock = systemClock } = options;
  const heard = new Set<string>();
  const queue = new UpdateQueue<Discovered>(MOST_KEPT, () => undefined);
  const socket = createSocket({ type: 'udp4', reuseAddr: true });
  socket.on('error', (error) => queue.finish(error));
  socket.on('message', (bytes) => {
    const found = parseAnnouncement(bytes.toString('utf8'));
    if (!found || heard.size >= MOST_KEPT) return;
    const identity = [found.host, found.port, found.user, found.processId, found.directory, found.tag].join('\t');
    if (heard.has(identity)) return;
    heard.add(identity);
    queue.push(found);
  });
  socket.bind(port, () => join(socket, options.interface, queue));
  const cancel = clock.after(1000 * seconds, () => queue.finish());
  try {
    for await (const found of queue) yield found;
  } finally {
    cancel();
    socket.close();
  }
}

/** Parses an announcement; undefined for any other text. */
export function parseAnnouncement(text: string): Discovered | undefined {
  const fields = text.replace(/\r?\n$/, '').split('\t');
  if (fields.length < 9 || !text.endsWith('\n')) return undefined;
  const [host, first, user, processId, directory, program, inputFile, version, tag, port = first, enabled = '1', mode] =
    fields as [string, string, string, string, string, string, string, string, string, ...string[]];
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65535) return undefined;
  return {
    host,
    port: Number(port),
    user,
    processId: Number(processId),
    directory,
    program,
    inputFile,
    version,
    tag,
    isEnabled: enabled !== '0',
    mode: mode === undefined ? undefined : Number(mode),
  };
}

/** A machine without a network still has loopback, so one membership is enough. */
function join(socket: Socket, address: string | undefined, queue: UpdateQueue<Discovered>): void {
  const errors: Error[] = [];
  const memberships = GROUPS.flatMap((group) =>
    (address === undefined ? [undefined, LOOPBACK] : [address]).map((on) => [group, on] as const),
  );
  for (const [group, on] of memberships) {
    try {
      socket.addMembership(group, on);
    } catch (error) {
      errors.push(error as Error);
    }
  }
  if (errors.length === memberships.length) queue.finish(errors[0]);
}
