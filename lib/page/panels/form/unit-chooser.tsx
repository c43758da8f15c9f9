// The units in which a value is shown: those that its own convert to, asked of the server when a person looks for them.
import { useState } from 'preact/hooks';
import type { Server } from '../../data/server.js';

interface Units {
  readonly unit: string;
  readonly common: readonly string[];
}

export interface UnitChooserProps {
  readonly server: Server;
  readonly alias: string;
  /** The variable's own units. */
  readonly own: string;
  /** The chosen ones; undefined for its own. */
  readonly units: string | undefined;
  onChoose(units: string | undefined): void;
}

const hasUnits = (unit: string): boolean => unit !== '' && unit !== '--';

export function UnitChooser({ server, alias, own, units, onChoose }: UnitChooserProps) {
  const [common, setCommon] = useState<readonly string[]>();
  if (!hasUnits(own)) return null;
  const ask = (): void => {
    if (common !== undefined) return;
    server.call<Units>('var/units', { alias }).then(
      (answer) => setCommon(answer.common),
      () => setCommon([]),
    );
  };
  const chosen = units ?? own;
  const offered = [...new Set([own, chosen, ...(common ?? [])])];
  return (
    <select
      class="unit-chooser"
      aria-label={`Units of ${alias}`}
      title={`Units of ${alias}`}
      value={chosen}
      onFocus={ask}
      onPointerEnter={ask}
      onChange={({ currentTarget }) => onChoose(currentTarget.value === own ? undefined : currentTarget.value)}
    >
      {offered.map((unit) => (
        <option key={unit} value={unit}>
          {unit === '1' ? '–' : unit}
        </option>
      ))}
    </select>
  );
}
