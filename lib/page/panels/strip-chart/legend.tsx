// The lines of a strip chart with their values: of the latest sample, or of the time under the cursor.
import { useComputed } from '@preact/signals';
import { UnitChooser } from '../form/unit-chooser.js';
import { happeningsOf, nearestHappening } from '../plot/happenings.js';
import { isDashedSlot, seriesVariable } from '../plot/look.js';
import { LOOKED } from '../plot/looked-at.js';
import { clockText } from '../values/number-text.js';
import { type ChartPanel, isBand, slotOf, stateOf } from './chart-state.js';
import { shownValue } from './readings.js';
import { type ChartLine, shortNames } from './settings.js';

/** What happened this near to the cursor, as a share of the time shown, is told. */
const NEAR = 0.01;

interface LegendProps {
  readonly panel: ChartPanel;
}

export function Legend({ panel }: LegendProps) {
  const { lines } = panel.settings.value;
  const names = shortNames(lines.map(({ alias }) => alias));
  return (
    <ul class="legend" aria-label="Lines">
      {lines.map((line, index) => (
        <LegendLine key={line.alias} panel={panel} line={line} index={index} name={names[index] as string} />
      ))}
      <LegendTime panel={panel} />
    </ul>
  );
}

/** The time under the cursor, and what happened there. */
function LegendTime({ panel }: LegendProps) {
  const { news, samples, window } = stateOf(panel);
  void news.value;
  const row = LOOKED.value === undefined ? undefined : samples.near(LOOKED.value);
  if (!row) return null;
  const near = nearestHappening(happeningsOf(panel.server).value, row.time, NEAR * window.value.span);
  return (
    <li class="legend-time number">
      {near && <span class="legend-mark">{near.kind === 'event' ? `event ${near.text}` : near.text}</span>}
      {clockText(row.time, 3)}
    </li>
  );
}

interface LineProps extends LegendProps {
  readonly line: ChartLine;
  readonly index: number;
  readonly name: string;
}

function LegendLine({ panel, line, index, name }: LineProps) {
  const { alias, units } = line;
  const state = stateOf(panel);
  const facts = state.facts.value.get(alias);
  const refusal = state.refusals.value.get(alias);
  const isHidden = state.hidden.value.has(alias);
  const toggle = (): void => {
    const hidden = new Set(state.hidden.peek());
    if (!hidden.delete(alias)) hidden.add(alias);
    state.hidden.value = hidden;
  };
  const changeLines = (change: (lines: readonly ChartLine[]) => readonly ChartLine[]): void =>
    panel.change({ lines: change(panel.settings.peek().lines) });
  return (
    <li class={`legend-line ${isHidden ? 'hidden-line' : ''}`} title={refusal ?? `${alias}\n${facts?.about ?? ''}`}>
      <button type="button" class="legend-name" aria-pressed={!isHidden} onClick={toggle}>
        <Swatch slot={isBand(facts, line) ? undefined : slotOf(line, index)} width={line.width} />
        {name}
      </button>
      {refusal === undefined ? (
        <output class="number" aria-live="off">
          <LegendValue key={units} panel={panel} line={line} />
        </output>
      ) : (
        <span class="refusal">{refusal}</span>
      )}
      {facts && facts.kind !== 'enumeration' && facts.kind !== 'text' && (
        <UnitChooser
          server={panel.server}
          alias={alias}
          own={facts.unit}
          units={units}
          onChoose={(chosen) =>
            changeLines((lines) => lines.map((each) => (each.alias === alias ? { ...each, units: chosen } : each)))
          }
        />
      )}
      <button
        type="button"
        class="legend-remove"
        aria-label={`Remove ${alias}`}
        title="Remove"
        onClick={() => changeLines((lines) => lines.filter((each) => each.alias !== alias))}
      >
        ×
      </button>
    </li>
  );
}

interface SwatchProps {
  /** Of the colour; undefined for a band, which has a colour for each value. */
  readonly slot: number | undefined;
  readonly width?: number | undefined;
}

/** The colour of a line, as it is drawn. */
export const Swatch = ({ slot, width = 1 }: SwatchProps) => (
  <span
    class={`swatch ${slot !== undefined && isDashedSlot(slot) ? 'dashed' : ''}`}
    style={{ '--colour': slot === undefined ? 'var(--line-strong)' : seriesVariable(slot), height: `${width + 2}px` }}
  />
);

/** A text that the browser changes without making the legend again. */
function LegendValue({ panel, line }: LegendProps & { readonly line: ChartLine }) {
  const text = useComputed(() => {
    const state = stateOf(panel);
    void state.news.value;
    void LOOKED.value;
    return shownValue(state, line, state.facts.value.get(line.alias));
  });
  return <>{text}</>;
}
