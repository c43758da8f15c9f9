// Any value of a variable as one line of text: words for enumerations and switches, short lists for arrays.
import { DEFAULT_DIGITS, numberText } from './number-text.js';

/** A value as JSON carries it; NaN and the infinities are numbers or their JavaScript names. */
export type PanelValue =
  | null
  | boolean
  | number
  | string
  | readonly PanelValue[]
  | { readonly [name: string]: PanelValue };

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
export function valueText(value: PanelValue | undefined, kind: ValueKind, digits: number = DEFAULT_DIGITS): string {
  if (value === null || value === undefined) return '–';
  if (Array.isArray(value)) return listText(value as readonly PanelValue[], kind, digits);
  if (typeof value === 'object') return structText(value as Readonly<Record<string, PanelValue>>, digits);
  if (kind.kind === 'enumeration') return labelText(value, kind.labels ?? {});
  if (isSwitch(kind)) return Number(value) === 0 ? 'off' : 'on';
  if (typeof value === 'number') return numberText(value, digits);
  if (kind.kind === 'text') return String(value);
  return nonFinite(value) ?? String(value).replace(/^-/, '−');
}

const nonFinite = (value: boolean | string): string | undefined =>
  value === 'NaN' || value === 'Infinity' || value === '-Infinity' ? numberText(Number(value)) : undefined;

function listText(values: readonly PanelValue[], kind: ValueKind, digits: number): string {
  const shown = values.slice(0, MOST_ELEMENTS).map((value) => valueText(value, kind, digits));
  const rest = values.length > MOST_ELEMENTS ? `, … ${values.length} in all` : '';
  return `[${shown.join(', ')}${rest}]`;
}

/** Members have kinds of their own, which are not known here. */
function structText(value: Readonly<Record<string, PanelValue>>, digits: number): string {
  const kind: ValueKind = { kind: 'text', type_path: '' };
  const members = Object.entries(value).slice(0, MOST_ELEMENTS);
  const rest = Object.keys(value).length > MOST_ELEMENTS ? ', …' : '';
  return `{${members.map(([name, member]) => `${name}: ${valueText(member, kind, digits)}`).join(', ')}${rest}}`;
}

/** A number that has no label is shown as it is. */
function labelText(value: boolean | number | string, labels: Readonly<Record<string, number>>): string {
  if (typeof value === 'string') return value;
  const found = Object.entries(labels).find(([, number]) => number === Number(value));
  return found ? found[0] : numberText(Number(value));
}

/** A value as a number that can be drawn; NaN if it is none. */
export function plottable(value: PanelValue | undefined): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
}
