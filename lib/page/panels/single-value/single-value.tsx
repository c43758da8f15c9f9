// The panel with one value, large; limits colour it.
import { useState } from 'preact/hooks';
import { FollowsCursor } from '../form/check.js';
import { NumberField } from '../form/number-field.js';
import { usePast } from '../form/past-values.js';
import { pastState, sharedState, worse } from '../form/shared-limits.js';
import { UnitChooser } from '../form/unit-chooser.js';
import { useFacts } from '../form/use-facts.js';
import type { PanelContext, PanelKind } from '../panel.js';
import { LIMIT_NAMES, type Limits, limitState, limitsFault } from '../values/limits.js';
import { clockText, MOST_DIGITS } from '../values/number-text.js';
import { isSwitch, plottable, valueText } from '../values/value-text.js';
import { type SingleValueSettings, singleValueSettings, withVariable } from './settings.js';

interface ViewProps {
  readonly panel: PanelContext<SingleValueSettings>;
}

function SingleValueView({ panel }: ViewProps) {
  const { alias } = panel.settings.value;
  if (alias === undefined) return <p class="empty">Drop a variable here, or choose one with Enter in the tree.</p>;
  return <OneValue key={alias} panel={panel} alias={alias} />;
}

function OneValue({ panel, alias }: ViewProps & { readonly alias: string }) {
  const { server } = panel;
  const { units, digits, limits, followsCursor = false } = panel.settings.value;
  const facts = useFacts(server, alias);
  const options = units === undefined ? {} : { units };
  const refusal = server.refusal(alias, options).value;
  const past = usePast(server, [{ alias, units }], followsCursor);
  const now = server.reading(alias, options).value?.value;
  const value = past ? (past.values.get(alias) ?? null) : now;
  if (refusal !== undefined) return <p class="empty error">{refusal}</p>;
  const text = facts ? valueText(value, facts, digits) : '–';
  const own = value === undefined ? 'normal' : limitState(plottable(value), limits);
  const shared = past ? pastState(panel, alias, units, value ?? null) : sharedState(panel, alias);
  const state = worse(own, shared);
  const hasUnits = facts && facts.kind === 'number' && !isSwitch(facts);
  return (
    <div class={`single-value ${state} ${server.isStale.value ? 'stale' : ''}`} title={facts?.about}>
      <output class={`number ${text.length > 12 ? 'long' : ''}`} aria-live="off">
        {text}
      </output>
      {hasUnits && (
        <UnitChooser
          server={server}
          alias={alias}
          own={facts.unit}
          units={units}
          onChoose={(chosen) => panel.change({ units: chosen })}
        />
      )}
      {past && <span class="single-time number">at {clockText(past.seconds, 3)}</span>}
      {state !== 'normal' && (
        <span class="limit-word" role="status">
          {state}
        </span>
      )}
    </div>
  );
}

function SingleValueForm({ panel }: ViewProps) {
  const { digits, limits, followsCursor = false } = panel.settings.value;
  const [fault, setFault] = useState<string>();
  const setLimit = (name: keyof Limits, value: number | undefined): void => {
    const changed = { ...limits, [name]: value };
    const found = limitsFault(changed);
    setFault(found);
    if (found === undefined) panel.change({ limits: changed });
  };
  return (
    <div class="panel-form">
      <NumberField
        label="Significant digits"
        value={digits}
        onEnter={(entered) =>
          entered !== undefined &&
          entered >= 1 &&
          entered <= MOST_DIGITS &&
          panel.change({ digits: Math.trunc(entered) })
        }
      />
      <FollowsCursor isOn={followsCursor} onFlip={(isOn) => panel.change({ followsCursor: isOn })} />
      <fieldset>
        <legend>Limits</legend>
        {LIMIT_NAMES.map(([name, label]) => (
          <NumberField key={name} label={label} value={limits[name]} onEnter={(value) => setLimit(name, value)} />
        ))}
        {fault !== undefined && (
          <p class="fault" role="alert">
            {fault}
          </p>
        )}
      </fieldset>
    </div>
  );
}

export const singleValue: PanelKind<SingleValueSettings> = {
  type: 'single-value',
  name: 'Single value',
  about: 'One value, large, with limits in colour.',
  icon: 'M5 5l2-1.5v9M10 8.5a2 2.5 0 1 1 0 .01',
  size: { columns: 6, rows: 4 },
  leastSize: { columns: 3, rows: 2 },
  settings: singleValueSettings,
  title: ({ alias }) => alias ?? 'Single value',
  add: (_, variable) => withVariable(variable),
  View: SingleValueView,
  SettingsView: SingleValueForm,
};
