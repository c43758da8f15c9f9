// The panel with one value, large.
import { useEffect, useState } from 'preact/hooks';
import type { VariableFacts } from '../../data/server.js';
import type { PanelContext, PanelKind } from '../panel.js';
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
  const { units, digits } = panel.settings.value;
  const [facts, setFacts] = useState<VariableFacts>();
  useEffect(() => {
    server.facts(alias).then(setFacts, () => setFacts(undefined));
  }, [server, alias]);
  const options = units === undefined ? {} : { units };
  const refusal = server.refusal(alias, options).value;
  if (refusal !== undefined) return <p class="empty error">{refusal}</p>;
  const value = server.reading(alias, options).value?.value;
  return (
    <div class={`single-value ${server.isStale.value ? 'stale' : ''}`}>
      <output class="number" aria-live="off">
        {typeof value === 'number' ? String(Number(value.toPrecision(digits))) : String(value ?? '–')}
      </output>
      <span class="unit">{units ?? (facts?.unit === '1' ? '' : facts?.unit)}</span>
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
};
