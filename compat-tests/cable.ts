// A connection between a client and a server that a test can cut.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** The connection between a client and a server, which a test can cut. */
export class Cable {
  connections = 0;
  /** When the last connection came, as `performance.now()` says it. */
  connectedMillis = 0;
  private isPlugged = true;
  private readonly sockets = new Set<Socket>();
  private constructor(private readonly serverPort: number) {}

  static async to(serverPort: number): Promise<Cable> {
    const cable = new Cable(serverPort);
    await new Promise<void>((resolve) => cable.listener.listen(0, '127.0.0.1', resolve));
    return cable;
  }

  get port(): number {
    return (this.listener.address() as AddressInfo).port;
  }

  /** Cuts, and lets nobody through until `plug`. */
  unplug(): void {
    this.isPlugged = false;
    this.cut();
  }

  plug(): void {
    this.isPlugged = true;
  }

  cut(): void {
    for (const socket of this.sockets) socket.destroy();
    this.sockets.clear();
  }

  close(): void {
    this.cut();
    this.listener.close();
  }

  private readonly listener = createServer((near) => {
    if (!this.isPlugged) {
      near.destroy();
      return;
    }
    this.connections++;
    this.connectedMillis = performance.now();
    const far = connect(this.serverPort, '127.0.0.1');
    near.pipe(far).pipe(near);
    for (const socket of [near, far]) this.sockets.add(socket.on('error', () => undefined));
  });
}
