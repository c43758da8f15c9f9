// A client of the server's own, without a socket.
import type { Connection, ConnectionEvents, WebSocketPeer } from '../../serving/transport/connection.js';

export class OwnPeer implements Connection {
  readonly kind: Connection['kind'] = 'tcp';
  readonly peer = '127.0.0.1:0';
  readonly local = '127.0.0.1:0';
  readonly pendingBytes = 0;
  private events: ConnectionEvents | undefined;
  private hear: ((isHeard: boolean) => void) | undefined;
  private isAwaited: (message: string) => boolean = () => true;

  say(text: string): void {
    this.events?.data(Buffer.from(text));
  }

  /** Whether a message that is awaited comes in so much time, and before the client leaves. Call it before `say`. */
  heard(millis: number, isAwaited: (message: string) => boolean = () => true): Promise<boolean> {
    this.isAwaited = isAwaited;
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.hear?.(false), millis);
      this.hear = (isHeard) => {
        clearTimeout(timer);
        this.hear = undefined;
        resolve(isHeard);
      };
    });
  }

  leave(): void {
    const { events } = this;
    this.events = undefined;
    this.hear?.(false);
    events?.close('the warm-up is done');
  }

  write(message: Uint8Array | string): boolean {
    if (this.hear && this.isAwaited(`${Buffer.from(message as Uint8Array)}`)) this.hear(true);
    return this.events !== undefined;
  }

  listen(events: ConnectionEvents): void {
    this.events = events;
  }

  end(): void {
    this.leave();
  }
  destroy(): void {
    this.leave();
  }
  pauseReading(): void {}
  resumeReading(): void {}
}

export class OwnPage extends OwnPeer implements WebSocketPeer {
  override readonly kind = 'websocket';
  readonly subprotocol = '';
  readonly request = {
    ...{ method: 'GET', path: '/ws', query: new URLSearchParams(), headers: {}, host: undefined },
    ...{ peer: this.peer, local: this.local },
  };
  takeOnly(): void {}
}
