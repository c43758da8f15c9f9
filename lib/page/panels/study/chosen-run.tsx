// One run of a Monte Carlo: what it was given and what came of it, its recording, or the command that repeats it.
import { useEffect, useState } from 'preact/hooks';
import type { ListedVariable, Server } from '../../data/server.js';
import type { PanelContext } from '../panel.js';
import type { StudySettings } from './settings.js';
import { askedRun, type Column, columnText, type RunFacts, type RunResult, type Study } from './study-data.js';

interface Props {
  readonly panel: PanelContext<StudySettings>;
  readonly study: Study;
  readonly run: RunResult;
  readonly result: Column;
}

const MOST_LINES = 4;

export function ChosenRun({ panel, study, run, result }: Props) {
  const [facts, setFacts] = useState<RunFacts | string>();
  useEffect(() => {
    askedRun(panel.server, run.index).then(setFacts, (error: Error) => setFacts(error.message));
  }, [panel, run]);
  if (facts === undefined) return null;
  if (typeof facts === 'string') return <p class="refusal">{facts}</p>;
  const isOpen = study.open.has(run.number);
  const plot = (): void => {
    linesOf(panel.server, `run${run.number}`, result.name).then(
      (lines) => panel.open('run-plot', { lines, only: [`run${run.number}`] }),
      (error: Error) => panel.say(error.message, 'error'),
    );
  };
  return (
    <section class="study-run" aria-label={`Run ${run.number}`}>
      <h3>Run {run.number}</h3>
      <dl>
        {facts.columns
          .filter(({ kind }) => kind !== 'run')
          .map((column) => (
            <div key={`${column.kind} ${column.name}`}>
              <dt>{columnText(column)}</dt>
              <dd class="number">{String(column.values[0] ?? '–')}</dd>
            </div>
          ))}
      </dl>
      {isOpen ? (
        <button type="button" class="button primary" onClick={plot}>
          Plot run {run.number}
        </button>
      ) : (
        <p>
          {facts.repeat === undefined ? (
            <>Its recording is not open: varwire play with --run {run.number} opens it.</>
          ) : (
            <>
              It has no recording that is open. This repeats it: <code>{facts.repeat}</code>
            </>
          )}
        </p>
      )}
    </section>
  );
}

/** What is plotted of a run: the result, if it was recorded, or the first numbers that were. */
async function linesOf(server: Server, run: string, result: string): Promise<{ readonly alias: string }[]> {
  const own = await server.facts(`${run}.${result}`).catch(() => undefined);
  if (own && own.dim.length === 0) return [{ alias: own.alias }];
  const all = await server.call<readonly ListedVariable[]>('var/list', { under: run, limit: 200 });
  const numbers = all.filter(({ dim, type_path }) => dim.length === 0 && /^(double|float)$/.test(type_path));
  if (numbers.length === 0) throw new Error(`${run} has no numbers to plot`);
  return numbers.slice(0, MOST_LINES).map(({ alias }) => ({ alias }));
}
