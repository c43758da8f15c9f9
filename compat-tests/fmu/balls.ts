// Simulations of one FMU, the bouncing ball of the C files, for tests.
import { type FmuOptions, type SimulationDefinition, simulation } from '../../lib/index.js';
import { type SimulationRun, type StartOptions, start } from '../../lib/testing/index.js';
import { type TestFmu, TestFmus } from './test-fmus.js';

/** The FMUs of a test file, and its runs. */
export class Balls {
  private readonly runs: SimulationRun[] = [];

  private constructor(readonly fmus: TestFmus) {}

  /** Skips the tests, with the reason, where there is no compiler. */
  static async compiled(context: Mocha.Context): Promise<Balls> {
    const fmus = await TestFmus.compiled([2, 3]);
    if (typeof fmus !== 'string') return new Balls(fmus);
    console.log(`      skipped: ${fmus}`);
    return context.skip();
  }

  /** A ball of a version of FMI, or one whose description or library is another. It runs on this thread if nothing else is said. */
  async start(
    fmu: 2 | 3 | (TestFmu & { readonly name: string }),
    options: FmuOptions = {},
    more: StartOptions = {},
  ): Promise<SimulationRun> {
    const { name, ...made } = typeof fmu === 'number' ? { name: `ball${fmu}`, generation: fmu } : fmu;
    return this.run(ballOf(this.fmus.make(name, made), options), more);
  }

  async run(definition: SimulationDefinition, more: StartOptions = {}): Promise<SimulationRun> {
    const run = await start(definition, more);
    this.runs.push(run);
    return run;
  }

  closeRuns(): void {
    for (const run of this.runs.splice(0)) run.close();
  }
}

export function ballOf(file: string, options: FmuOptions = {}): SimulationDefinition {
  return simulation({ name: 'test', frameSeconds: 0.1 }, async (sim) => {
    await sim.fmu('ball', file, { isolated: false, ...options });
  });
}
