// Finds the file of a simulation that a command line names.
import { existsSync, readdirSync } from 'node:fs';
import { isAbsolute, normalize, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nearest } from './nearest.js';
import { UsageError } from './usage.js';

const PACKAGE = fileURLToPath(new URL('../../../', import.meta.url));

/** `sims/ball` means sims/ball.js, .mjs or .ts, whichever exists; if none does, an example of the package. */
export function simulationFile(name: string): string {
  const example = /^(?:build\/)?(sims\/[\w-]+)(?:\.js)?$/.exec(name)?.[1];
  const examples = example === undefined ? [] : [`${PACKAGE}${example}.js`];
  const found = [name, `${name}.js`, `${name}.mjs`, `${name}.ts`, ...examples].find(
    (candidate) => /\.([cm]?[jt]s|fmu)$/.test(candidate) && existsSync(candidate),
  );
  if (found === undefined) throw new UsageError(whyNone(name));
  return found;
}

function whyNone(name: string): string {
  if (/\.py$/.test(name) && existsSync(name))
    return `${name} is an input file, not a simulation: varwire run <simulation> --input ${name}`;
  if (existsSync(name)) return `${name} is no simulation: that is a .js, .mjs, .ts or .fmu file`;
  const examples = readdirSync(`${PACKAGE}sims`).flatMap((file) => /^([\w-]+)\.js$/.exec(file)?.[1] ?? []);
  const near = nearest(
    name,
    examples.map((example) => `sims/${example}`),
  );
  return `there is no simulation ${name}${near.length === 0 ? '' : `; did you mean ${near.join(' or ')}?`}`;
}

/** How another machine names the same simulation: from the working directory. Throws a UsageError for one outside. */
export function portableName(name: string): string {
  const path = normalize(isAbsolute(name) ? relative(process.cwd(), name) : name);
  if (isAbsolute(path) || path.split(sep)[0] === '..')
    throw new UsageError(`${name} is not below the working directory, where others look for it`);
  return path.split(sep).join('/');
}
