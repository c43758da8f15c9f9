// Connections without sockets: what is written stays in memory, and a test plays the peer.
import type {
  Connection,
  ConnectionEvents,
  WebSocketMessageKind,
  WebSocketPeer,
} from '../../serving/transport/connection.js';
import type { HttpRequest } from '../../serving/transport/http-request.js';

export class MemoryConnection implements Connection {
  readonly local = '127.0.0.1:7000';
  /** Each message written since the last call of `taken`. */
  readonly written: Buffer[] = [];
  pendingBytes = 0;
  isClosed = false;
  isReading = true;
  /** While true, written bytes stay pending. */
  isStuck = false;
  isBehind = false;
  private events: ConnectionEvents | undefined;

  constructor(
    readonly kind: Connection['kind'] = 'tcp',
    readonly peer = '127.0.0.1:53412',
  ) {}

  write(message: Uint8Array | string): boolean {
    if (this.isClosed) return false;
    const bytes = Buffer.from(message as Uint8Array);
    this.written.push(bytes);
    if (this.isStuck) this.pendingBytes += bytes.length;
    return true;
  }
  end(): void {
    this.destroy();
  }
  destroy(): void {
    this.close('closed by the server');
  }
  pauseReading(): void {
    this.isReading = false;
  }
  resumeReading(): void {
    this.isReading = true;
  }
  listen(events: ConnectionEvents): void {
    this.events = events;
  }

  /** The peer sends bytes. */
  send(bytes: string | Buffer): void {
    this.events?.data(Buffer.from(bytes as string));
  }
  /** The peer sends its last byte, but still reads. */
  finish(): void {
    this.events?.ended?.();
  }
  /** The peer has read everything. */
  read(): void {
    this.isStuck = false;
    this.isBehind = false;
    this.pendingBytes = 0;
    this.events?.drain?.();
  }
  /** The peer disconnects. */
  leave(): void {
    this.close('closed by the peer');
  }

  /** Everything written since the last call. */
  taken(): string {
    return Buffer.concat(this.written.splice(0)).toString('latin1');
  }

  private close(reason: string): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.events?.close(reason);
  }
}

export class MemoryWebSocket extends MemoryConnection implements WebSocketPeer {
  declare readonly kind: 'websocket';
  readonly subprotocol = '';
  readonly binaries: Uint8Array[] = [];
  /** The kind of messages that is taken, if only one is. */
  only: WebSocketMessageKind | undefined;
  /** The code with which this side has ended it. */
  closingCode: number | undefined;

  constructor(readonly request: HttpRequest) {
    super('websocket', request.peer);
  }

  takeOnly(kind: WebSocketMessageKind): void {
    this.only = kind;
  }
  override end(code?: number): void {
    this.closingCode = code;
    super.end();
  }

  /** Text messages as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: whatever the server says
  get texts(): any[] {
    return this.written.map((message) => JSON.parse(message.toString()));
  }

  override write(message: Uint8Array | string, kind: WebSocketMessageKind = 'text'): boolean {
    if (kind === 'text') return super.write(message);
    if (this.isClosed) return false;
    this.binaries.push(Uint8Array.from(message as Uint8Array));
    if (this.isStuck) this.pendingBytes += message.length;
    return true;
  }

  /** Sends a text message and waits until the server has nothing more to do at once. */
  async say(message: object | string): Promise<void> {
    this.send(typeof message === 'string' ? message : JSON.stringify(message));
    await new Promise((resolve) => setImmediate(resolve));
  }
}
