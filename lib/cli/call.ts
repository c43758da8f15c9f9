// `varwire call`: calls a function of the simulation.
import { CONNECTION_OPTIONS, jsonClient, OUTPUT_OPTIONS } from './client-options.js';
import { type CommandLine, type GivenLine, parseLine } from './command-line.js';
import { splitServer } from './server-name.js';
import { jsonOf } from './value-text.js';

const LINE: CommandLine = {
  name: 'call',
  takes: '<server> [function] [argument]...',
  about:
    "Calls a function and prints its result; without a function, lists what there is. Arguments are in order, or name=value, and may have units: vx=10{km/h}. Uses JSON-RPC, which NASA's Trick does not speak.",
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
  const called = (await jsonClient(server, given).call('sim/call', { name, ...argumentsOf(words) })) as Called;
  if (given.values.json || called.value !== null) console.log(JSON.stringify(called.value));
}

async function list(server: string, given: GivenLine): Promise<void> {
  const functions = (await jsonClient(server, given).call('sim/functions')) as Listed[];
  if (given.values.json) console.log(JSON.stringify(functions, null, 2));
  else for (const one of functions) console.log(`${signatureOf(one)}${one.about === '' ? '' : `\t${one.about}`}`);
}

function signatureOf({ name, takes, gives }: Listed): string {
  const parameters = takes ? takes.map((parameter) => `${parameter.name}: ${typeText(parameter)}`).join(', ') : '...';
  return `${name}(${parameters})${gives ? `: ${typeText(gives)}` : ''}`;
}

const typeText = ({ type, unit, dim }: Parameter): string =>
  `${type}${dim.map((extent) => `[${extent || ''}]`).join('')}${unit === '1' ? '' : ` {${unit}}`}`;

/** Words in order, or all of them by name. */
function argumentsOf(words: readonly string[]): object {
  const parts = words.map(
    (word) => /^(?:([A-Za-z_]\w*)=)?(.*?)(?:\{([^{}"]+)\})?$/s.exec(word) ?? [word, undefined, word],
  );
  const isNamed = parts.length > 0 && parts.every(([, name]) => name !== undefined);
  if (!isNamed) return { arguments: words.map(jsonOf) };
  const units = parts.filter(([, , , own]) => own !== undefined).map(([, name, , own]) => [name, own]);
  const values = Object.fromEntries(parts.map(([, name, text = '']) => [name, jsonOf(text)]));
  return { arguments: values, ...(units.length > 0 && { units: Object.fromEntries(units) }) };
}
