// The functions, classes and objects of Trick's that do nothing here or are refused, by the table of them.
import { type Callable, type ObjectValue, ScriptError, type ScriptValue, type Tools } from '../../python/index.js';
import { type CommandContext, contextOf } from './command.js';
import { PassiveObject } from './passive-object.js';
import { ALIASES, type CommandRow, OBJECT, OBJECTS, REFUSED, TAKEN } from './without-effect-table.js';

/** A call counts as this many steps. */
const STEPS = 16;

/** By server: sentences that have been logged already. */
const said = new WeakMap<CommandContext['server'], Set<string>>();

/** Logs a sentence once in the life of a server. */
export function sayOnce({ server }: Pick<CommandContext, 'server'>, sentence: string): void {
  const sentences = said.get(server) ?? new Set();
  said.set(server, sentences);
  if (sentences.has(sentence)) return;
  sentences.add(sentence);
  server.log(sentence, 'normal');
}

type Call = (name: string, row: CommandRow, tools: Tools) => ScriptValue;

const take: Call = (name, { why, answer = 0n }, tools) => {
  const context = contextOf(tools);
  context.spend(STEPS);
  sayOnce(context, `trick.${name} is taken and does nothing: ${why}`);
  return answer === OBJECT ? new PassiveObject(name) : answer;
};

const refuse: Call = (name, { why }) => {
  throw new ScriptError('RuntimeError', why.replace('*', `trick.${name}`));
};

const namesOf = ({ names }: CommandRow): string[] => names.split(' ');

const entries = (rows: readonly CommandRow[], call: Call): (readonly [name: string, row: CommandRow, call: Call])[] =>
  rows.flatMap((row) => namesOf(row).map((name) => [name, row, call] as const));

const ENTRIES = [...entries(TAKEN, take), ...entries(REFUSED, refuse)];
const BY_NAME = new Map(ENTRIES.map((entry) => [entry[0], entry]));
const FAMILIES = ENTRIES.filter(([name]) => name.endsWith('*'));

/** A function or class that does nothing or is refused; undefined for any other name. */
export function withoutEffect(name: string): Callable | undefined {
  const entry = BY_NAME.get(name) ?? FAMILIES.find(([family]) => name.startsWith(family.slice(0, -1)));
  if (!entry) return undefined;
  const [, row, call] = entry;
  return { kind: 'callable', name, call: (_, tools) => call(name, row, tools) };
}

/** One sentence about each, by name or the beginning of a family's names with a star. */
export const ABOUT_WITHOUT_EFFECT: ReadonlyMap<string, string> = new Map([
  ...entries(TAKEN, take).map(([name, { why }]) => [name, `Taken, and does nothing: ${why}.`] as const),
  ...entries(REFUSED, refuse).map(([name, { why }]) => [name, `Refused: ${why.replace('*', 'it')}.`] as const),
]);

/** The name of the command that a name stands for. */
export const commandName = (name: string): string => (Object.hasOwn(ALIASES, name) ? (ALIASES[name] as string) : name);

/** An object of Trick's that takes whatever it is told; undefined for any other path. */
export function passiveObject(context: Pick<CommandContext, 'server'>, path: string): ObjectValue | undefined {
  const found = OBJECTS.find((object) => object.path.test(path));
  if (!found) return undefined;
  sayOnce(context, `${path} is taken and does nothing: ${found.why}`);
  return new PassiveObject(path, found.parts);
}
