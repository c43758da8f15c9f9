// For tests: a Trick front-end over a small simulation on this thread, with clients in memory and a clock moved by
// hand.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Mode } from '../../model/frame/header.js';
import {
  array,
  bits,
  bool,
  char,
  charPointer,
  chars,
  double,
  enumeration,
  float,
  int,
  longLong,
  pointer,
  short,
  struct,
  text,
  unsignedChar,
  unsignedInt,
} from '../../model/state/declare.js';
import { vector } from '../../model/state/declare-containers.js';
import { TrickFrontEnd } from '../../protocols/trick/front-end/front-end.js';
import type { ReadFile } from '../../protocols/trick/session/read-file.js';
import type { ServerSurroundings, TrickServer } from '../../protocols/trick/session/server-settings.js';
import { SessionRegistry } from '../../serving/session/registry.js';
import type { Connection } from '../../serving/transport/connection.js';
import { type Sim, simulation } from '../../simulation/executive/simulation.js';
import { type LocalSource, startServedSource } from './local-source.js';
import { ManualClock } from './manual-clock.js';
import { MemoryConnection } from './memory-connection.js';

const Phase = enumeration('Phase', { STANDBY: 0, ASCENT: 1, COAST: 2, ENTRY: 7 });
const Point = struct('Point', { x: double({ units: 'm' }), y: double({ units: 'm' }) });

const Thing = struct('Thing', {
  c: char(),
  uc: unsignedChar(),
  s: short(),
  i: int({ units: 'm' }),
  ui: unsignedInt(),
  ll: longLong(),
  f: float(),
  d: double({ units: 'm' }),
  b: bool(),
  phase: Phase,
  lo: bits(3, { declaredAs: 'unsigned char' }),
  name: chars(8),
  str: text(32),
  cp: charPointer(16),
  d3: double(3),
  i23: int([2, 3]),
  vd: vector(double(), 4),
  point: Point,
  points: array(Point, 2),
  far: pointer(double()),
  fixed: int({ access: 'read-only' }),
  secret: int({ access: 'write-only' }),
});

const INITIAL = {
  c: 65,
  i: 5,
  d: 2.5,
  name: 'Orion',
  str: 'text',
  cp: 'p',
  d3: [1, 2, 3],
  vd: [1, 2],
  fixed: 7,
} as const;

/** Object `fx` with a variable of every kind and a few functions; `ballast` doubles come before it, if any. */
const simulationWith = (ballast: number, build: (sim: Sim) => void) =>
  simulation({ name: 'fixture', frameSeconds: 0.01, freezeFrameSeconds: 1 }, (sim) => {
    const many = ballast > 0 ? sim.object('ballast').component('many', double(ballast)) : undefined;
    const fx = sim.object('fx');
    const all = fx.component('all', Thing, INITIAL as never);
    if (many) sim.function('aim_far', () => all.far.pointTo(many));
    sim.function('aim_near', () => all.far.pointTo(all.d3));
    sim.function('add_up', (a: number, b: number) => a + b);
    sim.function('fx.all.kick', (dx: number) => {
      all.d += dx;
    });
    sim.function('refuse', () => {
      throw new Error('this function refuses');
    });
    build(sim);
  });

export interface TrickFixture {
  readonly clock: ManualClock;
  readonly local: LocalSource;
  readonly registry: SessionRegistry;
  readonly frontEnd: TrickFrontEnd;
  readonly server: TrickServer;
  /** Lines of the server's log. */
  readonly log: string[];
  /** Ports that clients asked to open. */
  readonly opened: string[];
  /** Changes that clients made to the allow list. */
  readonly allowed: string[];
  connect(kind?: Connection['kind'], peer?: string): MemoryConnection;
  /** Sends a block, and returns the answers once everything it asks for has happened. */
  ask(connection: MemoryConnection, text: string): Promise<string>;
  /** The next answer, however many turns the blocks before it take. */
  answer(connection: MemoryConnection): Promise<string>;
  /** Moves wall time and simulation time on, a millisecond at a time. */
  pass(millis: number): Promise<void>;
  close(): Promise<void>;
}

