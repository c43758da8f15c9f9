// A line to a server that can be made to take less from it than it sends.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export class SlowLine {
  private readonly sockets = new Set<Socket>();

  /** May change at any time; 0 takes nothing any more. */
  bytesPerSecond = Number.POSITIVE_INFINITY;

  private constructor(private readonly serverPort: number) {}

  static async to(serverPort: number): Promise<SlowLine> {
    const line = new SlowLine(serverPort);
    await new Promise<void>((resolve) => line.listener.listen(0, '127.0.0.1', resolve));
    return line;
  }

  get port(): number {
    return (this.listener.address() as AddressInfo).port;
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy();
    this.listener.close();
  }

  private readonly listener = createServer((near) => {
    const far = connect(this.serverPort, '127.0.0.1');
    near.pipe(far);
    far.on('data', (piece) => {
      near.write(piece);
      far.pause();
      if (this.bytesPerSecond === 0) return;
      setTimeout(() => far.resume(), (1000 * piece.length) / this.bytesPerSecond);
    });
    for (const socket of [near, far]) {
      this.sockets.add(socket.on('error', () => undefined));
      socket.on('close', () => {
        near.destroy();
        far.destroy();
      });
    }
  });
}
