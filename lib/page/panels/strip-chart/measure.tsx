// What lies between the two cursors of a chart: the change of each line, its slope, and what the stretch amounts to.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Server } from '../../data/server.js';
import { LOOKED, MARKED, unmark } from '../plot/looked-at.js';
import { clockText, numberText } from '../values/number-text.js';
import { type ChartPanel, isBand, slotOf, stateOf, unitOfLine } from './chart-state.js';
import { Swatch } from './legend.js';
import { type ChartLine, shortNames } from './settings.js';

interface Statistics {
  readonly is_exact: boolean;
  readonly first: number | null;
  readonly last: number | null;
  readonly first_sec: number | null;
  readonly last_sec: number | null;
  readonly least: number | null;
  readonly greatest: number | null;
  readonly mean: number | null;
  readonly rms: number | null;
}

type Series = Readonly<Record<string, Statistics>>;

const THINNED = 'known only of rows that are all kept, and older ones are thinned';

export function Measure({ panel }: { readonly panel: ChartPanel }) {
  const [looked, marked] = [LOOKED.value, MARKED.value];
  const { lines } = panel.settings.value;
  const isMeasured = looked !== undefined && marked !== undefined;
  const [from, to] = isMeasured ? [Math.min(looked, marked), Math.max(looked, marked)] : [0, 0];
  const { facts } = stateOf(panel);
  const measured = lines.filter((line) => facts.value.has(line.alias) && !isBand(facts.value.get(line.alias), line));
  const found = useStatistics(panel.server, measured, from, to, isMeasured);
  if (!isMeasured || measured.length === 0) return null;
  const stretch = found ?? { from, to };
  const names = shortNames(lines.map(({ alias }) => alias));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys.
    <section class="measure" aria-label="Between the cursors" tabIndex={0}>
      <table>
        <caption>
          {clockText(stretch.from, 3)} to {clockText(stretch.to, 3)}: {numberText(stretch.to - stretch.from, 5)} s
          <button type="button" class="button tiny" title="Escape" onClick={unmark}>
            Clear
          </button>
        </caption>
        <thead>
          <tr>
            {['Line', 'Change', 'Slope', 'Least', 'Mean', 'Greatest', 'RMS'].map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {measured.map((line) => (
            <tr key={line.alias}>
              <th scope="row">
                <Swatch slot={slotOf(line, lines.indexOf(line))} width={line.width} /> {names[lines.indexOf(line)]}
              </th>
              <Cells panel={panel} line={line} found={found?.series[line.alias]} />
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface CellsProps {
  readonly panel: ChartPanel;
  readonly line: ChartLine;
  readonly found: Statistics | undefined;
}

function Cells({ panel, line, found }: CellsProps) {
  const unit = unitOfLine(stateOf(panel).facts.value.get(line.alias), line.units);
  const { first = null, last = null, first_sec = null, last_sec = null } = found ?? {};
  const change = first === null || last === null ? null : last - first;
  const seconds = first_sec === null || last_sec === null ? 0 : last_sec - first_sec;
  const slope = change === null || seconds <= 0 ? null : change / seconds;
  const exact = found?.is_exact === false ? THINNED : undefined;
  const text = (value: number | null | undefined): string => (typeof value === 'number' ? numberText(value, 5) : '–');
  return (
    <>
      <td>{text(change)}</td>
      <td>
        {text(slope)} <span class="quiet">{unit === '1' ? '1/s' : `${unit}/s`}</span>
      </td>
      <td>{text(found?.least)}</td>
      <td title={exact}>{text(found?.mean)}</td>
      <td>{text(found?.greatest)}</td>
      <td title={exact}>{text(found?.rms)}</td>
    </>
  );
}

/** What the server has answered, and for which stretch: the cursors may be elsewhere by now. */
interface Answered {
  readonly from: number;
  readonly to: number;
  readonly series: Series;
}

/** What the server knows of every row between two times; asked again when its answer has come and the cursors have moved. */
function useStatistics(
  server: Server,
  lines: readonly ChartLine[],
  from: number,
  to: number,
  isAsked: boolean,
): Answered | undefined {
  const [answered, setAnswered] = useState<Answered>();
  const asking = useRef<string>();
  const keyed = useRef<string>();
  const key = JSON.stringify([from, to, lines.map(({ alias, units }) => [alias, units])]);
  useEffect(() => {
    if (!isAsked || lines.length === 0) {
      setAnswered(undefined);
      return;
    }
    if (asking.current !== undefined || (answered && keyed.current === key)) return;
    asking.current = key;
    keyed.current = key;
    const units = Object.fromEntries(lines.flatMap((line) => (line.units ? [[line.alias, line.units]] : [])));
    const aliases = lines.map(({ alias }) => alias);
    const question = { aliases, from, to, ...(Object.keys(units).length > 0 && { units }) };
    server
      .call<{ readonly series: Series }>('var/statistics', question)
      .then(
        ({ series }) => setAnswered({ from, to, series }),
        () => setAnswered({ from, to, series: {} }),
      )
      .finally(() => {
        asking.current = undefined;
      });
    // An answer draws this again, and so asks for where the cursors are then.
  }, [server, key, isAsked, answered]);
  return isAsked ? answered : undefined;
}
