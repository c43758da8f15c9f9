// `varwire call`: calls a function of the simulation.
import type { CallArgument, SettableValue } from '../trick/index.js';
import { CONNECTION_OPTIONS, jsonClient, OUTPUT_OPTIONS, withClient } from './client-options.js';
import { type CommandLine, type GivenLine, parseLine } from './command-line.js';
import type { JsonClient } from './json-client.js';
import { parseServer, splitServer } from './server-name.js';
import { UsageError } from './usage.js';
import { jsonOf, jsonText, printableLines } from './value-text.js';
import { NoJsonRpcError } from './web-request.js';

const LINE: CommandLine = {
  name: 'call',
  takes: '<server> [function] [argument]...',
  about:
    "Calls a function and prints its result; without a function, lists what there is. Arguments are in order, or name=value, and may have units: vx=10{km/h}. By JSON-RPC; of NASA's Trick, which speaks none, in its own language, without a list.",
  options: [...OUTPUT_OPTIONS.slice(0, 1), ...CONNECTION_OPTIONS],
};
const ADVICE = 'varwire call takes a server, a function and its arguments, such as localhost:7000 kick 3 5';

interface Called {
  readonly value: unknown;
}

interface Parameter {
  readonly name?: string;
  readonly type: string;
  readonly unit: string;
  readonly dim: readonly number[];
}

interface Listed {
  readonly name: string;
  readonly about: string;
  readonly takes?: readonly Parameter[];
  readonly gives?: Parameter;
}

export async function callCommand(args: readonly string[]): Promise<void> {
  const given = parseLine(LINE, args);
  if (!given) return;
  const [server, name, ...words] = splitServer(given.words, ADVICE);
  if (name === undefined) return list(server, given);
  const show = (value: unknown): void => {
    if (given.values.json || (value ?? null) !== null) console.log(jsonText(value ?? null));
  };
  try {
    const client = jsonClient(server, given);
    const params = { name, ...(await argumentsOf(client, name, words)) };
    show(((await client.call('sim/call', params)) as Called).value);
  } catch (error) {
    if (!(error instanceof NoJsonRpcError) || parseServer(server).kind === 'http') throw error;
    await withClient('call', server, given, async (client) => show(await client.call(name, trickArguments(words))));
  }
}

const isSettable = (value: unknown): value is SettableValue =>
  Array.isArray(value) ? value.every(isSettable) : typeof value !== 'object';

/** Arguments for NASA's Trick: a text of its language has them in order, or all by name, with units or without. */
function trickArguments(texts: readonly string[]): readonly CallArgument[] | Readonly<Record<string, CallArgument>> {
  const words = texts.map((text) => {
    const { name, value, units } = parseWord(text);
    if (!isSettable(value)) throw new UsageError(`NASA's Trick takes numbers, texts and lists, not ${text}`);
    return { name, value: units === undefined ? value : { value, units } };
  });
  if (words.length === 0 || words.some(({ name }) => name === undefined)) return words.map(({ value }) => value);
  return Object.fromEntries(words.map(({ name, value }) => [name, value]));
}

async function list(server: string, given: GivenLine): Promise<void> {
  const functions = (await jsonClient(server, given).call('sim/functions')) as Listed[];
  if (given.values.json) console.log(jsonText(functions, 2));
  else
    for (const one of functions)
      console.log(printableLines(`${signatureOf(one)}${one.about === '' ? '' : `\t${one.about}`}`));
}

function signatureOf({ name, takes, gives }: Listed): string {
  const parameters = takes ? takes.map((parameter) => `${parameter.name}: ${typeText(parameter)}`).join(', ') : '...';
  return `${name}(${parameters})${gives ? `: ${typeText(gives)}` : ''}`;
}

const typeText = ({ type, unit, dim }: Parameter): string =>
  `${type}${dim.map((extent) => `[${extent || ''}]`).join('')}${unit === '1' ? '' : ` {${unit}}`}`;

/** An argument as it stands on the command line: `3`, `vx=3`, `3{km/h}`, `vx=3{km/h}`. */
interface Word {
  readonly name: string | undefined;
  readonly value: unknown;
  readonly units: string | undefined;
}

function parseWord(word: string): Word {
  const [, name, text = word, units] = /^(?:([A-Za-z_]\w*)=)?(.*?)(?:\{([^{}"]+)\})?$/s.exec(word) ?? [];
  return { name, value: jsonOf(text), units };
}

/** Arguments in order, or all of them by name. Those with units are sent by name; the server knows the names. */
async function argumentsOf(client: JsonClient, called: string, texts: readonly string[]): Promise<object> {
  const words = texts.map(parseWord);
  const isNamed = words.length > 0 && words.every(({ name }) => name !== undefined);
  if (!isNamed && words.every(({ units }) => units === undefined)) return { arguments: texts.map(jsonOf) };
  const names = isNamed ? words.map(({ name }) => name) : await parameterNames(client, called, words.length);
  const named = words.map((word, index) => ({ ...word, name: names[index] as string }));
  const units = named.filter((word) => word.units !== undefined);
  return {
    arguments: Object.fromEntries(named.map(({ name, value }) => [name, value])),
    ...(units.length > 0 && { units: Object.fromEntries(units.map((word) => [word.name, word.units])) }),
  };
}

async function parameterNames(client: JsonClient, called: string, count: number): Promise<string[]> {
  const functions = (await client.call('sim/functions')) as Listed[];
  const { takes = [] } = functions.find(({ name }) => name === called) ?? {};
  if (takes.length < count) throw new Error(`${called} declares no ${count} parameters, so no argument has units`);
  return takes.map(({ name }, index) => name ?? String(index));
}
