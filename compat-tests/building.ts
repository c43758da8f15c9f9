// Builds a simulation without a server: its state, its jobs and what it may be called for.
import type { SimulationDefinition } from '../lib/index.js';
import { Catalog } from '../lib/model/catalog.js';
import { readVariable, type Value } from '../lib/model/read.js';
import { type LocalSource, startLocalSource } from '../lib/source/local-source.js';

/** A simulation whose time moves when it is told to. */
export class BuiltSimulation {
  private constructor(private readonly local: LocalSource) {}

  static async of(definition: SimulationDefinition, commandLine: readonly string[] = []): Promise<BuiltSimulation> {
    const facts = { directory: '.', file: 'built', runDirectory: 'RUN_built' };
    return new BuiltSimulation(
      await startLocalSource(definition, { ...facts, arguments: commandLine, nowMillis: () => 0 }),
    );
  }

  private get running() {
    return this.local.host.running;
  }

  /** What the simulation itself has, without the executive's objects. */
  get catalog(): Catalog {
    const description = this.running.state.describe();
    return new Catalog({
      ...description,
      objects: description.objects.filter(({ name }) => !name.startsWith('trick_')),
    });
  }

  /** The variable's value now; undefined for a path that names nothing. */
  read(path: string): Value | undefined {
    const variable = this.running.catalog.find(path);
    return variable && readVariable(variable, this.running.state.arena.memory);
  }

  call(name: string, ...values: unknown[]): Value | undefined {
    const called = this.running.functions.get(name);
    if (!called) throw new Error(`the simulation has no function ${name}`);
    return called.call(...(values as never[])) as Value | undefined;
  }

  /** Runs frames until simulation time has come to an end: every job due before it, none due at it. */
  runUntil(endSeconds: number): void {
    const { executive } = this.running;
    while (executive.timeSeconds < endSeconds - 1e-9) executive.runTick();
  }
}
