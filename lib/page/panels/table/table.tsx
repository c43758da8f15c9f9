// The table of values: each row a variable, with its value, units and what it is about.

import { useState } from 'preact/hooks';
import { Splitter } from '../../widgets/splitter.js';
import { FollowsCursor } from '../form/check.js';
import { NumberField } from '../form/number-field.js';
import { usePast } from '../form/past-values.js';
import type { PanelContext, PanelKind } from '../panel.js';
import { clockText, MOST_DIGITS } from '../values/number-text.js';
import { Row } from './row.js';
import { moved, NAME_SHARES, type TableSettings, tableSettings, withRow } from './settings.js';

/** As in the style sheet. */
const USUAL_SHARE = 42;
const WIDE_SHARE = 30;
const WIDE_PIXELS = 560;

interface ViewProps {
  readonly panel: PanelContext<TableSettings>;
}

function TableView({ panel }: ViewProps) {
  const { rows, followsCursor = false } = panel.settings.value;
  const past = usePast(panel.server, rows, followsCursor);
  if (rows.length === 0) return <p class="empty">Drop variables here to see and set their values.</p>;
  return (
    <div class={`value-table ${panel.server.isStale.value ? 'stale' : ''}`}>
      <table onKeyDown={(event) => actOnRow(event, panel)}>
        <thead>
          <tr>
            <NameHead panel={panel} />
            <th scope="col" class="value-column">
              {past ? `At ${clockText(past.seconds, 3)}` : 'Value'}
            </th>
            <th scope="col" class="units-column">
              Units
            </th>
            <th scope="col" class="about-column">
              About
            </th>
            <th scope="col" class="remove-column">
              <span class="visually-hidden">Remove</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.alias} panel={panel} row={row} past={past} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The head of the names, which can be made wider. */
function NameHead({ panel }: ViewProps) {
  const [moved, setMoved] = useState<number>();
  const width = Math.max(panel.size.value.width, 1);
  const share = moved ?? panel.settings.value.nameShare;
  return (
    <th scope="col" class="name-column" style={share === undefined ? undefined : { width: `${share}%` }}>
      Variable
      <Splitter
        label="Width of the names"
        value={share ?? (width < WIDE_PIXELS ? USUAL_SHARE : WIDE_SHARE)}
        {...NAME_SHARES}
        perPixel={100 / width}
        onMove={setMoved}
        onDone={(nameShare) => {
          setMoved(undefined);
          panel.change({ nameShare });
        }}
      />
    </th>
  );
}

/** Arrows go from row to row, with alt they move the row; Delete removes it. */
function actOnRow(event: KeyboardEvent & { readonly currentTarget: HTMLElement }, panel: ViewProps['panel']): void {
  const target = event.target as HTMLElement;
  if (/^(input|select|textarea)$/i.test(target.tagName)) return;
  const row = target.closest<HTMLElement>('tr[data-alias]');
  const alias = row?.dataset.alias;
  if (!row || alias === undefined) return;
  const by = { ArrowUp: -1, ArrowDown: 1 }[event.key] as -1 | 1 | undefined;
  const { rows } = panel.settings.peek();
  if (event.key === 'Delete') panel.change({ rows: rows.filter((each) => each.alias !== alias) });
  else if (by === undefined) return;
  else if (event.altKey) panel.change({ rows: moved(rows, alias, by) });
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>('tr[data-alias]')];
  const next = all[all.indexOf(row) + (by ?? 1)] ?? all[all.indexOf(row) - 1];
  if (!event.altKey) next?.querySelector<HTMLElement>('button, select')?.focus();
  event.preventDefault();
  event.stopPropagation();
}

function TableForm({ panel }: ViewProps) {
  const setDigits = (digits: number | undefined): void => {
    if (digits !== undefined && digits >= 1 && digits <= MOST_DIGITS) panel.change({ digits: Math.trunc(digits) });
  };
  return (
    <div class="panel-form">
      <NumberField label="Significant digits" value={panel.settings.value.digits} onEnter={setDigits} />
      <FollowsCursor
        isOn={panel.settings.value.followsCursor ?? false}
        onFlip={(followsCursor) => panel.change({ followsCursor })}
      />
    </div>
  );
}

export const table: PanelKind<TableSettings> = {
  type: 'table',
  name: 'Table',
  about: 'Values of variables, to see and to set.',
  icon: 'M2 3h12v10H2zM2 6.5h12M2 10h12M7 3v10',
  size: { columns: 10, rows: 9 },
  leastSize: { columns: 4, rows: 3 },
  settings: tableSettings,
  title: ({ rows: [first, ...others] }) =>
    first ? (others.length > 0 ? `${first.alias} and ${others.length} more` : first.alias) : 'Table',
  add: withRow,
  View: TableView,
  SettingsView: TableForm,
};
