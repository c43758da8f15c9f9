// Multicast: groups as connections, and a sender for announcements.
import type { RemoteInfo, Socket } from 'node:dgram';
import { isIPv4 } from 'node:net';
import { networkInterfaces } from 'node:os';
import { formatAddress } from './address.js';
import { closeReason } from './close-reason.js';
import { type Listener, MAX_DATAGRAM_BYTES } from './connection.js';
import { DatagramConnection } from './datagram-connection.js';
import { openDatagramSocket, sendDatagram } from './datagram-socket.js';
import type { HeldBack } from './held-back.js';
import { ListenError, listenError } from './listen-error.js';
import { numericHost, servedAddresses } from './own-addresses.js';

const ANY = '0.0.0.0';

export interface MulticastOptions {
  /** An IPv4 group, 224.0.0.0 to 239.255.255.255. */
  readonly group: string;
  /** The local address, or a name of it, that answers are sent from; `0.0.0.0` lets the system choose. */
  readonly host: string;
  readonly port: number;
  /** Address of the network interface that joins. Default: `host`. */
  readonly interface?: string;
  /** How many routers a datagram may pass; 0 keeps it on this machine. Default 1. */
  readonly ttl?: number;
  /** Whether a sender's datagrams are accepted. Default: all are. */
  readonly isAllowed?: (peer: string) => boolean;
  /** Counts datagrams that were lost. */
  readonly heldBack?: HeldBack;
  /** Takes a sentence about an address of this machine whose datagrams are not heard. */
  readonly say?: (sentence: string) => void;
}

/**
 * Joins a group as one connection, which answers to the group and does not hear itself. It also takes datagrams that are
 * sent to this machine at the group's port. Rejects with a ListenError.
 *
 * Trick: MulticastGroup, where one socket does all; here answers leave from a port of their own, so that two servers on one
 * machine can be told apart. Each address has its own socket, because a socket for all addresses hears every group.
 */
export async function joinMulticast(
  given: MulticastOptions,
  onConnection: (connection: DatagramConnection) => void,
): Promise<Listener> {
  requireGroup(given.group);
  const options = { ...given, host: await numericHost(given.host, given.port) };
  const sender = await openSender(options.host, options);
  const receiver = await openReceiver(options).catch((error: unknown) => {
    sender.close();
    throw error;
  });
  const { port } = receiver.address();
  const direct = await openDirect(options, port);
  const sockets = [receiver, sender, ...direct];
  const closed = Promise.all(sockets.map(closing));
  const { isAllowed = () => true } = options;
  const connection = new DatagramConnection({
    kind: 'multicast',
    sender,
    local: formatAddress(options.host, port),
    target: { address: options.group, port },
    heldBack: options.heldBack,
    onClosed: () => {
      for (const socket of sockets) socket.close();
    },
  });
  let isUsed = false;
  for (const socket of [receiver, ...direct])
    socket.on('message', (message, from) => {
      if (isOwn(from, sender) || !isAllowed(formatAddress(from.address, from.port))) return;
      isUsed = true;
      connection.receive(message);
    });
  for (const socket of sockets) socket.on('error', (error) => connection.close(closeReason(error)));
  onConnection(connection);
  return {
    address: options.group,
    port,
    wasUsed() {
      const was = isUsed;
      isUsed = false;
      return was;
    },
    async close() {
      connection.end();
      await closed;
    },
  };
}

export interface MulticastSenderOptions {
  /** How many routers a datagram may pass; 0 keeps it on this machine. Default 1. */
  readonly ttl?: number;
  /** Address of the network interface that sends. Default: the system's choice. */
  readonly interface?: string;
}

export interface MulticastSender {
  /**
   * Sends one datagram, also to listeners on this machine. A datagram that cannot be sent is counted; nothing is
   * thrown.
   */
  send(group: string, port: number, message: Uint8Array | string): void;
  readonly droppedMessages: number;
  close(): Promise<void>;
}

/** Rejects with a ListenError. */
export async function multicastSender(options: MulticastSenderOptions): Promise<MulticastSender> {
  const socket = await openSender(options.interface ?? ANY, options);
  const closed = closing(socket);
  let isClosed = false;
  let droppedMessages = 0;
  const drop = () => {
    droppedMessages += 1;
  };
  socket.on('error', drop);
  return {
    get droppedMessages() {
      return droppedMessages;
    },
    send(group, port, message) {
      const bytes = typeof message === 'string' ? Buffer.from(message) : message;
      if (isClosed || bytes.length > MAX_DATAGRAM_BYTES) return drop();
      sendDatagram(socket, bytes, { address: group, port }, (error) => {
        if (error) drop();
      });
    },
    close() {
      if (!isClosed) socket.close();
      isClosed = true;
      return closed;
    },
  };
}

function requireGroup(group: string): void {
  const first = Number(group.split('.')[0]);
  if (isIPv4(group) && first >= 224 && first <= 239) return;
  throw new ListenError(`a multicast group is an address from 224.0.0.0 to 239.255.255.255, got ${group}`, 'EINVAL');
}

async function openSender(host: string, options: MulticastSenderOptions): Promise<Socket> {
  const socket = await openDatagramSocket({ host, port: 0 });
  return configured(socket, options.interface ?? host, 0, () => {
    socket.setMulticastTTL(options.ttl ?? 1);
    socket.setMulticastLoopback(true);
    const through = options.interface ?? host;
    if (through !== ANY) socket.setMulticastInterface(through);
  });
}

async function openReceiver(options: MulticastOptions): Promise<Socket> {
  const { group, port } = options;
  // A socket bound to the group gets no other datagrams; Windows cannot bind to a group.
  const host = process.platform === 'win32' ? ANY : group;
  const socket = await openDatagramSocket({ host, port, reuseAddr: true });
  const through = options.interface ?? options.host;
  return configured(socket, through, port, () => socket.addMembership(group, through === ANY ? undefined : through));
}

/**
 * Opens sockets for datagrams to this machine's own addresses; an address that cannot be bound is logged and left out.
 */
async function openDirect({ host, say = () => undefined }: MulticastOptions, port: number): Promise<Socket[]> {
  // Where a socket cannot be bound to the group, the group's own hears all addresses.
  if (process.platform === 'win32') return [];
  const opened: Socket[] = [];
  for (const address of await servedAddresses(host)) {
    try {
      opened.push(await openDatagramSocket({ host: address, port }));
    } catch (error) {
      say(`${(error as Error).message}; datagrams to it do not reach the multicast session`);
    }
  }
  return opened;
}

/** Configures the socket; on an error it closes the socket and throws a ListenError. */
function configured(socket: Socket, host: string, port: number, configure: () => void): Socket {
  try {
    configure();
    return socket;
  } catch (error) {
    socket.close();
    throw listenError(error as Error, host, port);
  }
}

function closing(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.once('close', () => resolve());
  });
}

function isOwn(from: RemoteInfo, sender: Socket): boolean {
  const own = sender.address();
  if (from.port !== own.port) return false;
  return own.address === ANY ? isLocal(from.address) : own.address === from.address;
}

function isLocal(address: string): boolean {
  return Object.values(networkInterfaces()).some((list) => list?.some((entry) => entry.address === address));
}
