// Finds the file of a simulation that a command line names.
import { existsSync } from 'node:fs';
import { UsageError } from './usage.js';

/** `sims/ball` means sims/ball.js, .mjs or .ts, whichever exists. */
export function simulationFile(name: string): string {
  const found = [name, `${name}.js`, `${name}.mjs`, `${name}.ts`].find(
    (candidate) => /\.[cm]?[jt]s$/.test(candidate) && existsSync(candidate),
  );
  if (found === undefined) throw new UsageError(`there is no simulation ${name}`);
  return found;
}
