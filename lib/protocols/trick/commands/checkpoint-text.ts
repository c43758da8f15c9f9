// Assignments in the text form of checkpoints, as clients send them: `fx.all.x {ft} = 1.0;`. Trick: MemoryManager::read_checkpoint_from_string
import { type Assignment, type Literal, lineAt, type Path, parsePieces } from '../../../../grammar/checkpoint/index.js';
import type { Value } from '../../../model/state/read.js';
import { ScriptError } from '../../python/index.js';
import type { CommandContext } from './command.js';

interface Units {
  readonly at: number;
  readonly name: string;
}

/** A text, a character, or units in braces between a variable and its equals sign. */
const TEXT_OR_UNITS = /"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'|\{([^{}="';]*)\}(?=\s*=)/g;

/** The text without units, which the grammar of checkpoints does not know, and the units. */
function withoutUnits(text: string): { readonly plain: string; readonly units: readonly Units[] } {
  const units: Units[] = [];
  const plain = text.replace(TEXT_OR_UNITS, (whole, name: string | undefined, at: number) => {
    if (name === undefined) return whole;
    units.push({ at, name: name.trim() });
    return ' '.repeat(whole.length);
  });
  return { plain, units };
}

const pathOf = ({ root, steps }: Path): string =>
  root + steps.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');

const WORDS: Readonly<Record<string, Value>> = {
  true: true,
  false: false,
  NAN: Number.NaN,
  nan: Number.NaN,
  INF: Number.POSITIVE_INFINITY,
  inf: Number.POSITIVE_INFINITY,
};

/** Throws a ScriptError for what no variable can be set to. */
function modelValue(literal: Literal): Value {
  switch (literal.kind) {
    case 'number':
      return numberOf(literal.image);
    case 'text':
      return Buffer.from(literal.bytes, 'latin1').toString('utf8');
    case 'character':
      return literal.code;
    case 'name':
      return Object.hasOwn(WORDS, literal.name) ? (WORDS[literal.name] as Value) : literal.name;
    case 'list':
      return Array.from(literal.items, modelValue);
    default:
      throw new ScriptError('ValueError', 'read_checkpoint_from_string() points no pointers');
  }
}

function numberOf(image: string): Value {
  if (/^[-+]?\d+$/.test(image)) return BigInt(image.replace('+', ''));
  const [, sign, rest = ''] = /^([-+]?)(.*)$/.exec(image) ?? [];
  const size = /^inf$/i.test(rest) ? Number.POSITIVE_INFINITY : Number(rest);
  return sign === '-' ? -size : size;
}

/**
 * Sets the variables that a text assigns, each as var_set does. A whole checkpoint, with declarations, is loaded, for the
 * operator alone: it sets what clients may not. Answers 0, or -1 for what cannot be read, which changes nothing.
 */
export function setFromText(context: CommandContext, given: string): bigint {
  context.spend(given.length / 4);
  // One character a byte, as in a file.
  const bytes = Buffer.from(given, 'utf8').toString('latin1');
  const { plain, units } = withoutUnits(bytes);
  const assignments: Assignment[] = [];
  for (const { statements, error } of parsePieces(plain)) {
    const other = statements?.find(({ kind }) => kind !== 'assignment');
    if (other && !error && context.isOperators) {
      context.submit({ kind: 'load-checkpoint', file: 'a text', text: bytes });
      return 0n;
    }
    const problem = error ?? (other && { at: other.at, message: 'from a client only assignments are taken' });
    if (problem) {
      context.complain(`read_checkpoint_from_string, line ${lineAt(plain, problem.at)}: ${problem.message}`);
      return -1n;
    }
    assignments.push(...((statements ?? []) as readonly Assignment[]));
  }
  setAll(context, assignments, units);
  return 0n;
}

function setAll({ set, spend }: CommandContext, assignments: readonly Assignment[], units: readonly Units[]): void {
  const values = assignments.map(({ value }) => modelValue(value));
  let next = 0;
  for (const [index, { target }] of assignments.entries()) {
    spend(16);
    const end = assignments[index + 1]?.at ?? Number.POSITIVE_INFINITY;
    const own = (units[next]?.at ?? Number.POSITIVE_INFINITY) < end ? units[next++] : undefined;
    set(pathOf(target), values[index] as Value, own?.name || undefined);
  }
}
