// What becomes of a recorded value that is shown in other units, scaled and moved.
import { exactConverter } from '../../model/units/index.js';
import type { Column } from '../../simulation/recording/row.js';

interface Wish {
  readonly name: string;
  readonly units?: string | undefined;
  readonly scale: number;
  readonly bias: number;
}

/**
 * The units of a column as it is shown, and how its values become that; a column without units gets those that are wanted.
 * Throws an Error with one sentence for units that do not convert.
 */
export function shownAs({ name, units, scale, bias }: Wish, column: Pick<Column, 'units'>) {
  const isPlain = column.units === '--' || column.units === '1';
  if (units === undefined || isPlain)
    return { units: units ?? column.units, convert: (value: number) => value * scale + bias };
  try {
    const { convert } = exactConverter(column.units, units);
    return { units, convert: (value: number) => convert(value) * scale + bias };
  } catch (error) {
    throw new Error(`${name}: ${(error as Error).message}`);
  }
}
