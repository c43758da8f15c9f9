// Values on a command line: `dyn.cannon.init_angle{degree}=30`, `wind.speed=normal(3, 1)`; and values as text.
import { readFileSync } from 'node:fs';
import type { Draw, RandomStream, Value } from '../../index.js';
import { UsageError } from './usage.js';
import { printable } from './value-text.js';

const SETTING = /^([A-Za-z_][\w.[\]]*(?:\{[^{}]+\})?)=(.*)$/s;
const DRAWN = /^(uniform|normal|poisson|integer|file)\(([^()]*)\)$/;
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
  return (random, run) => Object.fromEntries(draws.map(([name, draw]) => [name, draw(random, run)]));
}

function split(option: string, text: string, example: string): [name: string, value: string] {
  const [, name, value] = SETTING.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new UsageError(`--${option} takes ${example}, not ${text}`);
  return [name, value];
}

type DrawOne = (random: RandomStream, run: number) => Value;

/** By how many numbers each takes. */
const DRAWS: Readonly<Record<string, (...numbers: number[]) => DrawOne>> = {
  'uniform 2': (low, high) => {
    requireOrder('uniform(low, high)', low, high);
    return (random) => random.uniform(low, high);
  },
  'normal 2': (mean, deviation) => (random) => random.normal(mean, deviation),
  'normal 4': bounded,
  'integer 2': (low, high) => {
    requireOrder('integer(low, high)', low, high);
    return (random) => random.integer(low, high);
  },
  'poisson 1': (mean) => (random) => random.poisson(mean),
};

function parseDraw(text: string): DrawOne {
  const [, kind, list = ''] = DRAWN.exec(text.trim()) ?? [];
  const words = list.split(',').map((word) => word.trim());
  if (kind === 'file' && words[0] !== '') return fromFile(words[0] as string, words[1] ?? '1');
  const numbers = words.map((word) => (word === '' ? Number.NaN : (NON_FINITE[word] ?? Number(word))));
  const make = DRAWS[`${kind} ${numbers.length}`];
  if (make && numbers.every((number, index) => (index < 2 ? Number.isFinite(number) : !Number.isNaN(number))))
    return make(...numbers);
  throw new UsageError(
    `--vary takes uniform(low, high), normal(mean, deviation), normal(mean, deviation, low, high), integer(low, high), poisson(mean) or file(name, column), not ${text}`,
  );
}

function requireOrder(draw: string, low: number, high: number): void {
  if (low > high) throw new UsageError(`--vary takes ${draw} with low below high, not ${low}, ${high}`);
}

/** Draws that a value is looked for within bounds. */
const MOST_DRAWS = 10_000;

/** A normal distribution between bounds: values outside are drawn again. Trick: MonteVarRandom */
function bounded(mean: number, deviation: number, low: number, high: number): DrawOne {
  requireOrder('normal(mean, deviation, low, high)', low, high);
  return (random) => {
    for (let draw = 0; draw < MOST_DRAWS; draw++) {
      const value = random.normal(mean, deviation);
      if (value >= low && value <= high) return value;
    }
    throw new UsageError(
      `--vary: of ${MOST_DRAWS} values of normal(${mean}, ${deviation}) none is from ${low} to ${high}`,
    );
  };
}

/** Run 0 takes the first line with values, and so on. @param column by its name in the first line, or its number from 1. */
function fromFile(file: string, column: string): DrawOne {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    throw new UsageError(`--vary: ${file} cannot be read`);
  }
  const lines = text.split(/\r?\n/).filter((line) => !/^\s*(#|$)/.test(line));
  const rows = lines.map((line) => line.trim().split(/\s*[,;\t]\s*|\s+/));
  const [head = []] = rows;
  const hasHead = head.some((cell) => cell !== '' && Number.isNaN(Number(cell)));
  const index = /^\d+$/.test(column) ? Number(column) - 1 : head.indexOf(column);
  if (head[index] === undefined) throw new UsageError(`--vary: ${file} has no column ${column}`);
  const cells = rows.slice(hasHead ? 1 : 0).map((row) => row[index]);
  return (_, run) => {
    const cell = cells[run];
    if (cell === undefined || cell === '')
      throw new UsageError(`--vary: ${file} has no value for run ${run}: it has ${cells.length} lines of values`);
    return parseValue(cell);
  };
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
