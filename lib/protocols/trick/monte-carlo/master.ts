// The generator of Monte Carlo inputs, `monte_carlo.mc_master`. Trick: mc_master.hh
import { ScriptError, type ScriptValue } from '../../python/index.js';
import { Dispersion, type DistributionMethod, getter, MOST_VARIABLES, setter } from './dispersion.js';

export class Master extends Dispersion {
  readonly variables: Dispersion[] = [];
  numberOfRuns = 0;

  /** @param isRun whether this is one of its runs, which generates nothing. */
  constructor(isRun: boolean) {
    const settings = {
      active: isRun,
      generate_dispersions: !isRun,
      run_name: '',
      monte_dir: '',
      input_file_name: 'input.py',
      generate_meta_data: false,
      generate_summary: true,
      minimum_padding: 0n,
      monte_run_number: 0n,
    };
    super('MonteCarloMaster', { name: 'monte_carlo.mc_master', settings, draw: () => undefined });
    const methods: Readonly<Record<string, DistributionMethod>> = {
      activate: setter('run_name', 'text', (name) => this.activate(name as string)),
      set_num_runs: setter('num_runs', 'integer', (count) => this.setRuns(Number(count))),
      add_variable: setter('variable', 'value', (variable) => this.add(variable)),
      remove_variable: setter('var_name', 'text', (name) => this.remove(name as string)),
      find_variable: {
        parameters: [{ name: 'var_name', type: 'text' }],
        run: ([wanted]) => this.variables.find(({ name }) => name === wanted) ?? null,
      },
      // Runs are made once the input file has been read.
      execute: getter(() => null),
      prepare_input_files: getter(() => null),
      collate_meta_data: getter(() => null),
    };
    for (const [name, method] of Object.entries(methods)) this.methods.set(name, method);
  }

  /** Whether the file asks for runs. */
  get isGenerating(): boolean {
    return this.setting<boolean>('active') && this.setting<boolean>('generate_dispersions');
  }

  /** The directory of the runs; empty when the file does not say. */
  get directory(): string {
    return this.setting<string>('monte_dir');
  }

  get padding(): number {
    return Number(this.setting<bigint>('minimum_padding'));
  }

  private activate(name: string): void {
    this.settings.set('run_name', name);
    this.settings.set('monte_dir', `MONTE_${name}`);
    this.settings.set('active', true);
  }

  private setRuns(count: number): void {
    this.numberOfRuns = count;
  }

  private add(variable: ScriptValue): void {
    if (!(variable instanceof Dispersion && variable.isGenerated))
      throw new ScriptError('TypeError', 'add_variable() takes a variable such as trick.MonteCarloVariableFixed(...)');
    if (this.variables.length >= MOST_VARIABLES)
      throw new ScriptError('RuntimeError', `a Monte Carlo has at most ${MOST_VARIABLES} variables`);
    if (this.variables.some(({ name }) => name === variable.name))
      throw new ScriptError('RuntimeError', `there are two settings of the Monte Carlo variable ${variable.name}`);
    this.variables.push(variable);
  }

  private remove(wanted: string): void {
    const at = this.variables.findIndex(({ name }) => name === wanted);
    if (at >= 0) this.variables.splice(at, 1);
  }
}
