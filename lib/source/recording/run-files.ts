// Recorded files of the directories that an operator has named: which there are, and no way out of them.
import { readdirSync, realpathSync, statSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';

export interface RunFile {
  /** Relative to its directory. */
  readonly file: string;
  readonly bytes: number;
  /** ISO 8601. */
  readonly modified: string;
}

const RECORDED = /\.(?:trk|csv|txt|mcap|h5|parquet)$/i;
/** Names that are looked at, and how deep directories lie. */
const MOST_LOOKED_AT = 10_000;
const DEEPEST = 5;

/** The files below the directories, in order of their names, and whether there may be more. */
export function runFiles(directories: readonly string[]): { readonly files: RunFile[]; readonly more: boolean } {
  const found = new Map<string, RunFile>();
  let left = MOST_LOOKED_AT;
  const look = (root: string, directory: string, depth: number): void => {
    for (const entry of entriesOf(directory)) {
      if (left-- <= 0) return;
      const path = join(directory, entry.name);
      const file = relative(root, path);
      if (entry.name.startsWith('.')) continue;
      if (entry.isDirectory() && depth < DEEPEST) look(root, path, depth + 1);
      // The first directory that has a file of a name is the one that is read.
      else if (entry.isFile() && RECORDED.test(entry.name) && !found.has(file)) {
        const { size, mtime } = statSync(path);
        found.set(file, { file, bytes: size, modified: mtime.toISOString() });
      }
    }
  };
  for (const directory of directories) look(directory, directory, 1);
  return { files: [...found.values()].sort((one, other) => (one.file < other.file ? -1 : 1)), more: left < 0 };
}

function entriesOf(directory: string) {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** The path of a file, links followed. Throws an Error with one sentence for what lies in none of the directories. */
export function runFile(directories: readonly string[], file: string): string {
  for (const directory of directories) {
    const root = realOf(directory);
    const path = root && realOf(resolve(root, file));
    if (!path?.startsWith(root?.endsWith(sep) ? root : `${root}${sep}`)) continue;
    if (RECORDED.test(path) && statSync(path, { throwIfNoEntry: false })?.isFile()) return path;
  }
  throw new Error(`there is no recorded file ${JSON.stringify(file.slice(0, 200))}`);
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
