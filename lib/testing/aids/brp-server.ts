// Bevy's protocol in memory: a simulation on the test's thread, asked over HTTP exchanges and WebSockets.
import { BrpFrontEnd } from '../../protocols/brp/front-end.js';
import type { Generation } from '../../protocols/brp/generation.js';
import { LATEST } from '../../protocols/brp/generation.js';
// Loads beforehand what the first request would load, so that no test waits for it.
import '../../protocols/brp/service.js';
import '../../protocols/brp/conversation.js';
import { array, double, enumeration, int, longLong, pointer, struct, text } from '../../model/state/declare.js';
import { vector } from '../../model/state/declare-containers.js';
import { HttpRouter } from '../../run/serve/http-router.js';
import { type Bounds, DEFAULT_BOUNDS } from '../../serving/scheduling/holdings.js';
import { ClientSessions } from '../../serving/session/client-sessions.js';
import { SessionRegistry } from '../../serving/session/registry.js';
import type { HttpEndpoint } from '../../serving/transport/front-end.js';
import { Trust, type TrustOptions } from '../../serving/trust/trust.js';
import { type Sim, simulation } from '../../simulation/executive/simulation.js';
import { ComputingClock } from './computing.js';
import { TestExchange, type TestRequest, type TestStream, webSocketOf } from './http-exchange.js';
import { type LocalSource, startServedSource } from './local-source.js';
import type { MemoryWebSocket } from './memory-connection.js';

const Position = struct('Position', { x: double({ units: 'm' }), y: double(), z: double() });
const Mode = enumeration('Mode', { SAFE: 0, POINTING: 1 });
const Body = struct('Body', {
  translation: double(3, { units: 'm' }),
  mode: Mode,
  label: text(16),
  counts: vector(int(), 4),
  serial: longLong(),
});

/** Two craft with a Position, one of them below the other; a single Body; a marker and tuples to spawn. */
export function fleet(sim: Sim): void {
  const spawned = sim.type(Position, { name: 'server::Position' });
  sim.type(Body);
  sim.type(struct('Marker', {}));
  sim.type(struct('Health', { 0: double() }));
  sim.type(struct('Pair', { 0: int(), 1: int() }));
  sim.type(Mode);
  sim.type(struct('Sealed', { x: double() }), { spawnable: false });
  const ship = sim.object('ship');
  const position = ship.component('position', spawned, { x: 1, y: 2, z: 3 });
  ship.component('body', Body, {
    translation: [1, 2, 3],
    mode: 'POINTING',
    label: 'a',
    counts: [7],
    serial: 2n ** 60n,
  });
  const boat = sim.object('boat', { parent: ship });
  boat.component('place', spawned, { x: 10 });
  boat.component('spare', spawned, { x: 20 });
  const list = boat.component('list', array(double(), 2), [1, 0]);
  list[1] = Number.NaN;
  boat.component('far', pointer(double()), [[4, 5]].flat());
  sim.function(
    'push',
    { takes: { by: double({ units: 'm', about: 'how far' }), mode: Mode }, gives: double() },
    ({ by }) => {
      position.x += by;
      return position.x;
    },
  );
  sim.function('shout', (...texts: unknown[]) => sim.say(texts.join(' ')), { about: 'says it' });
  sim.job(0.01, () => {
    if (run.isMoving) position.x += 1;
  });
}

const run = { isMoving: false };

interface TestOptions extends TrustOptions {
  readonly preferred?: Generation;
  readonly build?: (sim: Sim) => void;
  readonly bounds?: Bounds;
}

export class TestBrp {
  readonly log: string[] = [];
  readonly clock = new ComputingClock();
  readonly registry: SessionRegistry;
  readonly frontEnd: BrpFrontEnd;
  readonly router: HttpRouter;
  private lastId = 0;

  private constructor(
    private readonly local: LocalSource,
    private readonly time: { millis: number },
    { preferred = LATEST, bounds = DEFAULT_BOUNDS, ...trust }: TestOptions,
  ) {
    this.registry = new SessionRegistry(local.source, this.clock, undefined, bounds);
    const log = (_: string, sentence: string): void => void this.log.push(sentence);
    this.frontEnd = new BrpFrontEnd({
      registry: this.registry,
      clients: new ClientSessions(this.registry),
      version: '1.2.3',
      preferred,
      at: { host: '127.0.0.1', port: 0 },
      givesWay: false,
      log,
    });
    const endpoints = this.frontEnd.endpoints() as readonly HttpEndpoint[];
    this.router = new HttpRouter(endpoints, new Trust(trust, '127.0.0.1', this.clock), log);
  }

  static async start(options: TestOptions = {}): Promise<TestBrp> {
    run.isMoving = false;
    const time = { millis: 0 };
    const definition = simulation({ name: 'server', frameSeconds: 0.01 }, options.build ?? fleet);
    const local = await startServedSource(definition, {
      arguments: [],
      directory: '/sims',
      file: 'server.js',
      runDirectory: 'RUN',
      nowMillis: () => time.millis,
    });
    return new TestBrp(local, time, options);
  }

  /** Runs ticks, one frame each; with `isMoving` the ship's x grows by 1 in each. */
  async ticks(count: number, isMoving = false): Promise<void> {
    run.isMoving = isMoving;
    for (let tick = 0; tick < count; tick++) {
      this.turn();
      await settled();
    }
    run.isMoving = false;
  }

  /** One tick, in the middle of something else. */
  turn(): void {
    this.time.millis += 10;
    this.local.host.running.turn();
  }

  async exchange(asked: TestRequest): Promise<TestExchange> {
    const exchange = new TestExchange({ method: 'POST', ...asked });
    await this.router.handle(exchange);
    await settled();
    return exchange;
  }

  /** The whole answer to a body. */
  // biome-ignore lint/suspicious/noExplicitAny: whatever the server says
  async post(body: string | object): Promise<any> {
    const { body: text } = await this.exchange({ body: typeof body === 'string' ? body : JSON.stringify(body) });
    return JSON.parse(text);
  }

  /** The result of a call, or its error. */
  // biome-ignore lint/suspicious/noExplicitAny: whatever the server says
  async call(method: string, params?: unknown): Promise<any> {
    const { result, error } = await this.post({ jsonrpc: '2.0', id: ++this.lastId, method, params });
    return error ?? result;
  }

  async watch(method: string, params: unknown, peer?: string): Promise<TestStream> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 'w', method, params });
    const { opened, body: text } = await this.exchange({ body, ...(peer !== undefined && { peer }) });
    if (!opened) throw new Error(`no stream: ${text}`);
    return opened;
  }

  async open(): Promise<MemoryWebSocket> {
    const socket = webSocketOf();
    this.router.open(socket);
    await settled();
    return socket;
  }

  close(): void {
    this.frontEnd.close();
  }
}

/** Resolves when everything that was ready has run. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 8; turn++) await new Promise((resolve) => setImmediate(resolve));
}
