// Values on a command line: `dyn.cannon.init_angle{degree}=30`, `wind.speed=normal(3, 1)`; and values as text.
import type { Draw, RandomStream, Value } from '../../index.js';
import { UsageError } from './usage.js';
import { printable } from './value-text.js';

const SETTING = /^([A-Za-z_][\w.[\]]*(?:\{[^{}]+\})?)=(.*)$/s;
const DRAWN = /^(uniform|normal|poisson|integer)\(([^(),]+)(?:,([^(),]+))?\)$/;
const NON_FINITE: Readonly<Record<string, number>> = { nan: Number.NaN, inf: 1 / 0, '-inf': -1 / 0 };

/**
 * Parses `name=value` each: numbers, true, false, lists in brackets; anything else is text or a label. Throws a
 * UsageError.
 */
export const parseSettings = (settings: readonly string[]): Record<string, Value> =>
  Object.fromEntries(
    settings.map((setting) => {
      const [name, text] = split('set', setting, 'ball.height=3');
      return [name, parseValue(text)];
    }),
  );

/** Parses `name=normal(0.5, 0.1)` each. Throws a UsageError. */
export function parseDraws(variations: readonly string[]): Draw {
  const draws = variations.map((variation) => {
    const [name, text] = split('vary', variation, 'ball.height=normal(3, 0.1)');
    return [name, parseDraw(text)] as const;
  });
  return (random) => Object.fromEntries(draws.map(([name, draw]) => [name, draw(random)]));
}

function split(option: string, text: string, example: string): [name: string, value: string] {
  const [, name, value] = SETTING.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new UsageError(`--${option} takes ${example}, not ${text}`);
  return [name, value];
}

function parseDraw(text: string): (random: RandomStream) => number {
  const [, kind, first = '', second] = DRAWN.exec(text.replaceAll(' ', '')) ?? [];
  const numbers = [first, ...(second === undefined ? [] : [second])].map(Number);
  const [a = Number.NaN, b = Number.NaN] = numbers;
  if (numbers.every(Number.isFinite) && numbers.length === (kind === 'poisson' ? 1 : 2)) {
    if (kind === 'uniform') return (random) => random.uniform(a, b);
    if (kind === 'normal') return (random) => random.normal(a, b);
    if (kind === 'integer') return (random) => random.integer(a, b);
    if (kind === 'poisson') return (random) => random.poisson(a);
  }
  throw new UsageError(
    `--vary takes uniform(low, high), normal(mean, deviation), integer(low, high) or poisson(mean), not ${text}`,
  );
}

function parseValue(text: string): Value {
  const trimmed = text.trim();
  const nonFinite = NON_FINITE[trimmed.toLowerCase()];
  if (nonFinite !== undefined) return nonFinite;
  if (/^[+-]?\d{16,}$/.test(trimmed)) return BigInt(trimmed);
  if (/^[+-]?(\d|\.\d)/.test(trimmed) && Number.isFinite(Number(trimmed))) return Number(trimmed);
  if (trimmed === 'true' || trimmed === 'false') return trimmed === 'true';
  if (!trimmed.startsWith('[')) return text;
  try {
    return JSON.parse(trimmed) as Value;
  } catch {
    throw new UsageError(`${text} is no list such as [1, 2, 3]`);
  }
}

/** A value of any shape in one line. */
export function settledText(value: Value | undefined): string {
  if (value === undefined || value === null) return 'null';
  if (typeof value === 'string') return printable(value);
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return `[${value.map((item: Value) => settledText(item)).join(', ')}]`;
  const members = Object.entries(value).map(([name, item]) => `${name}: ${settledText(item as Value)}`);
  return `{${members.join(', ')}}`;
}