/** Resolves when all work under way is done that needs no time to pass. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => setImmediate(resolve));
}

export interface FixtureOptions {
  /** How many doubles an object `ballast` before `fx` has. */
  readonly ballast?: number;
  /** Adds to the simulation. */
  readonly build?: (sim: Sim) => void;
  readonly readFile?: ReadFile;
  readonly clock?: ManualClock | undefined;
}

export async function startTrickFixture({
  ballast = 0,
  build = () => {},
  readFile = () => undefined,
  clock = new ManualClock(),
}: FixtureOptions = {}): Promise<TrickFixture> {
  const runDirectory = mkdtempSync(join(tmpdir(), 'trick-fixture-'));
  const local = await startServedSource(simulationWith(ballast, build), {
    arguments: [],
    directory: '/sims',
    file: 'fixture.ts',
    runDirectory,
    nowMillis: () => clock.nowMillis(),
  });
  const registry = new SessionRegistry(local.source, clock);
  const [log, opened, allowed]: string[][] = [[], [], []] as never;
  const surroundings = createSurroundings(log as string[], opened as string[], allowed as string[]);
  const frontEnd = new TrickFrontEnd({ registry, server: surroundings, readFile });
  frontEnd.server.port = 7000;
  // A simulation with events of its own waits for whoever evaluates them.
  await frontEnd.prepare();
  if (local.source.frame.header.mode === Mode.initialization)
    await local.source.submit({ kind: 'control', control: { action: 'start' } });
  return {
    clock,
    local,
    registry,
    frontEnd,
    server: frontEnd.server,
    log: log as string[],
    opened: opened as string[],
    allowed: allowed as string[],
    connect(kind = 'tcp', peer) {
      const connection = new MemoryConnection(kind, peer);
      frontEnd.accept(connection);
      return connection;
    },
    async ask(connection, text) {
      connection.send(text);
      // A busy machine spreads a block over many turns.
      do await settle();
      while (registry.turns.waiting > 0);
      return connection.taken();
    },
    async answer(connection) {
      while (connection.written.length === 0) await settle();
      return connection.taken();
    },
    async pass(millis) {
      for (let passed = 0; passed < millis; passed++) {
        local.host.running.turn();
        // No time passes while promises go on or turns are due.
        await new Promise((resolve) => setImmediate(resolve));
        if (local.host.running.holds.isWaiting) await settle();
        clock.advance(1);
      }
      local.host.running.turn();
      await settle();
    },
    async close() {
      await local.source.close();
      rmSync(runDirectory, { recursive: true, force: true });
    },
  };
}

function createSurroundings(log: string[], opened: string[], allowed: string[]): ServerSurroundings {
  return {
    hostname: 'vm',
    ports: {
      tcp: async (address, port) => void opened.push(`tcp ${address}:${port}`),
      udp: async (address, port) => void opened.push(`udp ${address}:${port}`),
      multicast: async (group, address, port) => void opened.push(`multicast ${group} ${address}:${port}`),
    },
    allowed: {
      add: (cidr) => {
        if (!cidr.includes('.')) throw new RangeError(`${cidr} is no address`);
        allowed.push(`add ${cidr}`);
      },
      remove: (cidr) => allowed.push(`remove ${cidr}`) > 0 && cidr !== '9.9.9.9',
      setOpen: (isOpen) => void allowed.push(`open ${isOpen}`),
      allowAll: () => void allowed.push('all'),
      forgetAdded: () => void allowed.push('forget'),
      isOpen: true,
      isNarrowed: false,
    },
    hasClientRules: false,
    log: (line, _, { by } = {}) => log.push(by === undefined ? line : `${by}: ${line}`),
  };
}
