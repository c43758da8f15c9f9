// Loads a simulation from its file, and says in one sentence why it cannot be loaded or built.

import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isThrown, thrownStack, thrownText } from '../../model/state/thrown.js';
import { placeIn } from './outside-stack.js';
import { isSimulationDefinition, type SimulationDefinition } from './simulation.js';

/** TypeScript needs tsx, which is looked up from the simulation's own directory. */
async function enableTypeScript(simulationUrl: string): Promise<void> {
  const entry = tsxEntry(simulationUrl);
  if (!entry) {
    throw new Error(
      `${fileURLToPath(simulationUrl)} is TypeScript: install the package tsx beside it (npm i tsx), or compile it first`,
    );
  }
  const { register } = (await import(entry)) as { register: () => void };
  register();
}

interface TsxManifest {
  readonly exports: { readonly './esm/api': { readonly import: { readonly default: string } } };
}

/** What `import 'tsx/esm/api'` in the simulation would load; `require.resolve` would find the CommonJS version only. */
function tsxEntry(simulationUrl: string): string | undefined {
  const require = createRequire(simulationUrl);
  try {
    const manifest = require('tsx/package.json') as TsxManifest;
    return new URL(manifest.exports['./esm/api'].import.default, pathToFileURL(require.resolve('tsx/package.json')))
      .href;
  } catch {
    return undefined;
  }
}

/** The simulation that a file exports by default. Rejects with one sentence that names the file. */
export async function loadSimulation(simulationUrl: string): Promise<SimulationDefinition> {
  const path = fileURLToPath(simulationUrl);
  if (path.endsWith('.fmu')) return (await import('./fmu-simulation.js')).fmuSimulation(path);
  if (/\.[cm]?ts$/.test(path)) await enableTypeScript(simulationUrl);
  const module = await told(path, 'loaded', () => import(simulationUrl) as Promise<{ default?: unknown }>);
  if (isSimulationDefinition(module.default)) return module.default;
  throw new Error(`${path} has no simulation: it must \`export default simulation({ ... }, (sim) => { ... })\``);
}

/** Runs `act`; puts the file's name in front of an error. */
export async function told<T>(path: string, done: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (thrown) {
    const reason = isCommonJs(thrown) ? COMMON_JS : `${firstSentenceOf(thrown)}${placeOf(thrown, path)}`;
    throw new Error(`${path} cannot be ${done}: ${reason}`, { cause: thrown });
  }
}

/** What Node and tsx say of ES modules in a package of CommonJS, as `npm init` makes it. */
function isCommonJs(thrown: unknown): boolean {
  const text = thrownText(thrown);
  if (/outside a module|require\(\) ES Module|"cjs" output format/.test(text)) return true;
  return text === "Unexpected token 'export'" && /node:internal\/modules\/cjs\//.test(thrownStack(thrown));
}

const COMMON_JS = 'its package is of CommonJS: run `npm pkg set type=module`, or name the file .mjs or .mts';

/** Where it went wrong: the line of a module that cannot be linked, or that of the simulation's code which threw. */
function placeOf(thrown: unknown, path: string): string {
  const stack = thrownStack(thrown);
  if (!isParseError(thrown)) return placeIn(stack);
  const place = /^file:\/\/(\S+):(\d+)\n/.exec(stack);
  // For a module that cannot be parsed, Node prints the place on its terminal only.
  return place ? ` (${place[1]}, line ${place[2]})` : ` (node --check ${shellWord(path)} shows where)`;
}

/** A path as a shell takes it for one word. */
const shellWord = (path: string): string => (/^[\w./@:+-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`);

/** With tsx, the parse error of a module is a plain Error. */
const isParseError = (thrown: unknown): boolean =>
  isThrown(thrown, SyntaxError) || thrownText(thrown).startsWith('Parse error ');

/** The line of an error that says what went wrong, with the next one when the first only announces it. */
export function firstSentenceOf(thrown: unknown): string {
  const [first = '', second = ''] = thrownText(thrown).trim().split('\n', 2);
  return first.endsWith(':') ? `${first} ${second.trim()}` : first;
}
