// A server under test with its bystanders: exact answers, sessions that go on, memory, and no internal error.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AttackedServer, MissingToolError, MOUNTED_AT, MOUNTING } from '../../attacks/attacked-server.js';
import { demand } from '../../demand.js';
import type { Dialled } from '../../dial.js';
import { call, EventStream, type Values } from '../../http-client.js';
import { ENGINE_OPTIONS, LaunchedServer } from '../../launch.js';
import { WireClient } from '../../wire-client.js';
import type { Place } from './door.js';

const SIMULATION = new URL('./guarded.js', import.meta.url);
const QUESTION = 'trick.var_send_once("guard.label,guard.numbers[0],guard.numbers[1],guard.numbers[2]", 4)\n';
const ANSWER = '5\tas it was\t1.5\t-2\t1e-07';
const VALUES = { 'guard.label': 'as it was', 'guard.numbers': [1.5, -2, 1e-7] };
/**
 * What an input declares stays, as in Trick, and each frame is larger from then on: in the middle of an hour it would look
 * as if memory leaked. So that has happened before memory is watched.
 */
const ROOM = 'trick.TMM_declare_var_s("double guard_room[150000]")\n';
const COUNTER = 'trick_sys.sched.frame_count';
const GROWTH_ALLOWED_BYTES = 400 * 2 ** 20;
const PATIENCE_MILLIS = 30_000;

export class WatchedServer implements Place {
  private readonly startBytes: number;
  private events = 0;
  private heardEvent: () => void = () => undefined;
  private isClosing = false;
  private beside: Promise<BesideServer | undefined> | undefined;

  private constructor(
    private readonly server: LaunchedServer,
    readonly directory: string,
    private readonly trick: WireClient,
    private readonly stream: EventStream,
  ) {
    this.startBytes = server.residentBytes;
    void this.read();
  }

  static async start(): Promise<WatchedServer> {
    const directory = mkdtempSync(join(tmpdir(), 'varwire-fuzz-'));
    const doors = ['--udp', '127.0.0.1:0', '--brp', '0', '--krpc', '127.0.0.1:0'];
    const options = ['--no-discovery', ...doors, '--run-dir', directory];
    const server = await LaunchedServer.start(SIMULATION, {
      options,
      engineOptions: ENGINE_OPTIONS,
      program: [MOUNTING],
    });
    const trick = await WireClient.tcp(server.port);
    trick.send(`trick.var_pause()\n${ROOM}`);
    const stream = await EventStream.subscribe(server.port, [COUNTER], 100);
    const watched = new WatchedServer(server, directory, trick, stream);
    await watched.look();
    return watched;
  }

  get port(): number {
    return this.server.port;
  }
  get udpPort(): number {
    return this.server.udpPort;
  }
  get brpPort(): number {
    return this.server.brpPort;
  }
  get krpcPorts(): Place['krpcPorts'] {
    return this.server.krpcPorts;
  }
  get mountedPort(): number {
    return this.server.portAfter(MOUNTED_AT);
  }
  get output(): string {
    return this.server.output;
  }

  readonly secure = async (): Promise<Dialled | undefined> => {
    this.beside ??= BesideServer.start(mkdtempSync(join(tmpdir(), 'varwire-fuzz-tls-')));
    return (await this.beside)?.door;
  };

  /** NaN when it has ended. */
  get residentBytes(): number {
    return this.server.isRunning ? this.server.residentBytes : Number.NaN;
  }

  /** Rejects with one sentence when a bystander is not served as ever. */
  async look(): Promise<void> {
    demand(this.server.isRunning, 'the server has ended');
    this.trick.send(QUESTION);
    const line = await this.trick.line();
    demand(line === ANSWER, `the bystander was answered ${JSON.stringify(line)}`);
    for (const port of [this.port, this.mountedPort]) {
      const { values } = await call<Values>(port, 'var/get', { aliases: Object.keys(VALUES) });
      demand(JSON.stringify(values) === JSON.stringify(VALUES), `the values are ${JSON.stringify(values)}`);
    }
    await this.nextEvent();
    demandNoFault(this.server.output);
    await (await this.beside)?.look();
    demandSmall(this.server.residentBytes - this.startBytes);
  }

  async close(): Promise<void> {
    this.isClosing = true;
    this.trick.drop();
    this.stream.close();
    await this.server.stop().catch(() => this.server.kill());
    await (await this.beside?.catch(() => undefined))?.close();
    rmSync(this.directory, { recursive: true, force: true });
  }

  private nextEvent(): Promise<void> {
    const before = this.events;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('an event stream gets no more frames')), PATIENCE_MILLIS);
      this.heardEvent = () => {
        if (this.events === before) return;
        clearTimeout(timer);
        resolve();
      };
    });
  }

  private async read(): Promise<void> {
    try {
      for await (const { values } of this.stream.messages()) {
        if (!(Number(values[COUNTER]) >= 0)) continue;
        this.events++;
        this.heardEvent();
      }
    } catch (error) {
      if (!this.isClosing) console.error(`the event stream has ended: ${(error as Error).message}`);
    }
  }
}

/** A second server, with TLS, and its bystander inside. */
class BesideServer {
  private readonly startBytes: number;

  private constructor(
    private readonly target: AttackedServer,
    private readonly trick: WireClient,
    private readonly directory: string,
  ) {
    this.startBytes = target.server.residentBytes;
  }

  static async start(directory: string): Promise<BesideServer | undefined> {
    let target: AttackedServer | undefined;
    try {
      target = await AttackedServer.start({ way: 'tls' }, directory);
      const trick = await target.client();
      trick.send('trick.var_pause()\n');
      return new BesideServer(target, trick, directory);
    } catch (error) {
      await target?.server.kill();
      rmSync(directory, { recursive: true, force: true });
      if (!(error instanceof MissingToolError)) throw error;
      console.log(`TLS is skipped: ${error.message}`);
      return undefined;
    }
  }

  get door(): Dialled {
    return this.target.door;
  }

  async look(): Promise<void> {
    demand(this.target.server.isRunning, 'the server with TLS has ended');
    this.trick.send('trick.var_send_once("target.label")\n');
    const line = await this.trick.line();
    demand(line === '5\tas it was', `the bystander inside TLS was answered ${JSON.stringify(line)}`);
    demandNoFault(this.target.server.output);
    demandSmall(this.target.server.residentBytes - this.startBytes);
  }

  async close(): Promise<void> {
    this.trick.drop();
    await this.target.server.stop().catch(() => this.target.server.kill());
    rmSync(this.directory, { recursive: true, force: true });
  }
}

function demandNoFault(output: string): void {
  const internal = /internal error.*|.*\n {4}at .*|.* failed$/m.exec(output);
  demand(!internal, `the log says ${internal?.[0]}`);
}

/** @param grownBytes NaN once the server has ended. */
function demandSmall(grownBytes: number): void {
  demand(!Number.isNaN(grownBytes), 'the server has ended');
  demand(grownBytes < GROWTH_ALLOWED_BYTES, `memory has grown by ${Math.round(grownBytes / 1e6)} MB`);
}
