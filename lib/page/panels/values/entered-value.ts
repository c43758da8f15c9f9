// What a person types into an editor, as a value to set: numbers with steps, labels, switches, lists.
import type { Json } from '../../data/server.js';
import { isSwitch, type ValueKind } from './value-text.js';

export type Entered = { readonly value: Json } | { readonly fault: string };

const NON_FINITE = /^([-+−]?)(inf(?:inity)?|∞)$/i;

/** The value that a text means for one element, or one sentence that says why it means none. */
export function enteredValue(text: string, kind: ValueKind): Entered {
  if (kind.kind === 'text') return { value: text };
  if (kind.kind === 'struct') return { fault: 'a structure is set by its members' };
  const trimmed = text.trim();
  if (trimmed === '') return { fault: 'expected a value' };
  if (kind.kind === 'enumeration') return enteredLabel(trimmed, kind.labels ?? {});
  return isSwitch(kind) ? enteredSwitch(trimmed) : enteredNumber(trimmed, !/^(double|float)$/.test(kind.type_path));
}

function enteredLabel(text: string, labels: Readonly<Record<string, number>>): Entered {
  if (Object.hasOwn(labels, text)) return { value: text };
  const same = Object.keys(labels).find((label) => label.toLowerCase() === text.toLowerCase());
  if (same) return { value: same };
  if (/^[+-]?\d+$/.test(text)) return { value: Number(text) };
  return { fault: `${text} is none of ${Object.keys(labels).join(', ')}` };
}

function enteredSwitch(text: string): Entered {
  if (/^(1|on|true|yes)$/i.test(text)) return { value: true };
  if (/^(0|off|false|no)$/i.test(text)) return { value: false };
  return { fault: `${text} is neither on nor off` };
}

/** Integers beyond 2^53 stay text, as the server takes them; a comma or a blank is no decimal point. */
function enteredNumber(typed: string, isWhole = false): Entered {
  const text = typed.replace(/^−/, '-').replace(/e−/i, 'e-');
  const infinite = NON_FINITE.exec(text);
  if (infinite) return { value: infinite[1] === '-' ? '-Infinity' : 'Infinity' };
  if (/^nan$/i.test(text)) return { value: 'NaN' };
  const isInteger = /^[+-]?(\d+|0x[0-9a-f]+)$/i.test(text);
  if (!isInteger && !/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) return { fault: `${typed} is not a number` };
  const value = isInteger ? integer(text, isWhole) : Number(text);
  return Number.isFinite(Number(value)) ? { value } : { fault: `${typed} is larger than a double can be` };
}

function integer(text: string, isWhole: boolean): number | string {
  const size = BigInt(text.replace(/^[+-]/, ''));
  const isNegative = text.startsWith('-');
  if (isWhole && size > Number.MAX_SAFE_INTEGER) return `${isNegative ? '-' : ''}${size}`;
  return isNegative ? -Number(size) : Number(size);
}

/** How far an arrow key moves a number: one of its last written digit. */
export function stepOf(text: string): number {
  const [, , fraction = '', exponent = '0'] = /^[-+−]?(\d*)\.?(\d*)(?:e([-+−]?\d+))?$/i.exec(text.trim()) ?? [];
  return Number(`1e${Number(exponent.replace('−', '-')) - fraction.length}`);
}

/** The text one or more steps up or down, with as many decimals as before; undefined if it is no number. */
export function steppedText(text: string, steps: number): string | undefined {
  const entered = enteredNumber(text.trim());
  if ('fault' in entered || typeof entered.value !== 'number') return undefined;
  const step = stepOf(text);
  const value = entered.value + steps * step;
  const decimals = Math.max(0, -Math.round(Math.log10(step)));
  return /e/i.test(text) ? String(Number(value.toPrecision(15))) : value.toFixed(Math.min(decimals, 100));
}
