// The TLS handshakes of accepted sockets. Each costs a signature of a millisecond or two whenever its client likes, so a few of
// one address are under way at a time; the next begins when one is done, or has been waited for long.
import type { Socket } from 'node:net';
import { createServer, type TLSSocket } from 'node:tls';
import { networkOf } from '../network/network.js';
import { type Clock, systemClock } from '../scheduling/clock.js';
import { FewAtATime, type QueuePlace } from '../scheduling/few-at-a-time.js';

export interface TlsIdentity {
  /** PEM text. */
  readonly cert: string | Buffer;
  readonly key: string | Buffer;
}

/** From when it begins. */
const HANDSHAKE_MILLIS = 10_000;
/** Handshakes of one address that are under way. */
export const MOST_HANDSHAKES = 6;
/** One more begins each time that one has waited so long: who stops in the middle keeps nobody out for long. */
export const ONE_MORE_MILLIS = 200;

/** Node's code for a client that wants a new handshake inside a connection. */
const RENEGOTIATION = 'ERR_TLS_RENEGOTIATION_DISABLED';

export const fewHandshakes = (clock: Clock): FewAtATime =>
  new FewAtATime(MOST_HANDSHAKES, { clock, millis: ONE_MORE_MILLIS });

/** Of all ports: the thread is the same. */
const handshakes = fewHandshakes(systemClock);

export interface HandshakeOptions {
  /** Whether who takes what is inside has to resume it before anything of it is read. Default false. */
  readonly isUnread?: boolean | undefined;
  readonly few?: FewAtATime;
  /** Called for each connection that closes before it is through, or because it wants a new handshake later. */
  readonly failed?: () => void;
}

/**
 * Makes a function that takes a socket which nobody has read from through its handshake, and hands over what is inside.
 * One that fails, ends or takes 10 s is closed; `heard` is called when it is done. Throws when the certificate and key
 * cannot be used.
 */
export function tlsHandshakes(
  { cert, key }: TlsIdentity,
  secured: (socket: TLSSocket) => void,
  { isUnread = false, few = handshakes, failed = () => undefined }: HandshakeOptions = {},
) {
  /** By the address of the client, which both layers know. */
  const underWay = new Map<string, (inside: TLSSocket) => void>();
  const server = createServer({ cert, key, honorCipherOrder: true, handshakeTimeout: HANDSHAKE_MILLIS });
  server.on('secureConnection', (inside) => underWay.get(peerOf(inside))?.(inside));
  server.on('tlsClientError', (_error, inside) => inside.destroy());
  return (socket: Socket, heard: () => void = () => undefined): void => {
    const peer = peerOf(socket);
    let place: QueuePlace | undefined;
    let isDone = false;
    const done = (inside: TLSSocket): void => {
      isDone = true;
      end();
      inside.allowHalfOpen = true;
      // A new handshake would be signed at once, whenever the client likes.
      inside.disableRenegotiation();
      inside.on('error', ({ code }: NodeJS.ErrnoException) => {
        if (code === RENEGOTIATION) failed();
        // Node tells of what is wrong inside TLS, and lets the socket be.
        inside.destroy();
      });
      socket.removeListener('end', fail);
      heard();
      if (isUnread) inside.pause();
      secured(inside);
    };
    const end = (): void => {
      underWay.delete(peer);
      place?.leave();
    };
    const fail = (): void => void socket.destroy();
    const begin = (): void => {
      if (socket.destroyed) return;
      underWay.set(peer, done);
      // Who leaves within its handshake is let go.
      socket.allowHalfOpen = false;
      // What has come is still in the socket, and is read first.
      server.emit('connection', socket);
    };
    socket.on('error', ignoreError);
    socket.once('close', () => {
      if (!isDone) failed();
      end();
    });
    // One that leaves has ended before or behind what it sent.
    socket.once('end', fail);
    // A peer that says nothing takes no place.
    socket.once('readable', () => {
      if (socket.readableLength === 0) return fail();
      place = few.enter({ network: networkOf(socket.remoteAddress ?? '') });
      if (place.turn) void place.turn.then(begin);
      else begin();
    });
  };
}

const peerOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

function ignoreError(): void {}
