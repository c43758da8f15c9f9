// The types of the columns of a text: by the .header file beside it, else by what stands in the cells.
import { readFileSync, statSync } from 'node:fs';
import { type LeafType, NUMBER_FACTS, type NumberName } from '../../model/state/type.js';
import { numberOf } from './csv-cells.js';

export const DOUBLE: LeafType = { kind: 'number', name: 'double' };
const LONGEST_TEXT_BYTES = 256;
const LARGEST_HEADER_BYTES = 16 * 1024 * 1024;
const INTEGER = /^[+-]?\d+$/;

/** What the cells of a column are. */
export class CellCounts {
  /** Cells with text that is no number. */
  words = 0;
  private numbers = 0;
  private bools = 0;
  private empty = 0;
  private hasFraction = false;
  /** The least and the greatest of integers that a double does not hold exactly. */
  private least = 0n;
  private greatest = 0n;
  private longest = 1;

  /** Returns the number in a cell, NaN for none. */
  add(cell: string, isDecimalComma: boolean): number {
    const number = numberOf(cell, isDecimalComma);
    if (cell === '') this.empty++;
    else if (number === undefined) {
      this.words++;
      this.longest = Math.max(this.longest, Buffer.byteLength(cell));
    } else {
      this.numbers++;
      if (cell === 'true' || cell === 'false') this.bools++;
      if (!Number.isInteger(number)) this.hasFraction = true;
      else if (!Number.isSafeInteger(number) && INTEGER.test(cell)) this.addLarge(BigInt(cell));
    }
    return number ?? Number.NaN;
  }

  get type(): LeafType {
    if (this.words > this.numbers)
      return { kind: 'text', form: 'string', capacityBytes: Math.min(this.longest, LONGEST_TEXT_BYTES) };
    if (this.words + this.empty > 0 || this.hasFraction) return DOUBLE;
    if (this.bools > 0 && this.bools === this.numbers) return { kind: 'number', name: 'bool' };
    const { least, greatest } = this;
    if (least === greatest) return DOUBLE;
    if (BigInt.asIntN(64, least) === least && BigInt.asIntN(64, greatest) === greatest)
      return { kind: 'number', name: 'long long' };
    const isUnsigned = least === 0n && BigInt.asUintN(64, greatest) === greatest;
    return isUnsigned ? { kind: 'number', name: 'unsigned long long' } : DOUBLE;
  }

  private addLarge(value: bigint): void {
    if (value < this.least) this.least = value;
    if (value > this.greatest) this.greatest = value;
  }
}

/** The types that the .header file beside a recording of Trick has, by name. */
export function headerTypes(path: string): ReadonlyMap<string, LeafType> {
  const file = path.replace(/\.\w+$/, '.header');
  const status = file === path ? undefined : statSync(file, { throwIfNoEntry: false });
  if (!status?.isFile() || status.size > LARGEST_HEADER_BYTES) return new Map();
  const lines = readFileSync(file, 'utf8').split('\n');
  return new Map(
    lines.flatMap((line): [string, LeafType][] => {
      const [, cName = '', , variable = ''] = line.split('\t');
      const name = cName.replaceAll('_', ' ');
      if (!Object.hasOwn(NUMBER_FACTS, name)) return [];
      return [[variable, name === 'double' ? DOUBLE : { kind: 'number', name: name as NumberName }]];
    }),
  );
}

/** The value of a cell for a type; NaN or 0 when it has none. */
export function valueIn(cell: string, type: LeafType, isDecimalComma: boolean): number | bigint | string {
  if (type.kind === 'text') return fitting(cell, type.capacityBytes);
  if (type.kind === 'number' && type.name === 'char' && cell.length < 2) return characterIn(cell);
  const { family } = NUMBER_FACTS[type.kind === 'number' ? type.name : 'int'];
  if (family === 'big integer' && INTEGER.test(cell)) return BigInt(cell);
  const number = numberOf(cell, isDecimalComma) ?? (family === 'floating' ? Number.NaN : characterIn(cell));
  return family === 'floating' ? number : Math.trunc(number) || 0;
}

/** Trick writes a char as the character itself. */
const characterIn = (cell: string): number => (cell.length === 1 ? (cell.charCodeAt(0) << 24) >> 24 : 0);

function fitting(text: string, capacityBytes: number): string {
  let kept = text.slice(0, capacityBytes);
  while (Buffer.byteLength(kept) > capacityBytes) kept = kept.slice(0, -1);
  return kept;
}
