// A request of node's HTTP server that leaves plain HTTP only for a WebSocket.
import { IncomingMessage } from 'node:http';

/**
 * Node asks `upgrade` whether to let go of the socket. A wish for another protocol (Java's client wishes for h2c each
 * time) is none here, and neither is CONNECT: both are answered like any other request.
 */
export class PlainRequest extends IncomingMessage {
  private isWish: boolean | null | undefined;

  /** Whether node's parser stops behind this request. */
  get hasWish(): boolean {
    return this.isWish === true;
  }

  get upgrade(): boolean {
    return this.isWish === true && this.method !== 'CONNECT' && this.headers.upgrade?.toLowerCase() === 'websocket';
  }

  /** Node's constructor and parser set this. */
  set upgrade(isWish: boolean | null) {
    this.isWish = isWish;
  }
}
