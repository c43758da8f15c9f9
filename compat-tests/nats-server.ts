// A NATS server of a test's own, on machines that have one.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';

const PROGRAMS = ['/usr/sbin/nats-server', '/usr/bin/nats-server', '/usr/local/bin/nats-server'];
const PROGRAM = PROGRAMS.find((file) => existsSync(file));

export class NatsServer {
  private constructor(
    private readonly child: ChildProcess,
    readonly port: number,
    /** Where it answers how it is, with `-m`. */
    readonly monitorPort: number,
    readonly options: readonly string[],
  ) {}

  /** Where there is one. */
  static readonly program = PROGRAM as string;

  /** Without a server's program, skips the tests of the hook that calls it, and says why. */
  static skipWithout(hook: Mocha.Context): void {
    if (PROGRAM !== undefined) return;
    console.log(`    skipped: there is none of ${PROGRAMS.join(', ')}`);
    hook.skip();
  }

  /** @param port a free one by default. */
  static async start(options: readonly string[] = [], port = -1): Promise<NatsServer> {
    const child = spawn(PROGRAM as string, ['-a', '127.0.0.1', '-p', String(port), ...options]);
    let said = '';
    // The server ends when nobody reads what it says.
    for await (const chunk of child.stderr.iterator({ destroyOnReturn: false })) {
      said += chunk;
      const [, found] = /Listening for client connections on \S+:(\d+)/.exec(said) ?? [];
      if (!found || !said.includes('Server is ready')) continue;
      child.stderr.resume();
      const [, monitor] = /Starting http monitor on \S+:(\d+)/.exec(said) ?? [];
      return new NatsServer(child, Number(found), Number(monitor), options);
    }
    throw new Error(`nats-server has ended: ${said}`);
  }

  get url(): string {
    return `nats://127.0.0.1:${this.port}`;
  }

  get processId(): number {
    return this.child.pid as number;
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const exited = once(this.child, 'exit');
    this.child.kill(signal);
    await exited;
  }
}
