// What a Monte Carlo leaves in its directory besides the runs: its results, and the list of runs that koviz reads.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  STUDY_FILE,
  type Study,
  type StudyColumn,
  type StudyValue,
  studyRuns,
} from '../../simulation/recording/study.js';
import { rateOf } from './requirement.js';
import { type Cell, type Column, columnsOf, type RunsAsked } from './table-columns.js';

/** Facts of a study that are not in its table. */
export type StudyFacts = Pick<Study, 'name' | 'seed' | 'missing' | 'digits' | 'repeat'>;

/** Throws an Error with one sentence when runs of an earlier study would stay among those of this one. */
export function requireNoMore(directory: string, runs: number): void {
  if (!existsSync(directory)) return;
  const last = Math.max(-1, ...(studyRuns(directory) ?? new Map()).keys());
  if (last < runs) return;
  const name = readdirSync(directory).find((each) => /^RUN_0*(\d+)$/.exec(each)?.[1] === String(last)) ?? last;
  throw new Error(
    `${directory} has ${name} of an earlier study, which would stay among these ${runs} runs: remove it, or name another directory (--run-dir)`,
  );
}

export function writeStudy(directory: string, runs: RunsAsked, facts: StudyFacts): void {
  mkdirSync(directory, { recursive: true });
  const columns = columnsOf(runs);
  const study: Study = {
    form: 1,
    ...facts,
    runs: runs.rows.length,
    columns: columns.map(studyColumn),
    requirements: runs.asked.map((requirement) => rateOf(requirement, runs.rows)),
  };
  writeFileSync(join(directory, STUDY_FILE), `${JSON.stringify(study)}\n`);
  writeFileSync(join(directory, 'monte_runs'), monteRuns(columns, facts.digits));
}

const studyColumn = ({ path, kind, units, cells }: Column): StudyColumn => ({
  name: path,
  kind,
  ...(units !== undefined && { units }),
  values: cells.map(studyValue),
});

function studyValue(cell: Cell): StudyValue {
  if (cell === undefined || cell === null) return null;
  if (typeof cell === 'bigint') return Number.isSafeInteger(Number(cell)) ? Number(cell) : String(cell);
  if (typeof cell !== 'number' || Number.isFinite(cell)) return cell;
  return Number.isNaN(cell) ? 'nan' : cell > 0 ? 'inf' : '-inf';
}

/** The newer form of Trick's file: a line for each variable, then one for each run. Every run has its seed. */
function monteRuns(columns: readonly Column[], digits: number): string {
  const given = columns.filter(({ kind }) => kind === 'seed' || kind === 'drawn');
  const heads = given.map(({ path, units }) => `#NAME:\t${path.replaceAll(/\s/g, '_')}\t#UNIT:\t${units ?? '--'}`);
  const [runs] = columns as [Column];
  const lines = runs.cells.map((run, index) =>
    [String(run).padStart(digits, '0'), ...given.map(({ cells }) => word(cells[index]))].join(' '),
  );
  return `${[...heads, ...lines].join('\n')}\n`;
}

const word = (cell: Cell): string => String(studyValue(cell) ?? 'nan').replaceAll(/\s/g, '_') || '-';
