// Builds a simulation without a server: its state, its jobs and what it may be called for.
import type { Sim, SimulationDefinition } from '../lib/index.js';
import { Catalog } from '../lib/model/catalog.js';
import { readVariable, type Value } from '../lib/model/read.js';
import { State } from '../lib/model/state.js';

type SimFunction = Parameters<Sim['function']>[1];

interface BuiltJob {
  readonly periodSeconds: number;
  readonly phaseSeconds: number;
  readonly run: (deltaSeconds: number) => void;
  runs: number;
}

/** A simulation whose time moves when it is told to. */
export class BuiltSimulation {
  readonly state = new State();
  private readonly jobs: BuiltJob[] = [];
  private readonly functions = new Map<string, SimFunction>();
  private seconds = 0;

  private constructor(readonly definition: SimulationDefinition) {}

  static async of(definition: SimulationDefinition, commandLine: readonly string[] = []): Promise<BuiltSimulation> {
    const built = new BuiltSimulation(definition);
    await definition.build(built.builder(commandLine));
    return built;
  }

  get catalog(): Catalog {
    return new Catalog(this.state.describe());
  }

  /** The variable's value now; undefined for a path that names nothing. */
  read(path: string): Value | undefined {
    const variable = this.catalog.find(path);
    return variable && readVariable(variable, this.state.arena.memory);
  }

  call(name: string, ...values: unknown[]): Value | undefined {
    const call = this.functions.get(name);
    if (!call) throw new Error(`the simulation has no function ${name}`);
    return call(...(values as never[])) as Value | undefined;
  }

  /** Runs every job due from now up to, but not at, a simulation time. */
  runUntil(endSeconds: number): void {
    for (;;) {
      const next = this.jobs.reduce((first, job) => (dueSeconds(job) < dueSeconds(first) ? job : first));
      if (dueSeconds(next) >= endSeconds - 1e-9) break;
      this.seconds = dueSeconds(next);
      next.runs += 1;
      next.run(next.periodSeconds);
    }
    this.seconds = endSeconds;
  }

  private builder(commandLine: readonly string[]): Sim {
    const built = this;
    return {
      arguments: commandLine,
      get timeSeconds() {
        return built.seconds;
      },
      object: (name, options) => this.state.addObject(name, options),
      removeObject: (name) => this.state.removeObject(name),
      job: (periodSeconds, run, { phase = 0 } = {}) =>
        this.jobs.push({ periodSeconds, run, phaseSeconds: phase, runs: 0 }),
      function: (name, call) => this.functions.set(name, call),
      say: () => undefined,
      freeze: () => undefined,
      run: () => undefined,
      stop: () => undefined,
    };
  }
}

const dueSeconds = ({ phaseSeconds, runs, periodSeconds }: BuiltJob): number => phaseSeconds + runs * periodSeconds;
