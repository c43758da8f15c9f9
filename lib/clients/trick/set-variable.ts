// Sets a variable and finds out whether the server took the value.
import type { Decoded } from './binary-decoder.js';
import type { AskOptions } from './channel.js';
import { REFUSES_ALL, SetRefusedError, ValueTypeError } from './errors.js';
import { MessageIndicator } from './message-indicator.js';
import type { Message } from './message-splitter.js';
import { leaves, type SetCommand, setCommand, shown } from './set-command.js';
import { isTaken } from './taken.js';
import type { TrickType } from './trick-type.js';
import type { SettableValue, TrickValue } from './value.js';

export interface Setting {
  readonly name: string;
  readonly units: string | undefined;
  /** The variable as it was read; undefined when it cannot be read. */
  readonly current: Decoded | undefined;
  readonly ask: (text: string, options: AskOptions) => Promise<readonly Message[]>;
  /** The value now, in the units; undefined when it cannot be read. */
  readonly read: () => Promise<TrickValue | undefined>;
  /** Whether it is a container, which takes as many elements as it is given. */
  readonly isContainer: () => Promise<boolean>;
  /** The extents of the variable, empty when the server does not tell. */
  readonly dimensions: () => Promise<readonly number[]>;
}

/** A failed command ends its block, so this question behind it has no answer then. */
const WITNESS = 'trick.var_exists("trick_sys")\n';

/** Resolves with the errors that the server printed. Rejects with a ValueTypeError or a SetRefusedError. */
export async function setVariable(setting: Setting, value: SettableValue): Promise<string> {
  await requireWhole(setting, value);
  const first = await attempt(setting, value);
  if (first.isTaken) return first.printed;
  const nested = await inShape(setting, value);
  const last = nested === undefined ? first : await attempt(setting, nested);
  if (last.isTaken) return last.printed;
  const held = last.after === undefined ? '' : `: ${setting.name} is ${shown(last.after)}`;
  throw new SetRefusedError(`the simulation has not taken ${shown(value)}${held}`, last.printed, last.reason);
}

/**
 * Trick fills a shorter list with zeros, and takes no longer one without a word, which nobody sees where the variable changes
 * by itself. Throws a ValueTypeError for either.
 */
async function requireWhole({ name, current, isContainer, dimensions }: Setting, value: SettableValue): Promise<void> {
  if (!current || !Array.isArray(value) || isText(current.type)) return;
  const given = leaves(value).length;
  // A message does not tell the size of an enumeration, so it does not tell how many there are.
  const isUnsure = current.type.kind === 'enumeration';
  const extents = isUnsure ? await dimensions() : [];
  const elements = Math.max(
    current.elements,
    extents.reduce((product, extent) => product * extent, 1),
  );
  if (given === elements || (given > elements && isUnsure && extents.length === 0) || (await isContainer())) return;
  throw new ValueTypeError(`${name} has ${elements} elements, a list of ${given} does not fit`);
}

const isText = ({ kind }: TrickType): boolean => ['text', 'wideText', 'character', 'opaque'].includes(kind);

/** The sentence with which varwire refuses a value; Trick prints none. */
export const reasonIn = (printed: string, name: string): string | undefined =>
  printed.split('\n').find((line) => line.startsWith(REFUSES_ALL) || line.startsWith(`${name} `));

interface Outcome {
  readonly isTaken: boolean;
  readonly reason: string | undefined;
  readonly printed: string;
  readonly after: TrickValue | undefined;
}

async function attempt(setting: Setting, value: SettableValue): Promise<Outcome> {
  const { name, units, current } = setting;
  const command = setCommand(name, value, units, current);
  const before = current && (units === undefined ? current.value : await setting.read());
  const { hasRun, printed } = await send(setting, command);
  const after = current && (await setting.read());
  const reason = reasonIn(printed, name);
  const isUnknown = before === undefined || after === undefined;
  const isSeen = isUnknown || isTaken(value, { before, after, isConverted: units !== undefined }, current?.type);
  return { isTaken: hasRun && reason === undefined && isSeen, reason, printed, after };
}

async function send({ ask }: Setting, { text, mayFail }: SetCommand): Promise<{ hasRun: boolean; printed: string }> {
  const replies = await ask(mayFail ? text + WITNESS : text, { mayFail });
  const hasRun = !mayFail || replies.some(({ indicator }) => indicator === MessageIndicator.exists);
  const printed = replies.map((reply) => (reply.kind === 'stdio' && reply.stream === 'stderr' ? reply.text : ''));
  return { hasRun, printed: printed.join('') };
}

/** A flat list in the shape of the array, because Trick takes no other; undefined when that changes nothing. */
async function inShape({ dimensions }: Setting, value: SettableValue): Promise<SettableValue | undefined> {
  if (!Array.isArray(value) || value.some((element) => Array.isArray(element))) return undefined;
  const extents = await dimensions();
  const count = extents.reduce((product, extent) => product * extent, 1);
  if (extents.length < 2 || count !== value.length) return undefined;
  return extents.slice(1).reduceRight<readonly SettableValue[]>(grouped, leaves(value));
}

function grouped(values: readonly SettableValue[], extent: number): SettableValue[] {
  const groups: SettableValue[] = [];
  for (let start = 0; start < values.length; start += extent) groups.push(values.slice(start, start + extent));
  return groups;
}
