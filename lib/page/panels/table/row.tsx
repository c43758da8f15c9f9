// One row of a table; an array opens into a grid of its elements.
import { useState } from 'preact/hooks';
import type { Value, VariableFacts } from '../../data/server.js';
import { focusNeighbour } from '../../widgets/neighbour.js';
import { LiveValue } from '../form/live-value.js';
import type { PastValues } from '../form/past-values.js';
import { pastState, sharedState } from '../form/shared-limits.js';
import { UnitChooser } from '../form/unit-chooser.js';
import { useFacts } from '../form/use-facts.js';
import type { PanelContext } from '../panel.js';
import { gridRows, MOST_CELLS } from '../values/array-grid.js';
import { isList, valueText } from '../values/value-text.js';
import type { TableRow, TableSettings } from './settings.js';

interface RowProps {
  readonly panel: PanelContext<TableSettings>;
  readonly row: TableRow;
  /** Shown instead of the values of now. */
  readonly past: PastValues | undefined;
}

export function Row({ panel, row: { alias, units }, past }: RowProps) {
  const { server } = panel;
  const facts = useFacts(server, alias);
  const [isOpen, setOpen] = useState(false);
  const options = units === undefined ? {} : { units };
  const refusal = server.refusal(alias, options).value;
  const now = server.reading(alias, options).value?.value;
  const value = past ? (past.values.get(alias) ?? null) : now;
  const state = past ? pastState(panel, alias, units, value ?? null) : sharedState(panel, alias);
  const { rows, digits } = panel.settings.value;
  const choose = (chosen: string | undefined): void =>
    panel.change({ rows: rows.map((row) => (row.alias === alias ? { alias, units: chosen } : row)) });
  const shown = { server, alias, units, digits, value };
  return (
    <>
      <tr data-alias={alias}>
        <th scope="row" title={facts ? `${alias}\n${facts.type_path}${facts.about ? `\n${facts.about}` : ''}` : alias}>
          <Name alias={alias} />
        </th>
        <td class={`value-column ${state}`} title={state === 'normal' ? undefined : state}>
          {refusal !== undefined ? (
            <span class="fault">{refusal}</span>
          ) : facts && isList(value) ? (
            <ListSummary {...shown} facts={facts} isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />
          ) : facts && past ? (
            <output class="live-value number past">{valueText(value, facts, digits)}</output>
          ) : facts ? (
            <LiveValue {...shown} facts={facts} />
          ) : (
            '–'
          )}
        </td>
        <td>
          {facts && facts.kind !== 'enumeration' && facts.kind !== 'text' && facts.kind !== 'struct' && (
            <UnitChooser server={server} alias={alias} own={facts.unit} units={units} onChoose={choose} />
          )}
        </td>
        <td class="about-column">{facts?.about}</td>
        <td>
          <button
            type="button"
            class="row-remove"
            aria-label={`Remove ${alias}`}
            title="Remove (Delete)"
            onClick={({ currentTarget }) => {
              focusNeighbour(currentTarget, '.row-remove');
              panel.change({ rows: rows.filter((row) => row.alias !== alias) });
            }}
          >
            ×
          </button>
        </td>
      </tr>
      {isOpen && facts && isList(value) && (
        <tr class="grid-row">
          <td colSpan={5}>
            <Elements {...shown} facts={facts} value={value} />
          </td>
        </tr>
      )}
    </>
  );
}

/**
 * Shows the object and its structures in quiet ink, so that the eye finds the last part; a long path is cut at its
 * beginning.
 */
function Name({ alias }: { readonly alias: string }) {
  const cut = alias.startsWith('=') ? 0 : alias.lastIndexOf('.') + 1;
  return (
    <span class="path">
      {cut > 0 && (
        <span class="path-head">
          <bdi>{alias.slice(0, cut)}</bdi>
        </span>
      )}
      <span class="path-tail">{alias.slice(cut)}</span>
    </span>
  );
}

interface ShownProps {
  readonly server: PanelContext['server'];
  readonly alias: string;
  readonly units: string | undefined;
  readonly digits: number;
  readonly value: Value | undefined;
  readonly facts: VariableFacts;
}

type SummaryProps = ShownProps & { readonly isOpen: boolean; onToggle(): void };

function ListSummary({ alias, value, facts, digits, isOpen, onToggle }: SummaryProps) {
  const text = valueText(value, facts, Math.min(digits, 4));
  return (
    <button
      type="button"
      class="live-value settable number"
      aria-expanded={isOpen}
      aria-label={`${alias}: ${text}; its elements`}
      onClick={onToggle}
    >
      <span class="list-text">{text}</span>
      <span class="twist" aria-hidden="true">
        {isOpen ? '▾' : '▸'}
      </span>
    </button>
  );
}

function Elements({ value, facts, alias, ...rest }: ShownProps) {
  const grid = gridRows(value as Value, facts.dim);
  const isCut = isList(value) && grid.flat().length >= MOST_CELLS;
  const isColumn = grid.every((cells) => cells.length === 1);
  return (
    <div class={`elements ${isColumn ? 'vector' : ''}`}>
      {grid.map((cells) => (
        <div class="elements-row" key={cells[0]?.index}>
          {cells.map(({ index, value: element }) => (
            <div class="element" key={index}>
              <span class="element-index">{index}</span>
              <LiveValue {...rest} facts={facts} alias={`${alias}${index}`} value={element} />
            </div>
          ))}
        </div>
      ))}
      {isCut && <p class="note">The first {MOST_CELLS} elements; others by their own names.</p>}
    </div>
  );
}
