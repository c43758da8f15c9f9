// Finds the file of a simulation that a command line names.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { UsageError } from './usage.js';

const PACKAGE = fileURLToPath(new URL('../../../', import.meta.url));

/** `sims/ball` means sims/ball.js, .mjs or .ts, whichever exists; if none does, an example of the package. */
export function simulationFile(name: string): string {
  const example = /^(?:build\/)?(sims\/[\w-]+)(?:\.js)?$/.exec(name)?.[1];
  const examples = example === undefined ? [] : [`${PACKAGE}${example}.js`];
  const found = [name, `${name}.js`, `${name}.mjs`, `${name}.ts`, ...examples].find(
    (candidate) => /\.([cm]?[jt]s|fmu)$/.test(candidate) && existsSync(candidate),
  );
  if (found === undefined) throw new UsageError(`there is no simulation ${name}`);
  return found;
}
