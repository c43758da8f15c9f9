// Which curves a plot of runs has: each variable of each run, under the name that it has there.
import type { Server } from '../../data/server.js';
import type { RunLook } from '../values/run-look.js';
import type { RunLine, RunPlotSettings } from './settings.js';

/** What runs/list answers. */
export interface Run {
  /** What the names of its variables begin with; empty for a source that is one run. */
  readonly run: string;
  readonly label: string;
  readonly is_live: boolean;
}

/** What runs/curves takes. */
export interface CurveTerm {
  readonly run: string;
  readonly name: string;
  readonly units?: string;
  readonly from_units?: string;
  readonly scale?: number;
  readonly bias?: number;
  readonly shift_sec?: number;
  readonly minus?: CurveTerm;
}

/** One line of the plot. */
export interface Curve {
  readonly term: CurveTerm;
  /** Which of the runs, and which of the lines; a line over several runs at once belongs to none. */
  readonly run: number | undefined;
  readonly line: number;
  readonly label: string;
}

/** What runs/curves answers of one. */
export interface CurveData {
  readonly times?: readonly number[];
  readonly values?: readonly (number | string | null)[];
  readonly units?: string;
  readonly is_held?: boolean;
  readonly from?: number | null;
  readonly to?: number | null;
  readonly stretch_sec?: number;
  /** A large file is still being looked through. */
  readonly is_sampled?: boolean;
  readonly problem?: string;
}

export type Looks = Readonly<Record<string, RunLook>>;

/** The file of a run, or its directory where other runs have files of the same name. */
export function runLabel({ run, label }: Run, all: readonly Run[]): string {
  const [file = '', directory] = stepsOf(label);
  const isShared = all.some((other) => other.run !== run && stepsOf(other.label)[0] === file);
  return `${run} ${isShared && directory ? directory : file}`.trim();
}

/** From the last one up. */
const stepsOf = (label: string): string[] =>
  label
    .split(/[\\/]+/)
    .filter((step) => step !== '')
    .reverse();

const namesOf = (run: string): RegExp => new RegExp(`(?<![\\w.\\]])${run.replaceAll(/\W/g, '\\$&')}\\.(?=\\w)`, 'g');

/** The paths in an expression: neither its units nor its functions. */
const pathsIn = (alias: string): string[] =>
  alias.replaceAll(/\{[^{}]*\}|d\/dt(?=\()/g, '').match(/(?<![\w.])[A-Za-z_][\w.[\]]*(?![\w.[\]]|\s*\()/g) ?? [];

/** A name without that of its run; undefined for an expression over several runs. */
export function nameInRuns(alias: string, runs: readonly Run[]): string | undefined {
  const owners = new Set(
    pathsIn(alias).map((path) => runs.find(({ run }) => run !== '' && path.startsWith(`${run}.`))),
  );
  const [only] = owners;
  if (owners.size > 1) return undefined;
  return only ? alias.replaceAll(namesOf(only.run), '') : alias;
}

/** What a variable is called in a run, and how its values become those of the others. */
function termOf(name: string, line: RunLine, { run }: Run, look: RunLook | undefined): CurveTerm {
  const found = look?.names?.find((each) => each.name === name);
  const isExpression = name.startsWith('=');
  const there = isExpression ? (look?.names ?? []).reduce((text, each) => renamed(text, each), name) : found?.there;
  // What the mapping makes of a value goes through the line's own scale and bias.
  const [scale, bias] = [line.scale ?? 1, line.bias ?? 0];
  const mapped = { scale: (found?.scale ?? 1) * scale, bias: (found?.bias ?? 0) * scale + bias };
  return {
    run,
    name: there ?? name,
    ...(line.units !== undefined && { units: line.units }),
    ...(found?.units !== undefined && { from_units: found.units }),
    ...(mapped.scale !== 1 && { scale: mapped.scale }),
    ...(mapped.bias !== 0 && { bias: mapped.bias }),
    ...(look?.shiftSeconds !== undefined && { shift_sec: look.shiftSeconds }),
  };
}

const renamed = (
  text: string,
  { name, there, scale = 1 }: { name: string; there: string; scale?: number | undefined },
): string =>
  text.replaceAll(
    new RegExp(`(?<![\\w.])${name.replaceAll(/\W/g, '\\$&')}(?![\\w.[])`, 'g'),
    scale === 1 ? there : `(${scale}*${there})`,
  );

const shownRuns = (runs: readonly Run[], looks: Looks): Run[] => runs.filter(({ run }) => !looks[run]?.isHidden);

export function baseOf(runs: readonly Run[], base: string | undefined): Run | undefined {
  return runs.find(({ run }) => run === base) ?? runs[0];
}

/**
 * The curves of some lines in some runs.
 * @param known all runs that there are.
 */
export function curvesOf(
  lines: readonly RunLine[],
  { isDifference, base }: Pick<RunPlotSettings, 'isDifference' | 'base'>,
  runs: readonly Run[],
  looks: Looks,
  known: readonly Run[] = runs,
): Curve[] {
  const first = baseOf(runs, base);
  const shown = shownRuns(runs, looks);
  return lines.flatMap((line, index): Curve[] => {
    const name = nameInRuns(line.alias, known);
    const units = line.units === undefined ? {} : { units: line.units };
    const called = line.label ?? name ?? line.alias;
    if (name === undefined)
      return [{ term: { run: '', name: line.alias, ...units }, run: undefined, line: index, label: called }];
    const of = (run: Run): CurveTerm => termOf(name, line, run, looks[run.run]);
    if (!isDifference || !first)
      return shown.map((run) => ({ term: of(run), run: runs.indexOf(run), line: index, label: labelOf(run, called) }));
    return shown
      .filter((run) => run !== first)
      .map((run) => ({
        term: { ...of(first), minus: of(run) },
        run: runs.indexOf(run),
        line: index,
        label: `${labelOf(first, called)} − ${run.run}`,
      }));
  });
}

const labelOf = ({ run }: Run, name: string): string => (run === '' ? name : `${run} ${name}`);

/** As many as one call takes. */
const AT_ONCE = 64;

/** Asks for all curves of a stretch; undefined ends are those of the runs. */
export async function askedCurves(
  server: Pick<Server, 'call'>,
  curves: readonly Curve[],
  stretch: { readonly from?: number; readonly to?: number; readonly points: number },
): Promise<CurveData[]> {
  const found: CurveData[] = [];
  for (let start = 0; start < curves.length; start += AT_ONCE) {
    const some = curves.slice(start, start + AT_ONCE).map(({ term }) => term);
    const answer = await server.call<{ readonly curves: readonly CurveData[] }>('runs/curves', {
      curves: some,
      ...stretch,
    });
    found.push(...answer.curves);
  }
  return found;
}
