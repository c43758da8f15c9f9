// A UDP port, which is one connection: it answers the address that sent last.
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
}

/**
 * `onConnection` gets the port's connection with its first datagram, and a new one with the first datagram after that
 * has closed. Rejects with a ListenError.
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
  let closing: Promise<void> | undefined;
  const open = (from: RemoteInfo): DatagramConnection => {
    const connection = new DatagramConnection({
      kind: 'udp',
      sender: socket,
      local: formatAddress(address, port),
      target: from,
      heldBack: options.heldBack,
      onClosed: () => {
        current = undefined;
      },
    });
    current = connection;
    onConnection(connection);
    return connection;
  };
  const { isAllowed = () => true } = options;
  let isUsed = false;
  // Checked for each datagram, because the port's one connection answers the address that sent last.
  socket.on('message', (message, from) => {
    if (!isAllowed(formatAddress(from.address, from.port))) return;
    isUsed = true;
    (current ?? open(from)).receive(message, from);
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
        current?.end();
        socket.close(() => resolve());
      });
      return closing;
    },
  };
}
