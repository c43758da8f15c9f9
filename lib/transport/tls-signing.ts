// The signatures of TLS handshakes, each of which takes a millisecond or two: one in a turn of the event loop. Node
// asks which certificate to use before it signs, and waits for the answer.
import type { TLSSocket } from 'node:tls';
import { Paced } from './paced.js';

/** What node keeps of a TLS socket; there is no public way to make it wait when a client names no server. */
interface Handle {
  oncertcb?: (info: unknown) => void;
}

export interface Signature {
  /** Whether the client has asked for it, and it is not its turn. */
  readonly isWaiting: boolean;
}

/** For all ports: the thread is the same. */
const signatures = new Paced(1);

/** An option of the socket, with which node asks for a certificate: all names have the same one. */
export const anyName = (_name: string, done: (error: null) => void): void => done(null);

/** Makes a server's socket sign in its turn; at once where node does not ask. Call it before anything is read. */
export function signInTurn(inside: TLSSocket, pace: Paced = signatures): Signature {
  const signature = { isWaiting: false };
  const { _handle: handle } = inside as unknown as { _handle?: Handle };
  const sign = handle?.oncertcb;
  if (!handle || !sign) return signature;
  handle.oncertcb = (info) => {
    signature.isWaiting = true;
    pace.call(() => {
      signature.isWaiting = false;
      if (!inside.destroyed) sign.call(handle, info);
    });
  };
  return signature;
}
