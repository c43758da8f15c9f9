// A UDP port, which is one connection at a time: it answers who of its address sent last, and another address begins a new one.
import type { RemoteInfo } from 'node:dgram';
import { formatAddress } from './address.js';
import { closeReason } from './close-reason.js';
import type { Listener } from './connection.js';
import { DatagramConnection } from './datagram-connection.js';
import { openDatagramSocket } from './datagram-socket.js';
import type { HeldBack } from './held-back.js';

export interface UdpOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Whether a sender's datagrams are accepted. Default: all are. */
  readonly isAllowed?: (peer: string) => boolean;
  /** Counts datagrams that were lost. */
  readonly heldBack?: HeldBack;
  /** Milliseconds since some fixed moment. */
  readonly nowMillis?: () => number;
}

/** The session passes to a sender of another address so long after the last time; datagrams before that are dropped. */
const OTHER_ADDRESS_MILLIS = 1000;

/**
 * `onConnection` is called with a connection at the first datagram, and with a new one at the first datagram after it has
 * closed, or from another address, so that what an address asks for counts for it. Rejects with a ListenError.
 *
 * Trick: UDPConnection, one session a port; differs: there the port is dead once its session has ended.
 */
export async function listenUdp(
  options: UdpOptions,
  onConnection: (connection: DatagramConnection) => void,
): Promise<Listener> {
  const socket = await openDatagramSocket(options);
  const { address, port } = socket.address();
  let current: DatagramConnection | undefined;
  /** Those that have not sent all. */
  const connections = new Set<DatagramConnection>();
  let closing: Promise<void> | undefined;
  let closed: (() => void) | undefined;
  const closeWhenSent = (): void => {
    if (!closed || connections.size > 0) return;
    socket.close(closed);
    closed = undefined;
  };
  const open = (from: RemoteInfo): DatagramConnection => {
    const connection = new DatagramConnection({
      kind: 'udp',
      sender: socket,
      local: formatAddress(address, port),
      target: from,
      heldBack: options.heldBack,
      onClosed: () => {
        connections.delete(connection);
        closeWhenSent();
      },
    });
    current = connection;
    connections.add(connection);
    onConnection(connection);
    return connection;
  };
  const { isAllowed = () => true, heldBack, nowMillis = () => performance.now() } = options;
  let isUsed = false;
  let passedMillis = Number.NEGATIVE_INFINITY;
  const connectionOf = (from: RemoteInfo): DatagramConnection | undefined => {
    if (!current || current.isClosed) return open(from);
    if (current.isOf(from)) return current;
    const millis = nowMillis();
    if (millis - passedMillis < OTHER_ADDRESS_MILLIS) return undefined;
    passedMillis = millis;
    current.end();
    return open(from);
  };
  // Checked for each datagram, because a connection answers whoever of its address sent last.
  socket.on('message', (message, from) => {
    if (closing || !isAllowed(formatAddress(from.address, from.port))) return;
    isUsed = true;
    const connection = connectionOf(from);
    if (connection) connection.receive(message, from);
    else heldBack?.note('datagrams');
  });
  socket.on('error', (error) => current?.close(closeReason(error)));
  return {
    address,
    port,
    wasUsed() {
      const was = isUsed;
      isUsed = false;
      return was;
    },
    close() {
      closing ??= new Promise((resolve) => {
        closed = resolve;
        current?.end();
        closeWhenSent();
      });
      return closing;
    },
  };
}
