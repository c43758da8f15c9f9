// Any value of a variable as one line of text: words for enumerations and switches, short lists for arrays.
import type { Json, Value } from '../../data/server.js';
import { DEFAULT_DIGITS, numberText } from './number-text.js';

/** What one element of a variable is, as var/describe says it. */
export interface ValueKind {
  readonly kind: 'number' | 'bits' | 'enumeration' | 'text' | 'struct';
  /** The C name: double, bool, unsigned int. */
  readonly type_path: string;
  readonly labels?: Readonly<Record<string, number>> | undefined;
}

export const isSwitch = ({ kind, type_path }: ValueKind): boolean => kind === 'number' && /^_?bool$/i.test(type_path);

/** Elements of an array that are written out in one line. */
const MOST_ELEMENTS = 6;

/** A value in one line. What cannot be reached at the moment is a dash. */
export function valueText(value: Value | undefined, kind: ValueKind, digits: number = DEFAULT_DIGITS): string {
  if (value === null || value === undefined) return '–';
  if (isList(value)) return listText(value, kind, digits);
  if (typeof value === 'object') return structText(value, digits);
  if (kind.kind === 'text') return String(value);
  if (kind.kind === 'enumeration') return labelText(value, kind.labels ?? {});
  if (isSwitch(kind)) return Number(value) === 0 ? 'off' : 'on';
  if (typeof value === 'number') return numberText(value, digits);
  return nonFinite(value) ?? String(value).replace(/^-/, '−');
}

export type List = Exclude<Extract<Value, { readonly length: number }>, string>;

export const isList = (value: Value | undefined): value is List =>
  Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));

const nonFinite = (value: Value): string | undefined =>
  value === 'NaN' || value === 'Infinity' || value === '-Infinity' ? numberText(Number(value)) : undefined;

function listText(values: List, kind: ValueKind, digits: number): string {
  const first = Array.from({ length: Math.min(values.length, MOST_ELEMENTS) }, (_, k) => values[k] as Value);
  const shown = first.map((value) => valueText(value, kind, digits));
  const rest = values.length > MOST_ELEMENTS ? `, … ${values.length} in all` : '';
  return `[${shown.join(', ')}${rest}]`;
}

/** The kinds of members are not known here, so each is written by what its value looks like. */
function structText(value: { readonly [name: string]: Json }, digits: number): string {
  const kind: ValueKind = { kind: 'struct', type_path: '' };
  const members = Object.entries(value).slice(0, MOST_ELEMENTS);
  const rest = Object.keys(value).length > MOST_ELEMENTS ? ', …' : '';
  return `{${members.map(([name, member]) => `${name}: ${valueText(member, kind, digits)}`).join(', ')}${rest}}`;
}

/** A number that has no label is shown as it is. */
function labelText(value: Value, labels: Readonly<Record<string, number>>): string {
  if (typeof value === 'string') return value;
  const found = Object.entries(labels).find(([, number]) => number === Number(value));
  return found ? found[0] : numberText(Number(value));
}

/** A value as a number that can be drawn; NaN if it is none. */
export function plottable(value: Value | undefined): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'bigint') return Number(value);
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
}
