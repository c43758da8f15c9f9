// Values as literals of Trick's command language, which is Python.
import type { SettableValue } from './value.js';

const ESCAPES: Readonly<Record<string, string>> = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * Text in double quotes; all but printable characters are escaped. Throws a TypeError for a NUL, which C text cannot
 * hold.
 */
export function quote(text: string): string {
  if (text.includes('\0')) throw new TypeError('text for Trick cannot hold a NUL character');
  return `"${text.replace(/["\\\x00-\x1f\x7f]/g, (c) => ESCAPES[c] ?? `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}`)}"`;
}

export function literal(value: SettableValue): string {
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'number') return numberLiteral(value);
  return `[${value.map(literal).join(', ')}]`;
}

function numberLiteral(value: number): string {
  if (Number.isNaN(value)) return 'float("nan")';
  if (!Number.isFinite(value)) return value > 0 ? 'float("inf")' : 'float("-inf")';
  return Object.is(value, -0) ? '-0.0' : String(value);
}

/** Whether a name is a path of members and indices, which may stand outside quotes. */
const PATH = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*|\[\d+\])*$/;
export const isPath = (name: string): boolean => PATH.test(name);
