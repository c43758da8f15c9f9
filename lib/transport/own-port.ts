// A loopback port on which this process talks to itself.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Connection, Listener } from './connection.js';
import { listenTcp } from './tcp.js';

const HOST = '127.0.0.1';

/** Accepts only connections that this process has made; others wait without an answer. */
export class OwnPort {
  private readonly arrived = new Map<string, Connection>();
  private heard: () => void = () => undefined;

  private constructor(private readonly listener: Listener) {}

  static async open(): Promise<OwnPort> {
    const port: OwnPort = new OwnPort(await listenTcp({ host: HOST, port: 0 }, (connection) => port.take(connection)));
    return port;
  }

  async dial(accept: (connection: Connection) => void): Promise<Socket> {
    const socket = connect(this.listener.port, HOST);
    await once(socket, 'connect');
    const peer = `${HOST}:${socket.localPort}`;
    while (!this.arrived.has(peer)) await new Promise<void>((resolve) => (this.heard = resolve));
    accept(this.arrived.get(peer) as Connection);
    return socket;
  }

  close(): Promise<void> {
    for (const connection of this.arrived.values()) connection.destroy();
    return this.listener.close();
  }

  private take(connection: Connection): void {
    this.arrived.set(connection.peer, connection);
    this.heard();
  }
}
