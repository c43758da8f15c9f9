// Reads an input file and the files that it includes, from its own directory or the working directory only.
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';

const LARGEST_BYTES = 16 * 1024 * 1024;

export class InputFile {
  readonly text: string;
  private readonly roots: readonly string[];

  /** Throws one sentence when the file cannot be read. */
  constructor(readonly name: string) {
    this.text = read(name, resolve(name));
    this.roots = [realpathSync('.'), realpathSync(dirname(resolve(name)))];
  }

  /** The text of an included file, looked for in the working directory first. Throws one sentence. */
  readonly include = (name: string): string => {
    for (const root of this.roots) {
      const path = existing(resolve(root, name));
      if (path === undefined) continue;
      if (!this.roots.some((allowed) => isBelow(allowed, path)))
        throw new Error(`${name} is neither below the working directory nor beside ${this.name}`);
      return read(name, path);
    }
    throw new Error(`there is no file ${name} to include`);
  };
}

function read(name: string, path: string): string {
  if (existing(path) === undefined) throw new Error(`there is no input file ${name}`);
  const stat = statSync(path);
  if (!stat.isFile()) throw new Error(`${name} is not a file`);
  if (stat.size > LARGEST_BYTES) throw new Error(`${name} is larger than ${LARGEST_BYTES} bytes`);
  return asPythonReads(readFileSync(path, 'utf8'));
}

/** Without the mark that Windows puts before text, and with its line ends as `\n`, also inside texts. */
const asPythonReads = (text: string): string => text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');

/** The real path, with symbolic links followed; undefined when there is no such file. */
function existing(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

function isBelow(root: string, path: string): boolean {
  const inside = relative(root, path);
  return inside !== '..' && !inside.startsWith(`..${sep}`) && resolve(inside) !== inside;
}
