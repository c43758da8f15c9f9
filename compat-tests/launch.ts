// Starts the built `varwire` command on free ports, reads where it listens, and stops it.
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { banner } from '../lib/clients/cli/banner.js';
import { parseServed } from '../lib/clients/cli/run.js';
import type { Log, RunningServer, serve } from '../lib/index.js';
import { PATIENCE_MILLIS } from '../lib/testing/aids/patience.js';
import { serveHere } from '../lib/testing/aids/serve-here.js';

const BUILD = new URL('../', import.meta.url);
const COMMAND = fileURLToPath(new URL('lib/clients/cli/main.js', BUILD));
const TICS_PER_SECOND = 1_000_000;
const POLL_MILLIS = 10;

/** As `npm start` has them: with more threads that collect memory, the server's own waits for them on two processors. */
export const ENGINE_OPTIONS = ['--v8-pool-size=1'];

export interface LaunchOptions {
  /** Options of `varwire run` besides `--port 0`. */
  readonly options?: readonly string[];
  /** The arguments of the simulation. */
  readonly simArguments?: readonly string[];
  /** Options of Node.js itself. */
  readonly engineOptions?: readonly string[];
  /** What is run with the simulation's file and all options instead of `varwire run`. */
  readonly program?: readonly string[];
  /** The working directory. Default: that of the tests. */
  readonly directory?: string;
  /** Whether the server runs what it does often before its first client, which most tests do without. Default false. */
  readonly isWarmedUp?: boolean;
}

export interface HereOptions extends Omit<LaunchOptions, 'engineOptions' | 'program' | 'isWarmedUp'> {
  /** How it is served: `serveHere`, or `serve` for tests of what the simulation's thread does. Default: the former. */
  readonly by?: typeof serve | typeof serveHere;
}

/** What a server has printed, with the addresses that its banner names. */
abstract class Printed {
  protected text = '';

  /** Everything that it has printed. */
  get output(): string {
    return this.text;
  }

  /** The port that speaks Trick text and HTTP; where Trick text is not spoken, that of HTTP. */
  get port(): number {
    return this.portAfter(/(?:Trick .*?\d[ :]|Browser +https?:\S+:)(\d+)[ /]/);
  }

  get udpPort(): number {
    return this.portAfter(/nc -u \S+ (\d+)/);
  }

  /** The port of Bevy's protocol. */
  get brpPort(): number {
    return this.portAfter(/Bevy +curl -s https?:\S+?:(\d+)/);
  }

  /** The port of kRPC's calls; its streams have a port of their own. */
  get krpcPorts(): { readonly rpc: number; readonly stream: number } {
    const rpc = this.portAfter(/rpc_port=(\d+)|kRPC +wss?:\/\/\S+?:(\d+)/);
    return { rpc, stream: this.portAfter(/stream_port=(\d+)|streams at (\d+)/) };
  }

  /** The port in a line of the banner. */
  portAfter(pattern: RegExp): number {
    const port = Number(
      pattern
        .exec(this.text)
        ?.slice(1)
        .find((found) => found !== undefined),
    );
    if (!port) throw new Error(`no line of the banner matches ${pattern}:\n${this.text}`);
    return port;
  }
}

export class LaunchedServer extends Printed {
  private isOver = false;

