// The form behind a strip chart's gear: the time it shows, the look of its lines, the ends of its axes, thresholds.
import { Check } from '../form/check.js';
import { NumberField } from '../form/number-field.js';
import { LONGEST_SPAN, SHORTEST_SPAN } from '../plot/time-window.js';
import { axisTitle, valueAxes } from '../plot/value-axes.js';
import { axisOf, type ChartPanel, showTime, stateOf } from './chart-state.js';
import { LineForm } from './line-form.js';
import type { Threshold } from './settings.js';

interface FormProps {
  readonly panel: ChartPanel;
}

export function StripChartForm({ panel }: FormProps) {
  const { span } = panel.settings.value;
  const setSpan = (seconds: number | undefined): void => {
    if (seconds === undefined) return;
    panel.change({ span: seconds });
    showTime(panel, { span: seconds });
  };
  return (
    <div class="panel-form">
      <NumberField label="Seconds shown" value={span} least={SHORTEST_SPAN} most={LONGEST_SPAN} onEnter={setSpan} />
      <LineForm panel={panel} />
      <Axes panel={panel} />
      <Thresholds panel={panel} />
    </div>
  );
}

function unitsOf(panel: ChartPanel): string[] {
  const { facts } = stateOf(panel);
  const { lines } = panel.settings.value;
  const units = lines.map((line) => axisOf(facts.value.get(line.alias), line));
  return valueAxes(units).map(({ unit }) => unit);
}

const titleOf = (unit: string): string => axisTitle({ unit }) || 'no unit';

function Axes({ panel }: FormProps) {
  const { ranges } = panel.settings.value;
  const change = (unit: string, end: 'min' | 'max', value: number | undefined): void =>
    panel.change({ ranges: { ...ranges, [unit]: { ...ranges[unit], [end]: value } } });
  return (
    <>
      {unitsOf(panel).map((unit) => (
        <fieldset key={unit}>
          <legend>Axis in {titleOf(unit)}</legend>
          <NumberField
            label="From"
            placeholder="auto"
            value={ranges[unit]?.min}
            onEnter={(value) => change(unit, 'min', value)}
          />
          <NumberField
            label="To"
            placeholder="auto"
            value={ranges[unit]?.max}
            onEnter={(value) => change(unit, 'max', value)}
          />
          <Check
            label="Logarithmic"
            isOn={ranges[unit]?.isLogarithmic ?? false}
            onFlip={(isLogarithmic) =>
              panel.change({ ranges: { ...ranges, [unit]: { ...ranges[unit], isLogarithmic } } })
            }
          />
        </fieldset>
      ))}
    </>
  );
}

function Thresholds({ panel }: FormProps) {
  const { thresholds } = panel.settings.value;
  const units = unitsOf(panel);
  const replace = (index: number, threshold?: Threshold): void =>
    panel.change({ thresholds: thresholds.flatMap((each, k) => (k === index ? (threshold ?? []) : each)) });
  const add = (): void =>
    panel.change({ thresholds: [...thresholds, { value: 0, unit: units[0] ?? '1', level: 'warning' }] });
  return (
    <fieldset>
      <legend>Thresholds</legend>
      {thresholds.map((threshold, index) => (
        <div class="threshold" key={index}>
          <NumberField
            label="Value"
            value={threshold.value}
            onEnter={(value) => replace(index, value === undefined ? undefined : { ...threshold, value })}
          />
          <select
            class="field"
            aria-label="Axis"
            value={threshold.unit}
            onChange={({ currentTarget }) => replace(index, { ...threshold, unit: currentTarget.value })}
          >
            {units.map((unit) => (
              <option key={unit} value={unit}>
                {titleOf(unit)}
              </option>
            ))}
          </select>
          <select
            class="field"
            aria-label="Level"
            value={threshold.level}
            onChange={({ currentTarget }) =>
              replace(index, { ...threshold, level: currentTarget.value === 'alarm' ? 'alarm' : 'warning' })
            }
          >
            <option value="warning">warning</option>
            <option value="alarm">alarm</option>
          </select>
          <button type="button" class="button icon" aria-label="Remove the threshold" onClick={() => replace(index)}>
            ×
          </button>
        </div>
      ))}
      <button type="button" class="button" onClick={add}>
        Add a threshold
      </button>
    </fieldset>
  );
}
