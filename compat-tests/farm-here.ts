// A farm in the process of a test: a NATS server of its own, and workers on threads of this process.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type MonteCarloOptions, type MonteCarloTable, monteCarlo } from '../lib/index.js';
import { farm, farmWorker } from '../lib/run/farm/index.js';
import { connectNats } from '../lib/source/edge/nats.js';
import { NatsServer } from './nats-server.js';

export interface StudyHere extends MonteCarloOptions {
  readonly url?: string;
  readonly isResumed?: boolean;
  readonly lostAfterMillis?: number;
}

export class FarmHere {
  /** What the studies and the workers have said. */
  readonly said: string[] = [];
  private readonly ends: (() => Promise<void>)[] = [];

  private constructor(
    readonly directory: string,
    public server: NatsServer,
  ) {}

  /** @param configuration of the server, besides where it keeps its files. */
  static async start(configuration = ''): Promise<FarmHere> {
    const directory = mkdtempSync(join(tmpdir(), 'varwire-farm-'));
    const file = join(directory, 'nats.conf');
    writeFileSync(file, configuration);
    const options = ['-js', '-sd', join(directory, 'nats'), '-c', file];
    return new FarmHere(directory, await NatsServer.start(options));
  }

  /** A worker, until the returned function or the end of the farm. It finds a file for every simulation. */
  work(file: string, url = this.server.url, stintMillis?: number): () => Promise<void> {
    const over = new AbortController();
    const options = { threads: 1, find: () => file, say: this.say, ...(stintMillis !== undefined && { stintMillis }) };
    const worked = farmWorker(url, options, over.signal);
    const end = async (): Promise<void> => {
      over.abort();
      await worked;
    };
    this.ends.push(end);
    return end;
  }

  /** What the farm makes of a study. */
  async study(file: string, { url, isResumed, lostAfterMillis, ...options }: StudyHere): Promise<MonteCarloTable> {
    const facts = { file, simulation: 'the simulation', isResumed, lostAfterMillis, say: this.say };
    const hasInput = options.inputFile !== undefined;
    const { pool, close } = await farm(url ?? this.server.url, { ...facts, hasInput });
    return monteCarlo(file, { ...options, pool }).finally(close);
  }

  readonly say = (sentence: string): void => void this.said.push(sentence);

  /** Waits for a message. */
  async heard(subject: string, url = this.server.url): Promise<void> {
    const { connection } = await connectNats(url);
    await new Promise<void>((resolve) => connection.subscribe(subject, { callback: () => resolve() }));
    await connection.close();
  }

  /** Kills the server, and starts it again. */
  async restart(): Promise<void> {
    const { port, options } = this.server;
    await this.server.stop('SIGKILL');
    this.server = await NatsServer.start(options, port);
  }

  /** Waits for a sentence. */
  async says(pattern: RegExp): Promise<void> {
    while (!this.said.some((sentence) => pattern.test(sentence))) await wait(10);
  }

  async stop(): Promise<void> {
    await Promise.all(this.ends.map((end) => end()));
    await this.server.stop();
    rmSync(this.directory, { recursive: true });
  }
}
