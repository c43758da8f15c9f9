// The TLS handshakes of accepted sockets. A few of one address are read at a time, each for a while, and of what their
// hellos ask for, little is signed in one turn of the event loop.
import type { Socket } from 'node:net';
import { createSecureContext, type SecureContext, TLSSocket } from 'node:tls';
import { networkOf } from '../network/network.js';
import { Doorway } from './doorway.js';
import { holdReading, releaseReading, stopReading } from './kernel-reading.js';
import type { Paced } from './paced.js';
import { anyName, type Signature, signInTurn } from './tls-signing.js';

export interface TlsIdentity {
  /** PEM text. */
  readonly cert: string | Buffer;
  readonly key: string | Buffer;
}

/** From when it is first read from. */
const HANDSHAKE_MILLIS = 10_000;
/** Handshakes of one address that are read from at once. */
export const MOST_HANDSHAKES = 6;

/** Node's code for a client that wants a new handshake inside a connection. */
const RENEGOTIATION = 'ERR_TLS_RENEGOTIATION_DISABLED';

/** Of all ports: the thread is the same. */
const handshakes = new Doorway(undefined, MOST_HANDSHAKES);

export interface HandshakeOptions {
  /** Whether who takes what is inside has to resume it before anything of it is read. Default false. */
  readonly isUnread?: boolean | undefined;
  readonly doorway?: Doorway;
  /** Whose turns signatures take. */
  readonly pace?: Paced;
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
  { isUnread = false, doorway = handshakes, pace, failed = () => undefined }: HandshakeOptions = {},
) {
  const secureContext = createSecureContext({ cert, key, honorCipherOrder: true });
  return (socket: Socket, heard: () => void = () => undefined): void =>
    new Handshake(socket, secureContext, doorway, {
      pace,
      failed,
      secured: (inside) => {
        heard();
        if (isUnread) stopReading(inside);
        else releaseReading(inside);
        secured(inside);
      },
    }).start();
}

interface Outcomes {
  readonly pace: Paced | undefined;
  secured(inside: TLSSocket): void;
  failed(): void;
}

class Handshake {
  private isDone = false;
  private inside: TLSSocket | undefined;
  private signature: Signature | undefined;
  private timer: NodeJS.Timeout | undefined;
  private leave: () => void = () => undefined;

  constructor(
    private readonly socket: Socket,
    private readonly secureContext: SecureContext,
    private readonly doorway: Doorway,
    private readonly outcomes: Outcomes,
  ) {}

  start(): void {
    const { socket } = this;
    socket.on('error', ignoreError);
    socket.once('close', () => {
      if (!this.isDone) this.outcomes.failed();
      this.end();
    });
    this.leave = this.doorway.enter(networkOf(socket.remoteAddress ?? ''), {
      listen: () => (this.inside ? releaseReading(this.inside) : this.begin()),
      ignore: () => void (this.inside && holdReading(this.inside)),
      isWaiting: () => this.signature?.isWaiting === true,
    });
  }

  private begin(): void {
    const { socket, secureContext } = this;
    const inside = new TLSSocket(socket, { isServer: true, secureContext, SNICallback: anyName });
    this.inside = inside;
    this.signature = signInTurn(inside, this.outcomes.pace);
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

  private readonly fail = (): void => void this.inside?.destroy();

  private done(inside: TLSSocket): void {
    this.end();
    if (inside.destroyed) return;
    this.isDone = true;
    inside.removeListener('error', ignoreError).removeListener('end', this.fail);
    this.outcomes.secured(inside);
  }

  private end(): void {
    clearTimeout(this.timer);
    this.leave();
  }
}

function ignoreError(): void {}
