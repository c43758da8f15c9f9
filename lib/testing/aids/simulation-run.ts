// A running simulation on a clock that the test moves; it keeps every published frame.

import type { FrameHeader } from '../../model/frame/header.js';
import { type Frame, FrameReader } from '../../model/frame/reader.js';
import { Catalog } from '../../model/state/catalog.js';
import { readVariable, type Value } from '../../model/state/read.js';
import { OVERLAYS } from '../../run/serve/overlays.js';
import type { Layout } from '../../simulation/executive/publisher.js';
import type { Request } from '../../simulation/executive/request.js';
import type { Outcome } from '../../simulation/executive/request-queue.js';
import type { RunningOptions } from '../../simulation/executive/running-options.js';
import { RunningSimulation } from '../../simulation/executive/running-simulation.js';
import { type Sim, type SimulationOptions, simulation } from '../../simulation/executive/simulation.js';

const NO_HEADER = {} as FrameHeader;

/** A frame as a reader sees it, in its own memory. */
export class SeenFrame {
  constructor(
    private readonly frame: Frame,
    readonly catalog: Catalog,
  ) {}

  get header(): FrameHeader {
    return this.frame.header;
  }
  get seconds(): number {
    return this.frame.timeSeconds;
  }

  /** The value of a variable; undefined for one that this frame's catalog does not have. */
  value(path: string): Value | undefined {
    const variable = this.catalog.find(path);
    return variable && readVariable(variable, this.frame.memory);
  }
}

export class TestRun {
  nowMillis = 0;
  readonly frames: SeenFrame[] = [];
  readonly said: string[] = [];
  readonly ended: string[] = [];
  /** What has frozen it. */
  readonly faults: string[] = [];
  /** `layout 1`, `frame 1` ... in the order in which they were published. */
  readonly log: string[] = [];
  readonly layouts: Layout[] = [];
  sim!: Sim;
  running!: RunningSimulation;
  private readonly catalogs = new Map<number, Catalog>();
  private known: Catalog | undefined;
  private reader: FrameReader | undefined;

  static async start(
    options: Partial<SimulationOptions>,
    build: (sim: Sim) => void | Promise<void> = () => {},
    runDirectory = 'RUN_test',
    others: Partial<RunningOptions> = {},
  ): Promise<TestRun> {
    const run = new TestRun();
    const definition = simulation({ name: 'test', frameSeconds: 0.01, ...options }, (sim) => {
      run.sim = sim;
      return build(sim);
    });
    const facts = { directory: '/sims', program: 'varwire', inputFile: 'test.js', runDirectory };
    run.running = await RunningSimulation.start(
      definition,
      { facts, overlays: OVERLAYS, arguments: ['--fast'], nowMillis: () => run.nowMillis, ...others },
      {
        layout: (layout) => run.enter(layout),
        poke: () => run.read(),
        say: (level, text, timeSeconds) => run.said.push(`${timeSeconds} ${level}: ${text}`),
        faulty: (reason) => {
          if (reason !== undefined) run.faults.push(reason);
        },
        ended: (reason) => run.ended.push(reason),
      },
    );
    return run;
  }

  get last(): SeenFrame {
    return this.frames.at(-1) as SeenFrame;
  }
  get catalog(): Catalog {
    return this.last.catalog;
  }

  /** Moves wall time on, and runs each turn when it is due. */
  pass(millis: number): void {
    const endMillis = this.nowMillis + millis;
    for (;;) {
      const waitMillis = this.running.turn();
      if (this.nowMillis + waitMillis >= endMillis) break;
      this.nowMillis += waitMillis;
    }
    this.nowMillis = endMillis;
  }

  /** Runs ticks, whatever the wall time. */
  ticks(count: number): void {
    for (let i = 0; i < count; i++) this.running.advance();
  }

  /** Queues requests together and applies them; returns their outcomes in order. */
  ask(...requests: readonly Request[]): Outcome[] {
    const outcomes: Outcome[] = [];
    for (const request of requests) this.running.submit(request, (outcome) => outcomes.push(outcome));
    this.running.applyRequests();
    return outcomes;
  }

  write(path: string, value: Value): Outcome {
    return this.ask({ kind: 'write', writes: [{ path, value }] })[0] as Outcome;
  }

  private enter(layout: Layout): void {
    this.log.push(`layout ${layout.catalog.version}`);
    if (this.layouts.at(-1)?.ringNumber !== layout.ringNumber)
      this.reader = new FrameReader(layout.ring, layout.firstFrame - 1);
    this.layouts.push(layout);
    this.known = new Catalog(structuredClone(layout.catalog), this.known);
    this.catalogs.set(layout.catalog.version, this.known);
  }

  private read(): void {
    const reader = this.reader as FrameReader;
    reader.acknowledge();
    for (let frame = reader.createFrame(NO_HEADER); reader.next(frame); frame = reader.createFrame(NO_HEADER)) {
      this.log.push(`frame ${frame.header.catalogVersion}`);
      this.frames.push(new SeenFrame(frame, this.catalogs.get(frame.header.catalogVersion) as Catalog));
    }
  }
}
