// A proxy that serves another server below a path of its own, and passes the name by which it was called.
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';

export class PrefixProxy {
  private constructor(
    private readonly server: Server,
    readonly prefix: string,
  ) {}

  static async to(port: number, prefix: string): Promise<PrefixProxy> {
    const pathOf = ({ url = '' }: IncomingMessage) =>
      url.startsWith(prefix) ? `/${url.slice(prefix.length)}` : undefined;
    const server = createServer((asked, answer) => {
      const path = pathOf(asked);
      if (path === undefined) {
        answer.writeHead(404).end('there is something else at the root\n');
        return;
      }
      const { method } = asked;
      const passed = request({ host: '127.0.0.1', port, path, method, headers: asked.headers }, (from) => {
        answer.writeHead(from.statusCode ?? 502, from.headers);
        from.pipe(answer);
      });
      passed.on('error', () => answer.destroy());
      asked.pipe(passed);
    });
    server.on('upgrade', (asked: IncomingMessage, near, head) => {
      const far = connect(port, '127.0.0.1', () => {
        const lines = Object.entries(asked.headers);
        far.write(
          `GET ${pathOf(asked)} HTTP/1.1\r\n${lines.map(([name, text]) => `${name}: ${text}\r\n`).join('')}\r\n`,
        );
        far.write(head);
        near.pipe(far).pipe(near);
      });
      near.on('error', () => far.destroy());
      far.on('error', () => near.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new PrefixProxy(server, prefix);
  }

  get address(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}${this.prefix}`;
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}
