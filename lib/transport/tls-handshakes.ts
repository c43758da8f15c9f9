// The TLS handshakes of accepted sockets. Each costs a signature of a millisecond or two whenever its client likes, so a few of
// one address are under way at a time; the next begins when one is done, or has been waited for long.
import type { Socket } from 'node:net';
import { createSecureContext, type SecureContext, TLSSocket } from 'node:tls';
import { networkOf } from '../network/network.js';
import { type Clock, systemClock } from '../scheduling/clock.js';
import { FewAtATime, type Place } from '../scheduling/few-at-a-time.js';

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
  const secureContext = createSecureContext({ cert, key, honorCipherOrder: true });
  return (socket: Socket, heard: () => void = () => undefined): void =>
    new Handshake(socket, secureContext, few, {
      failed,
      secured: (inside) => {
        heard();
        if (isUnread) inside.pause();
        secured(inside);
      },
    }).start();
}

interface Outcomes {
  secured(inside: TLSSocket): void;
  failed(): void;
}

class Handshake {
  private isDone = false;
  private inside: TLSSocket | undefined;
  private timer: NodeJS.Timeout | undefined;
  private place: Place | undefined;

  constructor(
    private readonly socket: Socket,
    private readonly secureContext: SecureContext,
    private readonly few: FewAtATime,
    private readonly outcomes: Outcomes,
  ) {}

  /** A peer that says nothing takes no place. */
  start(): void {
    const { socket } = this;
    socket.on('error', ignoreError);
    socket.once('close', () => {
      if (!this.isDone) this.outcomes.failed();
      this.end();
    });
    // One that leaves has ended before or behind what it sent.
    socket.once('end', this.fail);
    socket.once('readable', () => {
      if (socket.readableLength === 0) return this.fail();
      this.place = this.few.enter({ network: networkOf(socket.remoteAddress ?? '') });
      const { turn } = this.place;
      if (turn) void turn.then(() => this.begin());
      else this.begin();
    });
  }

  private begin(): void {
    const { socket, secureContext } = this;
    if (socket.destroyed) return;
    // What has come is still in the socket, and is read first.
    const inside = new TLSSocket(socket, { isServer: true, secureContext });
    this.inside = inside;
    this.timer = setTimeout(this.fail, HANDSHAKE_MILLIS);
    // A new handshake would be signed at once, whenever the client likes.
    inside.disableRenegotiation();
    // What is wrong inside TLS, node tells by the second of these events, later too.
    inside.on('error', ignoreError).on('_tlsError', this.broken).on('end', this.fail);
    inside.once('secure', () => this.done(inside));
  }

  private readonly broken = ({ code }: NodeJS.ErrnoException): void => {
    if (this.isDone && code === RENEGOTIATION) this.outcomes.failed();
    this.fail();
  };

  private readonly fail = (): void => void (this.inside ?? this.socket).destroy();

  private done(inside: TLSSocket): void {
    this.end();
    if (inside.destroyed) return;
    this.isDone = true;
    this.socket.removeListener('end', this.fail);
    inside.removeListener('error', ignoreError).removeListener('end', this.fail);
    this.outcomes.secured(inside);
  }

  private end(): void {
    clearTimeout(this.timer);
    this.place?.leave();
  }
}

function ignoreError(): void {}
