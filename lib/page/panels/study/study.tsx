// The results of a Monte Carlo: scatter, histogram, percentiles, requirements, and the worst runs, each a press away.
import { useEffect, useState } from 'preact/hooks';
import type { PanelContext, PanelKind } from '../panel.js';
import { numberText } from '../values/number-text.js';
import { ChosenRun } from './chosen-run.js';
import { type StudySettings, studySettings } from './settings.js';
import { summaryOf } from './statistics.js';
import { askedRuns, askedStudy, type Column, columnText, type RunResult, type Study, worstOf } from './study-data.js';
import { Histogram, Scatter } from './study-picture.js';

type StudyPanel = PanelContext<StudySettings>;

interface ViewProps {
  readonly panel: StudyPanel;
}

const MOST_WORST = 10;

function StudyView({ panel }: ViewProps) {
  const [study, setStudy] = useState<Study | string>();
  const isConnected = panel.server.state.value === 'connected';
  useEffect(() => {
    if (isConnected) askedStudy(panel.server).then(setStudy, (error: Error) => setStudy(error.message));
  }, [panel, isConnected]);
  if (study === undefined) return null;
  if (typeof study === 'string') return <p class="empty">{study}</p>;
  if (study.results.length === 0) return <p class="empty">These runs have no results that are numbers.</p>;
  return <Results panel={panel} study={study} />;
}

function Results({ panel, study }: ViewProps & { readonly study: Study }) {
  const { settings, size } = panel;
  const { view, isLeastWorst } = settings.value;
  const result = study.results.find(({ name }) => name === settings.value.result) ?? (study.results[0] as Column);
  const given = study.given.filter((column) => column !== result);
  const over = given.find(({ name }) => name === settings.value.over) ?? given[0] ?? result;
  const [runs, setRuns] = useState<readonly RunResult[] | string>([]);
  const [chosen, choose] = useState<RunResult>();
  useEffect(() => {
    let isOver = false;
    askedRuns(panel.server, study, result, over).then(
      (found) => !isOver && setRuns(found),
      (error: Error) => !isOver && setRuns(error.message),
    );
    return () => {
      isOver = true;
    };
  }, [panel, study, result, over]);
  if (typeof runs === 'string') return <p class="empty error">{runs}</p>;
  const picture = {
    ...{ runs, result, over, onChoose: choose, chosen: chosen?.index },
    width: Math.max(200, size.value.width - 24),
    height: Math.max(140, Math.min(360, 0.55 * size.value.height)),
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys.
    <section class="study" aria-label="Results of runs" tabIndex={0}>
      <div class="study-bar">
        <Chooser
          label="Result"
          columns={study.results}
          value={result}
          onChoose={(name) => panel.change({ result: name })}
        />
        <label class="labelled">
          View
          <select
            class="field"
            value={view}
            onChange={({ currentTarget }) =>
              panel.change(studySettings({ ...settings.peek(), view: currentTarget.value }))
            }
          >
            <option value="scatter">scatter</option>
            <option value="histogram">histogram</option>
          </select>
        </label>
        {view === 'scatter' && (
          <Chooser label="Over" columns={given} value={over} onChoose={(name) => panel.change({ over: name })} />
        )}
        <span class="quiet">
          {study.runs} runs{study.missing > 0 ? `, and ${study.missing} that were not made` : ''}
        </span>
      </div>
      {view === 'scatter' ? <Scatter {...picture} /> : <Histogram {...picture} />}
      <Percentiles runs={runs} result={result} />
      <Requirements study={study} />
      <div class="study-worst">
        <label class="labelled">
          Worst is
          <select
            class="field"
            value={isLeastWorst ? 'least' : 'greatest'}
            onChange={({ currentTarget }) => panel.change({ isLeastWorst: currentTarget.value === 'least' })}
          >
            <option value="greatest">the greatest</option>
            <option value="least">the least</option>
          </select>
        </label>
        <ol aria-label="Worst runs">
          {worstOf(runs, isLeastWorst, MOST_WORST).map((run) => (
            <li key={run.index}>
              <button
                type="button"
                class="button"
                aria-pressed={run.index === chosen?.index}
                onClick={() => choose(run)}
              >
                run {run.number}: {Number.isNaN(run.result) ? 'no result' : numberText(run.result, 6)}
              </button>
            </li>
          ))}
        </ol>
      </div>
      {chosen && <ChosenRun key={chosen.index} panel={panel} study={study} run={chosen} result={result} />}
    </section>
  );
}

interface ChooserProps {
  readonly label: string;
  readonly columns: readonly Column[];
  readonly value: Column;
  onChoose(name: string): void;
}

const Chooser = ({ label, columns, value, onChoose }: ChooserProps) => (
  <label class="labelled">
    {label}
    <select class="field" value={value.name} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
      {columns.map((column) => (
        <option key={`${column.kind} ${column.name}`} value={column.name}>
          {columnText(column)}
        </option>
      ))}
    </select>
  </label>
);

function Percentiles({ runs, result }: { readonly runs: readonly RunResult[]; readonly result: Column }) {
  const found = summaryOf(runs.map((run) => run.result));
  if (!found) return null;
  const cells: [string, number][] = [
    ['mean', found.mean],
    ['deviation', found.deviation],
    ...found.percentiles.map(([percent, value]): [string, number] => [
      percent === 0 ? 'least' : percent === 100 ? 'greatest' : `${percent} %`,
      value,
    ]),
  ];
  return (
    <table class="study-table">
      <caption>
        {columnText(result)} of {found.count} runs
      </caption>
      <thead>
        <tr>
          {cells.map(([name]) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        <tr>
          {cells.map(([name, value]) => (
            <td key={name} class="number">
              {Number.isNaN(value) ? '–' : numberText(value, 5)}
            </td>
          ))}
        </tr>
      </tbody>
    </table>
  );
}

const percentText = (rate: number): string => `${numberText(100 * rate, 4)} %`;

function Requirements({ study: { requirements } }: { readonly study: Study }) {
  if (requirements.length === 0) return null;
  return (
    <ul class="study-requirements" aria-label="Requirements">
      {requirements.map(({ text, passed, runs, rate, low, high }) => (
        <li key={text}>
          <code>{text}</code>: {passed} of {runs} runs
          {rate !== null && `, ${percentText(rate)}; with 95 % confidence ${percentText(low)} to ${percentText(high)}`}
        </li>
      ))}
    </ul>
  );
}

export const study: PanelKind<StudySettings> = {
  type: 'study',
  name: 'Monte Carlo',
  about: 'The results of many runs: scatter, histogram, percentiles, requirements, and the worst runs.',
  icon: 'M2 2v12h12M5 11h.01M7 8h.01M8.500 10h.01M10 6h.01M12 4.500h.01M12 9h.01',
  size: { columns: 12, rows: 18 },
  leastSize: { columns: 6, rows: 6 },
  settings: studySettings,
  title: ({ result }) => (result === undefined ? 'Monte Carlo' : `Monte Carlo: ${result}`),
  isOffered: (server) => server.has('runs/results') && server.status.peek()?.playback !== undefined,
  View: StudyView,
};
