// How a line of a strip chart looks: its colour, its width, an axis of its own.
import { useState } from 'preact/hooks';
import { Check } from '../form/check.js';
import { isSwitch } from '../values/value-text.js';
import { type ChartPanel, slotOf, stateOf } from './chart-state.js';
import { Swatch } from './legend.js';
import { type ChartLine, MOST_LINES, shortNames, WIDTHS } from './settings.js';

export function LineForm({ panel }: { readonly panel: ChartPanel }) {
  const [chosen, choose] = useState(0);
  const { lines } = panel.settings.value;
  const index = Math.min(chosen, lines.length - 1);
  const line = lines[index];
  if (!line) return null;
  const names = shortNames(lines.map(({ alias }) => alias));
  const facts = stateOf(panel).facts.value.get(line.alias);
  const change = (part: Partial<ChartLine>): void =>
    panel.change({ lines: lines.map((each, k) => (k === index ? { ...each, ...part } : each)) });
  const mayBeBand = facts?.kind === 'enumeration' || (facts && isSwitch(facts));
  return (
    <fieldset>
      <legend>Look of a line</legend>
      <select
        class="field"
        aria-label="Line"
        value={String(index)}
        onChange={({ currentTarget }) => choose(Number(currentTarget.value))}
      >
        {names.map((name, k) => (
          <option key={name} value={String(k)}>
            {name}
          </option>
        ))}
      </select>
      <label class="labelled">
        Width
        <select
          class="field"
          value={String(line.width ?? 1)}
          onChange={({ currentTarget }) => change({ width: Number(currentTarget.value) })}
        >
          {WIDTHS.map((width) => (
            <option key={width} value={String(width)}>
              {width}
            </option>
          ))}
        </select>
      </label>
      <Check label="Axis of its own" isOn={line.hasOwnAxis ?? false} onFlip={(hasOwnAxis) => change({ hasOwnAxis })} />
      {mayBeBand && (
        <Check label="Line, not a band" isOn={line.isLine ?? false} onFlip={(isLine) => change({ isLine })} />
      )}
      <Colours slot={slotOf(line, index)} name={`${panel.id}-colour`} onChoose={(colour) => change({ colour })} />
    </fieldset>
  );
}

interface ColoursProps {
  readonly slot: number;
  readonly name: string;
  onChoose(slot: number): void;
}

const Colours = ({ slot, name, onChoose }: ColoursProps) => (
  <div class="colours" role="radiogroup" aria-label="Colour">
    {Array.from({ length: MOST_LINES }, (_, k) => (
      <label key={k} class="colour">
        <input
          type="radio"
          name={name}
          aria-label={`Colour ${k + 1}`}
          checked={slot === k}
          onChange={() => onChoose(k)}
        />
        <Swatch slot={k} width={3} />
      </label>
    ))}
  </div>
);
