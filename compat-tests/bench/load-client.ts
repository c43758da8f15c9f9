// Runs the load client in its own process: load.c if there is a compiler, otherwise the same in Node.
import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const SOURCE = fileURLToPath(new URL('../../../compat-tests/bench/load.c', import.meta.url));
const MAIN = fileURLToPath(new URL('./main.js', import.meta.url));

/** How the bytes of a session are divided into updates. */
export type Cut = 'line' | 'binary' | 'event' | 'websocket';

export interface FanLoad {
  readonly sessions: number;
  readonly seconds: number;
  readonly cut: Cut;
  readonly valuesInUpdate: number;
  /** Session i sends the set-up with index i modulo their number. */
  readonly setUps: readonly (string | Uint8Array)[];
}

export interface FanResult {
  readonly seconds: number;
  readonly values: number;
  readonly bytes: number;
  /** Updates per second: the mean, and of the slowest session. */
  readonly hertz: number;
  readonly slowestHertz: number;
  /** CPU time of the server. */
  readonly cpuSeconds: number;
  readonly gapP50Millis: number;
  readonly gapP99Millis: number;
  readonly gapMaxMillis: number;
  readonly residentKilobytes: number;
}

export interface AskResult {
  readonly p50Millis: number;
  readonly p99Millis: number;
  readonly maxMillis: number;
  readonly cpuSeconds: number;
}

/** The server under load. */
export interface Target {
  readonly port: number;
  readonly processId: number;
}

export class LoadClient {
  private readonly directory = mkdtempSync(join(tmpdir(), 'varwire-bench-'));
  private readonly command: readonly string[];
  readonly kind: 'C' | 'Node';
  private files = 0;

  constructor() {
    const compiled = this.compile();
    this.kind = compiled ? 'C' : 'Node';
    this.command = compiled ? [compiled] : [process.execPath, MAIN, 'load'];
  }

  /** Receives what a server sends to many sessions. */
  fan({ port, processId }: Target, load: FanLoad): Promise<FanResult> {
    const { sessions, seconds, cut, valuesInUpdate, setUps } = load;
    const numbers = [port, processId, sessions, seconds];
    return this.run('fan', [
      ...numbers.map(String),
      cut,
      `${valuesInUpdate}`,
      ...setUps.map((bytes) => this.file(bytes)),
    ]);
  }

  /** Sends a set-up, and then a question after each answer; an answer is one line. */
  ask({ port, processId }: Target, rounds: number, setUp: string, question: string): Promise<AskResult> {
    return this.run('ask', [`${port}`, `${processId}`, `${rounds}`, this.file(setUp), this.file(question)]);
  }

  private async run<Result>(mode: string, args: readonly string[]): Promise<Result> {
    const [program, ...before] = this.command as [string, ...string[]];
    const { stdout, stderr } = await promisify(execFile)(program, [...before, mode, ...args]);
    if (stderr) throw new Error(`the load client says: ${stderr}`);
    return JSON.parse(stdout) as Result;
  }

  private file(bytes: string | Uint8Array): string {
    const name = join(this.directory, `set-up-${this.files++}`);
    writeFileSync(name, bytes);
    return name;
  }

  private compile(): string | undefined {
    const program = join(this.directory, 'load');
    try {
      execFileSync(process.env.CC ?? 'cc', ['-O2', '-o', program, SOURCE], { stdio: 'ignore' });
      return program;
    } catch {
      return undefined;
    }
  }
}
