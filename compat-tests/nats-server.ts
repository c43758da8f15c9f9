// A NATS server for tests, on a port of its own; tests without the program are skipped.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PROGRAM = ['nats-server', '/usr/sbin/nats-server'].find((name) => spawnSync(name, ['--version']).status === 0);

/** For `before`: skips the tests where there is no server. */
export function requireNats(context: Mocha.Context): void {
  if (PROGRAM !== undefined) return;
  console.log('    skipped: nats-server is not installed (apt-get install nats-server)');
  context.skip();
}

/** Below those that the system gives to connections: a server that is killed gets its port again. */
const [FIRST_PORT, PORTS] = [20_000, 10_000];

async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + Math.floor(PORTS * Math.random());
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
    });
    if (isFree) return port;
  }
}

export class NatsServer {
  private readonly directory = mkdtempSync(join(tmpdir(), 'varwire-nats-'));
  private child: ChildProcess | undefined;

  private constructor(
    readonly port: number,
    configuration: string,
  ) {
    writeFileSync(join(this.directory, 'nats.conf'), configuration);
  }

  /** @param configuration without host and port. */
  static async start(configuration = ''): Promise<NatsServer> {
    const server = new NatsServer(await freePort(), configuration);
    await server.restart();
    return server;
  }

  /** @param user `name:password`. */
  url(user?: string): string {
    return `nats://${user === undefined ? '' : `${user}@`}127.0.0.1:${this.port}`;
  }

  async restart(): Promise<void> {
    const args = ['-a', '127.0.0.1', '-p', `${this.port}`, '-c', join(this.directory, 'nats.conf')];
    this.child = spawn(PROGRAM ?? 'nats-server', args, { stdio: 'ignore' });
    while (!(await this.answers())) await new Promise((resolve) => setTimeout(resolve, 20));
  }

  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.child?.kill(signal);
  }

  /** As the system does that is out of memory. */
  async kill(): Promise<void> {
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('close', resolve));
    child.kill('SIGKILL');
    await ended;
  }

  async stop(): Promise<void> {
    await this.kill();
    rmSync(this.directory, { recursive: true, force: true });
  }

  private answers(): Promise<boolean> {
    return new Promise((resolve) => {
      const socket = connect(this.port, '127.0.0.1');
      socket.once('error', () => resolve(false));
      socket.once('data', () => {
        socket.destroy();
        resolve(true);
      });
    });
  }
}
