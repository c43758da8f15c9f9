// The results of many runs, as the server answers them: asked for in parts, the columns that are looked at alone.
import type { Server } from '../../data/server.js';

export interface Column {
  readonly name: string;
  readonly kind: 'run' | 'seed' | 'drawn' | 'time' | 'result' | 'requirement' | 'error';
  readonly units?: string;
  readonly values: readonly (number | string | boolean | null)[];
}

export interface Requirement {
  readonly text: string;
  readonly passed: number;
  readonly runs: number;
  readonly rate: number | null;
  readonly low: number;
  readonly high: number;
}

interface Answer {
  readonly name: string;
  readonly runs: number;
  readonly missing: number;
  readonly open: readonly number[];
  readonly columns: readonly Column[];
  readonly requirements: readonly Requirement[];
  readonly directories: readonly string[];
  readonly repeat?: readonly string[];
}

/** What there is, without the values. */
export interface Study {
  readonly name: string;
  readonly runs: number;
  readonly missing: number;
  /** Numbers of the runs whose recordings are open. */
  readonly open: ReadonlySet<number>;
  /** Those that may be looked at: of numbers. */
  readonly results: readonly Column[];
  readonly given: readonly Column[];
  readonly requirements: readonly Requirement[];
  /** Names of the columns that tell which runs meet them. */
  readonly met: readonly string[];
}

/** One run in the columns that are looked at. */
export interface RunResult {
  /** Its place in the columns. */
  readonly index: number;
  readonly number: number;
  readonly result: number;
  readonly over: number;
  /** Whether it meets all requirements. */
  readonly isFine: boolean;
}

const ask = (server: Server, params: object): Promise<Answer> => server.call<Answer>('runs/results', params);

export async function askedStudy(server: Server): Promise<Study> {
  const { columns, open, ...facts } = await ask(server, { count: 1 });
  const ofKind = (...kinds: readonly Column['kind'][]): Column[] =>
    columns.filter(({ kind, values: [first] }) => kinds.includes(kind) && typeof first !== 'boolean');
  return {
    ...facts,
    met: columns.filter(({ kind }) => kind === 'requirement').map(({ name }) => name),
    open: new Set(open),
    results: ofKind('result'),
    given: [...ofKind('drawn'), ...ofKind('time', 'result', 'seed')],
  };
}

/** Values in an answer. */
const MOST_VALUES = 200_000;

/** All runs, in the columns of a result, of what it is drawn over, and of the requirements. */
export async function askedRuns(server: Server, study: Study, result: Column, over: Column): Promise<RunResult[]> {
  const names = [...new Set(['run', result.name, over.name, ...study.met])];
  // A name may be that of a drawn value and of a result too.
  const count = Math.floor(MOST_VALUES / (2 * names.length));
  const all: RunResult[] = [];
  for (let from = 0; from < study.runs; from += count) {
    const { columns } = await ask(server, { columns: names, from, count });
    const of = (wanted: Pick<Column, 'name' | 'kind'>): Column['values'] =>
      columns.find(({ name, kind }) => name === wanted.name && kind === wanted.kind)?.values ?? [];
    const [numbers, results, overs] = [of({ name: 'run', kind: 'run' }), of(result), of(over)];
    const met = columns.filter(({ kind }) => kind === 'requirement');
    for (let k = 0; k < numbers.length; k++)
      all.push({
        index: from + k,
        number: Number(numbers[k]),
        result: numberOf(results[k]),
        over: numberOf(overs[k]),
        isFine: met.every(({ values }) => values[k] === true),
      });
  }
  return all;
}

/** All that is known of one run. */
export interface RunFacts {
  readonly columns: readonly Column[];
  readonly directory: string;
  readonly repeat: string | undefined;
}

export async function askedRun(server: Server, index: number): Promise<RunFacts> {
  const { columns, directories, repeat } = await ask(server, { from: index, count: 1, with_repeat: true });
  return { columns, directory: directories[0] ?? '', repeat: repeat?.[0] };
}

/** NaN for what is no number. */
function numberOf(value: Column['values'][number] | undefined): number {
  if (value === 'inf' || value === '-inf') return value === 'inf' ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
  return value === null || value === undefined || value === 'nan' ? Number.NaN : Number(value);
}

/** The worst first; runs without a result, which have failed, before all others. */
export function worstOf(runs: readonly RunResult[], isLeastWorst: boolean, most: number): RunResult[] {
  const sign = isLeastWorst ? 1 : -1;
  const rank = ({ result }: RunResult): number => (Number.isNaN(result) ? Number.NEGATIVE_INFINITY : sign * result);
  return [...runs].sort((one, other) => rank(one) - rank(other) || one.number - other.number).slice(0, most);
}

export const columnText = ({ name, units }: Pick<Column, 'name' | 'units'>): string =>
  units && units !== '1' && units !== '--' ? `${name} (${units})` : name;
