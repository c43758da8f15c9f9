// What a person types into an editor, as a value to set: numbers with steps, labels, switches, lists.
import type { Json } from '../../data/server.js';
import { calculated } from './arithmetic.js';
import { isSwitch, type ValueKind } from './value-text.js';

/** `units` only where they were typed, as in `45 degree`. */
export type Entered = { readonly value: Json; readonly units?: string } | { readonly fault: string };

const NON_FINITE = /^([-+−]?)(inf(?:inity)?|∞)$/i;

/**
 * The value that a text means for one element, or one sentence that says why it means none.
 * @param isConverted whether it is in other units than the variable's own, where an integer may have fractions.
 */
export function enteredValue(text: string, kind: ValueKind, isConverted = false): Entered {
  if (kind.kind === 'text') return { value: text };
  if (kind.kind === 'struct') return { fault: 'a structure is set by its members' };
  const trimmed = text.trim();
  if (trimmed === '') return { fault: 'expected a value' };
  if (kind.kind === 'enumeration') return enteredLabel(trimmed, kind.labels ?? {});
  if (isSwitch(kind)) return enteredSwitch(trimmed);
  const isWhole = !/^(double|float)$/.test(kind.type_path);
  return withUnits(trimmed) ?? withoutFraction(enteredNumber(trimmed, isWhole), trimmed, isWhole && !isConverted);
}

function withoutFraction(entered: Entered, text: string, isWanted: boolean): Entered {
  const isFraction = 'value' in entered && typeof entered.value === 'number' && !Number.isInteger(entered.value);
  return isWanted && isFraction ? { fault: `${text} is no whole number` } : entered;
}

/** A number and, behind a blank, the units that it is in; undefined for anything else. */
function withUnits(text: string): Entered | undefined {
  const [, number, units] = /^(.*[\d.)i])\s+([^\d\s.(+*/^-].*)$/i.exec(text) ?? [];
  if (number === undefined || units === undefined) return undefined;
  const entered = enteredNumber(number);
  // UDUNITS has no short name for it, and everybody uses one.
  return 'value' in entered ? { ...entered, units: units.replace(/\bdeg\b/g, 'degree') } : undefined;
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
  const text = typed.replaceAll('−', '-');
  const infinite = NON_FINITE.exec(text);
  if (infinite) return { value: infinite[1] === '-' ? '-Infinity' : 'Infinity' };
  if (/^nan$/i.test(text)) return { value: 'NaN' };
  const isInteger = /^[+-]?(\d+|0x[0-9a-f]+)$/i.test(text);
  const value = isInteger ? integer(text, isWhole) : calculated(text);
  if (value === undefined || Number.isNaN(value)) return { fault: `${typed} is not a number` };
  return Number.isFinite(Number(value)) ? { value } : { fault: `${typed} is larger than a double can be` };
}

function integer(text: string, isWhole: boolean): number | string {
  const size = BigInt(text.replace(/^[+-]/, ''));
  const isNegative = text.startsWith('-');
  if (isWhole && size > Number.MAX_SAFE_INTEGER) return `${isNegative ? '-' : ''}${size}`;
  return isNegative ? -Number(size) : Number(size);
}

/** How far an arrow key moves a number: one of its last written digit; NaN for what is no number. */
export function stepOf(text: string): number {
  const written = /^[-+−]?(\d*)\.?(\d*)(?:e([-+−]?\d+))?$/i.exec(text.trim());
  if (!written) return Number.NaN;
  const [, , fraction = '', exponent = '0'] = written;
  return Number(`1e${Number(exponent.replace('−', '-')) - fraction.length}`);
}

/** The text one or more steps up or down, with as many decimals as before; undefined if it is no number. */
export function steppedText(text: string, steps: number): string | undefined {
  if (Number.isNaN(stepOf(text))) return undefined;
  const entered = enteredNumber(text.trim());
  if ('fault' in entered || typeof entered.value !== 'number') return undefined;
  const step = stepOf(text);
  const value = entered.value + steps * step;
  const decimals = Math.max(0, -Math.round(Math.log10(step)));
  return /e/i.test(text) ? String(Number(value.toPrecision(15))) : value.toFixed(Math.min(decimals, 100));
}
