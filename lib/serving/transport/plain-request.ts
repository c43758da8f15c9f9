// A request of node's HTTP server that is upgraded only to a WebSocket.
import { IncomingMessage } from 'node:http';

/**
 * Node reads `upgrade` to decide whether to give up the socket. It stays false for a wish for another protocol (Java's
 * client asks for h2c each time) and for CONNECT; both are answered like any other request.
 */
export class PlainRequest extends IncomingMessage {
  private isWish: boolean | null | undefined;

  /** Whether node's parser stops after this request. */
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
