// What an input file says of Monte Carlo runs, and the statements of each run. Trick: MonteCarlo.hh, mc_master.hh
import {
  arithmetic,
  bindArguments,
  type Callable,
  fixedModule,
  isTrue,
  ListValue,
  type ModuleValue,
  numberIn,
  type Parameter,
  plain,
  ScriptError,
  type ScriptValue,
} from '../../python/index.js';
import { MONTE_CARLO_CLASSES } from './classes.js';
import { Dispersion, type FileColumn, MOST_VARIABLES, type Sources } from './dispersion.js';
import { Master } from './master.js';

/** What a run is set to, after the input file. */
export interface StudyRun {
  readonly number: number;
  /** Statements of the command language, a line each. */
  readonly text: string;
  /** The values by name, with units behind it if they have other ones, as text. */
  readonly shown: readonly (readonly [name: string, value: string])[];
}

/** Which part of a study a simulation plays: it is asked what is to be run, it is one of the runs, or there are none. */
export type StudyPart = { readonly kind: 'master' | 'alone' } | { readonly kind: 'run'; readonly isGenerated: boolean };

/** What an input file is told that asks for runs in a server. */
export const NO_MONTE_CARLO =
  'an input file makes no Monte Carlo runs here; the command "varwire monte-carlo --input FILE" makes them';

const MOST_RANGES = 10_000;

export class Study {
  /** The object `monte_carlo.mc_master`, which NASA's documentation calls `monte_carlo.master`, too. */
  readonly master: Master;
  readonly module: ModuleValue;
  readonly variables: Dispersion[] = [];
  private readonly ranges: (readonly [first: number, last: number])[] = [];
  /** What is set, by the name of its command without `mc_set_`. */
  private readonly settings = new Map(SETTINGS);
  private hasTimeout = false;

  constructor(
    private readonly part: StudyPart,
    /** Tells once that something has no effect. */
    private readonly tell: (sentence: string) => void,
  ) {
    this.master = new Master(part.kind === 'run' && part.isGenerated);
    this.module = fixedModule('monte_carlo', { mc_master: this.master, master: this.master });
  }

  /** Whether the file asks for runs. */
  get isOn(): boolean {
    return isTrue(this.settings.get('enabled') ?? null) || this.isGenerated;
  }

  /** Whether the runs are to be shown, and not made. */
  get isDry(): boolean {
    return isTrue(this.settings.get('dry_run') ?? null);
  }

  /** Wall time of a run in seconds; undefined when the file does not say. */
  get timeoutSeconds(): number | undefined {
    return this.hasTimeout ? Number(this.settings.get('timeout')) : undefined;
  }

  get numberOfRuns(): number {
    return this.isGenerated ? this.master.numberOfRuns : Number(this.settings.get('num_runs'));
  }

  /** Whether the newer of Trick's two ways is used, the generator of inputs. */
  get isGenerated(): boolean {
    return this.master.isGenerating;
  }

  /** Throws an Error for a file that asks for runs where none are made. */
  requireNone(): void {
    if (this.part.kind === 'alone' && this.isOn) throw new Error(`RuntimeError: ${NO_MONTE_CARLO}`);
  }

  /** A name in the module `trick`; undefined for any other. */
  attribute(name: string): ScriptValue | undefined {
    const made = MONTE_CARLO_CLASSES.get(name);
    if (made) return made;
    return name.startsWith('mc_') ? this.command(name) : undefined;
  }

  /** The runs in order. Throws a ScriptError for a value that cannot be drawn. */
  *runs(sources: Sources): Generator<StudyRun> {
    const { isGenerated } = this;
    if (isGenerated && this.variables.length > 0)
      throw new ScriptError(
        'RuntimeError',
        `monte_carlo.mc_master is active, and ${this.variables[0]?.name} is a variable of trick_mc.mc: one of the two makes runs`,
      );
    const variables = isGenerated ? this.master.variables : this.variables;
    joinFiles(variables);
    for (let number = 0; number < this.numberOfRuns; number++) {
      const assignments = [];
      for (const variable of variables) {
        const next = variable.draw(sources);
        // The runs end with the lines of a file.
        if (!next) return;
        assignments.push(next);
      }
      if (!isGenerated && !this.isInRange(number)) continue;
      const shown = assignments.flatMap(({ shown: one }) => (one ? [[one.name, one.value] as const] : []));
      const statements = assignments.map(({ statement }) => `${statement}\n`).join('');
      const place = isGenerated
        ? `${this.master.name}.monte_run_number = ${number}\n`
        : `trick.mc_set_current_run(${number})\n`;
      yield { number, text: place + statements, shown };
    }
  }

  private isInRange(number: number): boolean {
    return this.ranges.length === 0 || this.ranges.some(([first, last]) => number >= first && number <= last);
  }

  private command(name: string): Callable | undefined {
    const known = this.commands()[name];
    const found = known ?? this.setting(name);
    if (!found) return undefined;
    const [parameters, run] = found;
    return { kind: 'callable', name, call: (args) => run(bindArguments(name, parameters, args)) ?? null };
  }

