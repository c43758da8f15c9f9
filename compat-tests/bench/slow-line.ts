// A line between a browser and a server that is far away: what is sent takes its time, and all connections share its rate.
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** As much as one connection sends before the next has its turn. */
const PIECE_BYTES = 1400;

export interface LineFacts {
  /** There and back. */
  readonly roundTripMillis: number;
  readonly bytesPerSecond: number;
}

/** One direction. */
class Lane {
  bytes = 0;
  private readonly waiting = new Map<Socket, Buffer[]>();
  private isBusy = false;

  constructor(private readonly facts: LineFacts) {}

  send(to: Socket, bytes: Buffer): void {
    this.bytes += bytes.length;
    const pieces = this.waiting.get(to) ?? [];
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) pieces.push(bytes.subarray(at, at + PIECE_BYTES));
    this.waiting.set(to, pieces);
    if (!this.isBusy) this.next();
  }

  private next(): void {
    const [turn] = this.waiting;
    this.isBusy = turn !== undefined;
    if (!turn) return;
    const [to, pieces] = turn;
    const piece = pieces.shift() as Buffer;
    this.waiting.delete(to);
    if (pieces.length > 0) this.waiting.set(to, pieces);
    const { roundTripMillis, bytesPerSecond } = this.facts;
    const sentMillis = (1000 * piece.length) / bytesPerSecond;
    setTimeout(() => to.write(piece), sentMillis + roundTripMillis / 2);
    setTimeout(() => this.next(), sentMillis);
  }
}

/** Listens on a port of its own; a new connection takes a round trip before it carries anything. */
export class SlowLine {
  private readonly down: Lane;
  private readonly up: Lane;
  private readonly sockets = new Set<Socket>();
  private readonly listener: Server;

  private constructor(serverPort: number, facts: LineFacts) {
    this.down = new Lane(facts);
    this.up = new Lane(facts);
    this.listener = createServer((near) => {
      const far = connect(serverPort, '127.0.0.1');
      for (const socket of [near, far]) {
        this.sockets.add(socket.on('error', () => undefined));
        socket.on('close', () => setTimeout(() => (socket === near ? far : near).destroy(), facts.roundTripMillis));
      }
      far.on('data', (bytes: Buffer) => this.down.send(near, bytes));
      setTimeout(() => near.on('data', (bytes: Buffer) => this.up.send(far, bytes)), facts.roundTripMillis);
    });
  }

  static async to(serverPort: number, facts: LineFacts): Promise<SlowLine> {
    const line = new SlowLine(serverPort, facts);
    await new Promise<void>((resolve) => line.listener.listen(0, '127.0.0.1', resolve));
    return line;
  }

  get port(): number {
    return (this.listener.address() as AddressInfo).port;
  }

  /** What the server has sent. */
  get bytesDown(): number {
    return this.down.bytes;
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy();
    this.listener.close();
  }
}