  private constructor(private readonly child: ChildProcess) {
    super();
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => this.hear(chunk));
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => this.hear(chunk));
    // Only then all that it has printed has been read.
    child.on('close', (code, signal) => {
      this.isOver = true;
      this.hear(`[exit ${code ?? signal}]\n`);
    });
  }

  /** @param simulation a built file: its URL, or its path below build/, such as `sims/ball.js`. */
  static async start(simulation: string | URL, launched: LaunchOptions = {}): Promise<LaunchedServer> {
    const { options = [], simArguments = [], engineOptions = [], program = [COMMAND, 'run'] } = launched;
    const file = fileURLToPath(typeof simulation === 'string' ? new URL(simulation, BUILD) : simulation);
    const args = [...engineOptions, ...program, file, '--port', '0', ...options, '--', ...simArguments];
    return LaunchedServer.spawn(args, launched);
  }

  /** Starts another command that serves, such as `edge localhost:7000`. */
  static command(...words: readonly string[]): Promise<LaunchedServer> {
    return LaunchedServer.spawn([COMMAND, ...words, '--port', '0', '--no-discovery'], {});
  }

  private static async spawn(
    args: readonly string[],
    { directory, isWarmedUp = false }: Pick<LaunchOptions, 'directory' | 'isWarmedUp'>,
  ): Promise<LaunchedServer> {
    const server = new LaunchedServer(
      spawn(process.execPath, args, {
        cwd: directory,
        env: isWarmedUp ? { ...process.env, VARWIRE_WARM_UP: 'on' } : process.env,
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    );
    await server
      .until(() => server.isReady, 'its banner')
      .catch((error: unknown) => {
        server.child.kill('SIGKILL');
        throw error;
      });
    return server;
  }

  get isRunning(): boolean {
    return !this.isOver;
  }

  get processId(): number {
    return this.child.pid as number;
  }

  /** Resident memory of the process in bytes. */
  get residentBytes(): number {
    const status = readFileSync(`/proc/${this.child.pid}/status`, 'utf8');
    return 1024 * Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]);
  }

  /** Ends the command as an operator does; throws when it does not end. */
  async stop(): Promise<void> {
    if (this.isOver) return;
    this.child.kill('SIGTERM');
    await this.until(() => this.isOver, 'its end').finally(() => this.child.kill('SIGKILL'));
  }

  /** Resolves when the command has ended by itself. */
  get ended(): Promise<void> {
    return this.until(() => this.isOver, 'its end');
  }

  /** Stops the process where it is, or lets it go on. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.child.kill(signal);
  }

  /** Kills the command, whatever it is doing, after a failed test. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.until(() => this.isOver, 'its end');
  }

  private get isReady(): boolean {
    return /SSE +curl .*\n/.test(this.text);
  }

  private heard: () => void = () => undefined;

  private hear(chunk: string): void {
    this.text += chunk;
    this.heard();
  }

  private until(isMet: () => boolean, expected: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const fail = () => reject(new Error(`varwire has not shown ${expected}; it printed:\n${this.text}`));
      const timer = setTimeout(fail, PATIENCE_MILLIS);
      this.heard = () => {
        if (!isMet() && !this.isOver) return;
        clearTimeout(timer);
        if (isMet()) resolve();
        else fail();
      };
      this.heard();
    });
  }
}

/**
 * The same server in this process, for tests that ask what it answers and not how the command behaves: no
 * module is loaded anew for it.
 */
export class ServerHere extends Printed {
  private server: RunningServer | undefined;
  private isOver = false;
  private readonly before = process.cwd();

  /** @param options those of `varwire run` besides `--port 0`. Rejects as the command fails. */
  static async start(
    simulation: string | URL,
    { options = [], simArguments = [], directory, by = serveHere }: HereOptions = {},
  ): Promise<ServerHere> {
    const url = typeof simulation === 'string' ? new URL(simulation, BUILD) : simulation;
    const here = new ServerHere();
    if (directory !== undefined) process.chdir(directory);
    const log: Log = (level, text) => {
      if (level !== 'informational' && level !== 'debug') here.text += `${text}\n`;
    };
    const served = parseServed([fileURLToPath(url), '--port', '0', ...options]);
    here.server = await by(served.file, { ...served.options, arguments: simArguments, log });
    here.text += `${banner(here.server)}\n`;
    here.server.source.onEnd((_, code) => {
      here.isOver = true;
      here.text += `[exit ${code}]\n`;
    });
    return here;
  }

  get isRunning(): boolean {
    return !this.isOver;
  }

  /** Resolves when the simulation has ended by itself; the output then has the exit code of the command. */
  get ended(): Promise<unknown> {
    return (this.server as RunningServer).ended;
  }

  /** Resolves when the simulation's time has come to so many seconds. */
  async until(seconds: number): Promise<void> {
    while ((await this.seconds()) < seconds) await new Promise((resolve) => setTimeout(resolve, POLL_MILLIS));
  }

  /** Resolves when its time has gone on by so many seconds. */
  async pass(seconds: number): Promise<void> {
    await this.until((await this.seconds()) + seconds);
  }

  async seconds(): Promise<number> {
    return Number(await this.server?.get('trick_sys.sched.time_tics')) / TICS_PER_SECOND;
  }

  async stop(): Promise<void> {
    await this.server?.close();
    process.chdir(this.before);
  }
}

/** For afterEach: prints the server's output beside a failed test. */
export function showOutputOfFailure(context: Mocha.Context, server: Pick<LaunchedServer, 'output'> | undefined): void {
  if (context.currentTest?.state === 'failed' && server) console.error(server.output.slice(-4000));
}

/** For afterEach: prints the output and kills the server after a failed test. Returns whether the test had failed. */
export async function endAfterFailure(
  context: Mocha.Context,
  server: LaunchedServer | ServerHere | undefined,
): Promise<boolean> {
  if (context.currentTest?.state !== 'failed' || !server) return false;
  showOutputOfFailure(context, server);
  if (server instanceof LaunchedServer) await server.kill();
  else await server.stop();
  return true;
}