  private commands(): Readonly<Record<string, Command>> {
    const { part } = this;
    const isRun = part.kind === 'run';
    return {
      mc_add_variable: [[VALUE], ([variable = null]) => this.add(variable)],
      mc_add_range: [RANGE, ([first, last]) => this.addRange(Number(first), Number(last))],
      mc_get_variable: [
        [{ name: 'variable_name', type: 'text' }],
        ([wanted]) => this.variables.find(({ name }) => name === wanted) ?? null,
      ],
      mc_get_variables: [[], () => new ListValue([...this.variables])],
      mc_is_slave: [[], () => BigInt(isRun)],
      mc_get_slave_id: [[], () => BigInt(isRun)],
      mc_get_num_results: [[], () => 0n],
      ...Object.fromEntries(OF_SLAVES.map((name) => [name, [[VALUE], () => this.tellOfSlaves(name)] as const])),
    };
  }

  /** `mc_set_num_runs` and `mc_get_num_runs`; what has no meaning here is told once. */
  private setting(name: string): Command | undefined {
    const [, kind, setting = ''] = /^mc_(set|get)_(\w+)$/.exec(name) ?? [];
    const standard = SETTINGS.get(setting);
    if (standard === undefined) return undefined;
    if (kind === 'get') return [[], () => this.settings.get(setting)];
    const type = typeof standard === 'string' ? 'text' : typeof standard === 'number' ? 'seconds' : 'value';
    return [
      [{ name: setting, type }],
      ([given = null]) => {
        this.settings.set(setting, typeof standard === 'bigint' ? wholeOf(given) : given);
        if (setting === 'timeout') this.hasTimeout = true;
        if (!MEANT.has(setting)) this.tell(`trick.${name} is taken and does nothing: ${HERE}`);
        return undefined;
      },
    ];
  }

  private tellOfSlaves(name: string): undefined {
    this.tell(`trick.${name} is taken and does nothing: ${HERE}`);
    return undefined;
  }

  private add(variable: ScriptValue): undefined {
    if (!(variable instanceof Dispersion))
      throw new ScriptError('TypeError', 'mc_add_variable() takes a variable such as trick.MonteVarRandom(...)');
    if (this.variables.length >= MOST_VARIABLES)
      throw new ScriptError('RuntimeError', `a Monte Carlo has at most ${MOST_VARIABLES} variables`);
    if (this.variables.some(({ name }) => name === variable.name))
      this.tell(`there is a Monte Carlo variable ${variable.name} already, and the other one is left out`);
    else this.variables.push(variable);
    return undefined;
  }

  private addRange(first: number, last: number): undefined {
    if (this.ranges.length >= MOST_RANGES)
      throw new ScriptError('RuntimeError', `a Monte Carlo has at most ${MOST_RANGES} ranges of runs`);
    this.ranges.push([first, Math.max(first, last)]);
    return undefined;
  }
}

type Command = readonly [readonly Parameter[], (values: readonly ScriptValue[]) => ScriptValue | undefined];

const VALUE: Parameter = { name: 'value', type: 'value' };
const RANGE: readonly Parameter[] = [
  { name: 'start', type: 'integer' },
  { name: 'end', type: 'integer', standard: 0n },
];
const OF_SLAVES = ['mc_add_slave', 'mc_start_slave', 'mc_stop_slave'];
const HERE = 'threads of this machine make the runs, and a run that has failed is not repeated';

/** What they are before a file sets them. Trick: MonteCarlo::MonteCarlo */
const SETTINGS: ReadonlyMap<string, ScriptValue> = new Map<string, ScriptValue>([
  ['enabled', 0n],
  ['num_runs', 0n],
  ['dry_run', 0n],
  ['timeout', 120],
  ['current_run', 0n],
  ['max_tries', 2n],
  ['verbosity', 0n],
  ['user_cmd_string', ''],
  ['custom_slave_dispatch', 0n],
  ['custom_pre_text', ''],
  ['custom_post_text', ''],
  ['localhost_as_remote', 0n],
  ['slave_sim_options', ''],
  ['slave_output_directory', ''],
  ['listen_device_port', 0n],
  ['connection_device_port', 0n],
  ['data_listen_device_port', 0n],
  ['data_connection_device_port', 0n],
]);
const MEANT: ReadonlySet<string> = new Set(['enabled', 'num_runs', 'dry_run', 'timeout', 'current_run']);

/** A number, or a truth value as 0 and 1. */
function wholeOf(given: ScriptValue): bigint {
  const value = plain(given);
  const number = typeof value === 'string' ? numberIn(value) : arithmetic(value);
  if (number !== undefined && Number.isFinite(Number(number))) return BigInt(Math.trunc(Number(number)));
  throw new ScriptError('TypeError', 'a setting of a Monte Carlo takes a whole number, True or False');
}

/** Variables of one file have the same line. Trick: MonteCarloMaster::add_variable */
function joinFiles(variables: readonly Dispersion[]): void {
  const leaders = new Map<string, FileColumn>();
  for (const { file } of variables) {
    if (!file) continue;
    file.leader = leaders.get(file.name);
    if (!file.leader) leaders.set(file.name, file);
  }
}
