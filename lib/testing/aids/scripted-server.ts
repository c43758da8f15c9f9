// A scripted Trick server for tests: it keeps what clients send, and a test decides what it answers.
import { createServer, type Server, type Socket } from 'node:net';

export type ScriptedAnswer = (line: string, socket: Socket) => string | Buffer | undefined;

/** The question that the client sends last; it must be answered before the other answers count. */
const LIST_SIZE = 'trick.var_send_list_size()';

export class ScriptedServer {
  /** Every line that came, of all connections. */
  readonly lines: string[] = [];
  readonly sockets: Socket[] = [];
  private readonly server: Server;

  /** @param answer to a line; undefined says nothing, but to the last question, which is answered `3\t0`. */
  constructor(private readonly answer: ScriptedAnswer = () => undefined) {
    this.server = createServer((socket) => this.accept(socket));
  }

  get port(): number {
    return (this.server.address() as { port: number }).port;
  }

  async start(port = 0): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(port, '127.0.0.1', resolve));
    return this;
  }

  async stop(): Promise<void> {
    this.drop();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** Closes every connection. */
  drop(): void {
    for (const socket of this.sockets.splice(0)) socket.destroy();
  }

  private accept(socket: Socket): void {
    this.sockets.push(socket);
    let unread = '';
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      unread += bytes.toString('utf8');
      const lines = unread.split('\n');
      unread = lines.pop() ?? '';
      for (const line of lines) this.hear(line, socket);
    });
  }

  private hear(line: string, socket: Socket): void {
    this.lines.push(line);
    const answer = this.answer(line, socket) ?? (line === LIST_SIZE ? '3\t0\n' : undefined);
    if (answer !== undefined && answer.length > 0) socket.write(answer);
  }
}

/** A binary list message with names; each value is a type code and bytes. */
export function binaryList(
  indicator: number,
  variables: readonly (readonly [name: string, code: number, value: Buffer])[],
  hasNames = true,
): Buffer {
  const int32s = (...values: number[]) => {
    const bytes = Buffer.alloc(4 * values.length);
    for (const [index, value] of values.entries()) bytes.writeInt32LE(value, 4 * index);
    return bytes;
  };
  const body = Buffer.concat(
    variables.flatMap(([name, code, value]) => [
      ...(hasNames ? [int32s(name.length), Buffer.from(name)] : []),
      int32s(code, value.length),
      value,
    ]),
  );
  return Buffer.concat([int32s(indicator, 8 + body.length, variables.length), body]);
}

export function doubleBytes(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return bytes;
}
