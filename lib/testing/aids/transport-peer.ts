// Both ends of a socket for tests: what arrived, and promises for what will arrive.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Connection } from '../../serving/transport/connection.js';

/** What has arrived so far, and who waits for more. */
export class Received {
  readonly chunks: Buffer[] = [];
  private waiting: (() => void)[] = [];

  add(chunk: Buffer): void {
    this.chunks.push(chunk);
    for (const wake of this.waiting.splice(0)) wake();
  }

  get text(): string {
    return Buffer.concat(this.chunks).toString();
  }

  async until(isEnough: (text: string) => boolean): Promise<string> {
    while (!isEnough(this.text)) await new Promise<void>((wake) => this.waiting.push(wake));
    return this.text;
  }
}

export interface PeerRecord {
  readonly received: Received;
  readonly closed: Promise<string>;
  /** In order: `data`, `drain`, `close`. */
  readonly log: string[];
  readonly drained: Promise<void>;
}

/** Listens on a connection and writes down all it says. */
export function record(connection: Connection): PeerRecord {
  const received = new Received();
  const log: string[] = [];
  let drain = () => {};
  const drained = new Promise<void>((resolve) => {
    drain = resolve;
  });
  const closed = new Promise<string>((resolve) => {
    connection.listen({
      data(chunk) {
        log.push('data');
        received.add(chunk);
      },
      drain() {
        log.push('drain');
        drain();
      },
      close(reason) {
        log.push('close');
        resolve(reason);
      },
    });
  });
  return { received, closed, log, drained };
}

/** Collects what a client socket receives. */
export function collect(socket: Duplex): Received {
  const received = new Received();
  socket.on('data', (chunk: Buffer) => received.add(chunk));
  socket.on('error', () => {});
  return received;
}

export async function dial(port: number, options: { allowHalfOpen?: boolean } = {}): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, ...options });
  await once(socket, 'connect');
  return socket;
}

/** Sends `request` and returns everything the server sends until it closes. */
export async function askOnce(port: number, request: string): Promise<string> {
  const socket = await dial(port);
  const received = collect(socket);
  const closed = once(socket, 'close');
  socket.write(request);
  await closed;
  return received.text;
}

/** A promise and its resolver. */
export function signal<Value>(): { readonly promise: Promise<Value>; readonly give: (value: Value) => void } {
  let give: (value: Value) => void = () => {};
  const promise = new Promise<Value>((resolve) => {
    give = resolve;
  });
  return { promise, give };
}
