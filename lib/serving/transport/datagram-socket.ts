// Opens datagram sockets.
import { createSocket, type Socket } from 'node:dgram';
import { isIP, isIPv6 } from 'node:net';
import { listenError, requirePort } from './listen-error.js';

export interface DatagramPort {
  readonly host: string;
  readonly port: number;
  /** Whether several sockets may share the port (multicast groups). */
  readonly reuseAddr?: boolean;
}

type Lookup = (
  name: string,
  options: unknown,
  found: (error: Error | null, address: string, family: number) => void,
) => void;

/** Peers' addresses are numeric; without a resolver each datagram leaves at once instead of a tick later. */
const NUMERIC_ONLY: Lookup = (name, _options, found) => found(null, name, isIP(name));

/** Rejects with a ListenError. */
export async function openDatagramSocket({ host, port, reuseAddr = false }: DatagramPort): Promise<Socket> {
  requirePort(port);
  const isNumeric = isIP(host) !== 0;
  const socket = createSocket({
    type: isIPv6(host) ? 'udp6' : 'udp4',
    reuseAddr,
    ...(isNumeric ? { lookup: NUMERIC_ONLY as never } : {}),
  });
  try {
    await bound(socket, host, port);
    return socket;
  } catch (error) {
    socket.close();
    throw listenError(error as Error, host, port);
  }
}

function bound(socket: Socket, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.bind({ address: host, port, exclusive: true }, () => {
      socket.removeListener('error', reject);
      resolve();
    });
  });
}

/** Sends one datagram. `sent` gets the error of a datagram that cannot be sent (to port 0, or on a closed socket). */
export function sendDatagram(
  socket: Socket,
  bytes: Uint8Array,
  target: { readonly address: string; readonly port: number },
  sent: (error: Error | null) => void,
): void {
  try {
    socket.send(bytes, target.port, target.address, sent);
  } catch (error) {
    process.nextTick(sent, error as Error);
  }
}
