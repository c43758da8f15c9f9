// Connections to a server of this machine, inside TLS or not.
import { connect, type Socket } from 'node:net';
import { connect as connectSecurely, TLSSocket } from 'node:tls';

export interface Dialled {
  readonly port: number;
  /** Whether it speaks TLS. Default false. */
  readonly isSecure?: boolean;
  /** The address that it comes from. Default: as the system likes. */
  readonly from?: string | undefined;
}

/** Nobody attests a certificate that a test has made. */
export const TRUSTING = { rejectUnauthorized: false } as const;

/** Leaves at once, without a word where the socket can do so. */
export function leave(socket: Socket): void {
  if (socket instanceof TLSSocket) socket.destroy();
  else socket.resetAndDestroy();
}

export function dial({ port, isSecure = false, from }: Dialled): Socket {
  const at = { port, host: '127.0.0.1', localAddress: from };
  return isSecure ? connectSecurely({ ...at, ...TRUSTING }).setNoDelay() : connect({ ...at, noDelay: true });
}
