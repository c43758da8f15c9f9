// Accepts stream sockets on one port, plain or inside TLS, and closes them all on request.
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { Listener } from './connection.js';
import type { ConnectionLimits } from './connection-limits.js';
import { refuseConnection } from './connection-refusal.js';
import { door } from './door.js';
import { ListenError, listenError, requirePort } from './listen-error.js';
import type { TurnedAway } from './socket-connection.js';
import { type TlsIdentity, tlsHandshakes } from './tls-handshakes.js';

export interface PortOptions {
  /** An address of this machine, or a name that resolves to one. */
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly backlog?: number;
  readonly tls?: TlsIdentity;
  /** Limits of the open connections, shared with the server's other ports. Default: no limit. */
  readonly limits?: ConnectionLimits;
  /** Whether who takes a socket has to resume it before anything of it is read. Default false. */
  readonly isUnread?: boolean;
  readonly turnedAway?: TurnedAway;
  /** How long `close()` waits for peers to take what is queued. Default 500. */
  readonly closeGraceMillis?: number;
}

/** Closes one accepted socket as its protocol requires. */
export type Closer = () => void;

const KEEP_ALIVE_AFTER_MILLIS = 30_000;
const CLOSE_GRACE_MILLIS = 500;

// Half-open sockets are allowed so that a peer that has sent its last byte still gets its replies. Without TCP's delay,
// small replies do not wait until earlier ones are acknowledged.
const SOCKET_OPTIONS = {
  allowHalfOpen: true,
  noDelay: true,
  keepAlive: true,
  keepAliveInitialDelay: KEEP_ALIVE_AFTER_MILLIS,
};

/** `onSocket` must handle the socket's errors. Rejects with a ListenError. */
export async function listenSockets(options: PortOptions, onSocket: (socket: Socket) => Closer): Promise<Listener> {
  requirePort(options.port);
  const closers = new Map<Socket, Closer>();
  const sockets = new Set<Socket>();
  let closing: Promise<void> | undefined;
  const handOver = secured(options, (socket) => {
    closers.set(socket, onSocket(socket));
    socket.once('close', () => closers.delete(socket));
  });
  const pauseOnConnect = options.isUnread === true || options.tls !== undefined;
  const server = createServer({ ...SOCKET_OPTIONS, pauseOnConnect }, (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', ignoreError);
    // Hundreds may come in one turn.
    door.placeOf(socket).arrive(() => take(socket));
  });
  const take = (socket: Socket): void => {
    if (closing) socket.destroy();
    if (socket.destroyed) return;
    socket.removeListener('error', ignoreError);
    const refusal = options.limits?.admit(socket);
    if (refusal === undefined) handOver(socket);
    else refuseConnection(socket, refusal, (status) => options.limits?.answered(status));
  };
  await listening(server, options);
  const { address, port } = server.address() as AddressInfo;
  return {
    address,
    port,
    wasUsed: () => sockets.size > 0,
    close() {
      closing ??= closeAll(server, closers, sockets, options.closeGraceMillis ?? CLOSE_GRACE_MILLIS);
      return closing;
    },
  };
}

/** The handler of an accepted socket: `onSocket` itself, or TLS in front of it. */
function secured({ tls, limits, isUnread }: PortOptions, onSocket: (socket: Socket) => void): (socket: Socket) => void {
  if (tls === undefined) return onSocket;
  try {
    const handshake = tlsHandshakes(tls, onSocket, { isUnread, failed: () => limits?.handshakeFailed() });
    return (socket) => handshake(socket, limits?.silentUntil(socket));
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    throw new ListenError(`the TLS certificate and key cannot be used: ${detail}`, 'EINVAL', { cause: error });
  }
}

function listening(server: Server, { host, port, backlog }: PortOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const refuse = (error: Error) => reject(listenError(error, host, port));
    server.once('error', refuse);
    server.listen({ host, port, ...(backlog === undefined ? {} : { backlog }) }, () => {
      server.removeListener('error', refuse);
      warnOnce(server, host, port);
      resolve();
    });
  });
}

/** A failed accept (no file descriptors left) costs one peer its connection, but never ends the server. */
function warnOnce(server: Server, host: string, port: number): void {
  let warned = false;
  server.on('error', (error) => {
    if (!warned) process.emitWarning(`a connection to port ${port} on ${host} was not accepted: ${error.message}`);
    warned = true;
  });
}

async function closeAll(
  server: Server,
  closers: ReadonlyMap<Socket, Closer>,
  sockets: ReadonlySet<Socket>,
  graceMillis: number,
): Promise<void> {
  // Inside TLS a connection is two sockets; this resolves after both have called their listeners.
  const gone = [...sockets, ...closers.keys()].map(closed);
  const stopped = new Promise<void>((resolve) => server.close(() => resolve()));
  const timer = setTimeout(() => {
    for (const socket of sockets) socket.destroy();
  }, graceMillis);
  for (const close of [...closers.values()]) close();
  await Promise.all([stopped, ...gone]);
  clearTimeout(timer);
}

/** A peer that leaves before it is handed over needs no handling; its socket closes by itself. */
function ignoreError(): void {}

function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    if (socket.closed) resolve();
    else socket.once('close', () => resolve());
  });
}
