// The legend of a plot of runs: its variables, and each run with its values at the cursor.
import { UnitChooser } from '../form/unit-chooser.js';
import { isDashedSlot, seriesVariable } from '../plot/look.js';
import { LOOKED } from '../plot/looked-at.js';
import { clockText, numberText } from '../values/number-text.js';
import { baseOf, type Curve, type CurveData, nameInRuns, type Run, runLabel } from './curves.js';
import { slotOf } from './draw-runs.js';
import { largest, valueNear } from './points.js';
import { drawnOf, type RunPanel, type RunState, runStateOf } from './run-state.js';
import type { RunLine } from './settings.js';
import { STRETCH } from './stretch.js';

interface Props {
  readonly panel: RunPanel;
}

const DIGITS = 6;

export function RunLegend({ panel }: Props) {
  const state = runStateOf(panel);
  const { lines } = panel.settings.value;
  return (
    <>
      <ul class="legend" aria-label="Variables">
        {lines.map((line) => (
          <LineOfRuns key={line.alias} panel={panel} line={line} />
        ))}
        <LegendTime state={state} />
      </ul>
      <ul class="legend" aria-label="Runs">
        {state.runs.value.map((run, index) => (
          <LineOfRun key={run.run} panel={panel} state={state} run={run} index={index} />
        ))}
        <Others state={state} />
        {panel.settings.value.only === undefined && state.all.value.length > state.runs.value.length && (
          <li class="legend-time">and {state.all.value.length - state.runs.value.length} more runs</li>
        )}
      </ul>
    </>
  );
}

function LineOfRuns({ panel, line }: Props & { readonly line: RunLine }) {
  const state = runStateOf(panel);
  const runs = state.all.value;
  const index = panel.settings.value.lines.indexOf(line);
  const own = state.whole.value.curves.findIndex((curve) => curve.line === index);
  const unit = state.whole.value.data[own]?.units;
  const change = (of: (lines: readonly RunLine[]) => readonly RunLine[]): void =>
    panel.change({ lines: of(panel.settings.peek().lines) });
  return (
    <li class="legend-line">
      <span class="legend-name">{line.label ?? nameInRuns(line.alias, runs) ?? line.alias}</span>
      {unit !== undefined && !line.alias.startsWith('=') && (
        <UnitChooser
          server={panel.server}
          alias={line.alias}
          own={unit}
          units={line.units}
          onChoose={(units) => change((all) => all.map((each) => (each === line ? { ...each, units } : each)))}
        />
      )}
      <button
        type="button"
        class="legend-remove"
        aria-label={`Remove ${line.alias}`}
        title="Remove"
        onClick={() => change((all) => all.filter((each) => each !== line))}
      >
        ×
      </button>
    </li>
  );
}

function LegendTime({ state }: { readonly state: RunState }) {
  const at = state.pointed.value;
  if (at)
    return (
      <li class="legend-time number">
        {state.whole.value.curves[at.trajectory]?.label}: ({numberText(at.x)}, {numberText(at.y)}) at{' '}
        {clockText(at.time, 3)}
      </li>
    );
  return LOOKED.value === undefined ? null : <li class="legend-time number">{clockText(LOOKED.value, 3)}</li>;
}

interface RunProps extends Props {
  readonly state: RunState;
  readonly run: Run;
  readonly index: number;
}

function LineOfRun({ panel, state, run, index }: RunProps) {
  const { isHidden = false, shiftSeconds = 0 } = panel.runs.value[run.run] ?? {};
  const { isDifference, base } = panel.settings.value;
  const isBase = isDifference && baseOf(state.runs.value, base) === run;
  const { curves, data } = drawnOf(state, STRETCH.value);
  const own = curves.flatMap((curve, k) => (curve.run === index ? [{ curve, data: data[k] }] : []));
  const isOne = state.runs.value.length === 1;
  return (
    <li class={`legend-line ${isHidden ? 'hidden-line' : ''}`} title={run.label}>
      <button
        type="button"
        class="legend-name"
        aria-pressed={!isHidden}
        onClick={() => panel.changeRun(run.run, { isHidden: !isHidden })}
      >
        {!isOne && !isBase && <RunSwatch slot={index} />}
        {runLabel(run, state.runs.value)}
        {shiftSeconds !== 0 && <span class="quiet"> {shiftText(shiftSeconds)}</span>}
        {isBase && <span class="quiet"> is the base</span>}
      </button>
      {own.map(({ curve, data: found }) => (
        <CurveReading
          key={curve.line}
          {...{ curve, data: found, runs: state.runs.value.length, state }}
          colour={panel.settings.value.lines[curve.line]?.colour}
        />
      ))}
    </li>
  );
}

/** Curves over several runs at once. */
function Others({ state }: { readonly state: RunState }) {
  const { curves, data } = drawnOf(state, STRETCH.value);
  return (
    <>
      {curves.map(
        (curve, k) =>
          curve.run === undefined && (
            <li class="legend-line" key={curve.label}>
              <span class="legend-name">{curve.label}</span>
              <CurveReading {...{ curve, data: data[k], runs: state.runs.value.length, state, colour: undefined }} />
            </li>
          ),
      )}
    </>
  );
}

const shiftText = (seconds: number): string => `${seconds > 0 ? '+' : '−'}${numberText(Math.abs(seconds))} s`;

interface ReadingProps {
  readonly curve: Curve;
  readonly data: CurveData | undefined;
  readonly runs: number;
  readonly state: RunState;
  /** Of its own. */
  readonly colour: string | undefined;
}

/** The value at the cursor; of a difference without a cursor the greatest. */
function CurveReading({ curve, data, runs, state, colour }: ReadingProps) {
  if (data?.problem !== undefined) return <span class="refusal">{data.problem}</span>;
  const seconds = LOOKED.value ?? state.reach.value[1];
  const isGreatest = curve.term.minus !== undefined && LOOKED.value === undefined;
  const most = isGreatest && data ? largest(data) : undefined;
  const value = isGreatest ? most?.value : data && valueNear(data, seconds);
  const text = value === undefined || Number.isNaN(value) ? '–' : numberText(value, DIGITS);
  const slot = slotOf(curve, runs);
  return (
    <>
      {(runs === 1 || curve.run === undefined) && <RunSwatch slot={slot} colour={colour} />}
      <output class="number" aria-live="off" title={curve.label}>
        {most ? `up to ${text} at ${clockText(most.seconds, 3)}` : text}
      </output>
    </>
  );
}

const RunSwatch = ({ slot, colour }: { readonly slot: number; readonly colour?: string | undefined }) => (
  <span
    class={`swatch ${isDashedSlot(slot) ? 'dashed' : ''}`}
    style={{ '--colour': colour ?? seriesVariable(slot), height: '3px' }}
  />
);
