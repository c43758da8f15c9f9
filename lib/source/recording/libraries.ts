// Loads what opening recordings takes and no program needs before, by the files that are opened.
import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { HDF5_MARK, loadHdf5 } from './hdf5-library.js';
import { loadZstd } from './zstd.js';

const MCAP_MARK = '\x89MCA';

/**
 * Loads the libraries of files, and of those in directories. Where an optional one is not installed, opening the file tells;
 * without the others it takes longer.
 */
export async function loadLibrariesFor(paths: readonly string[]): Promise<void> {
  const wanted = new Set<string>();
  for (const path of paths) lookFor(wanted, path, 1);
  if (wanted.has(HDF5_MARK) || wanted.has('.h5')) await loadHdf5().catch(() => undefined);
  if (wanted.has(MCAP_MARK) || wanted.has('.mcap')) await loadZstd().catch(() => undefined);
}

/** Adds with what a file begins, or how those in a directory end. */
function lookFor(wanted: Set<string>, path: string, deeper: number): void {
  try {
    if (!statSync(path).isDirectory()) wanted.add(beginningOf(path));
    else
      for (const entry of readdirSync(path, { withFileTypes: true })) {
        const [ending] = /\.\w+$/.exec(entry.name) ?? [];
        if (!entry.isDirectory()) wanted.add(ending ?? '');
        else if (deeper > 0) lookFor(wanted, join(path, entry.name), deeper - 1);
      }
  } catch {
    // Opening it tells what is wrong.
  }
}

function beginningOf(path: string): string {
  if (!statSync(path).isFile()) return '';
  const descriptor = openSync(path, 'r');
  try {
    const beginning = Buffer.alloc(HDF5_MARK.length);
    readSync(descriptor, beginning, 0, beginning.length, 0);
    return beginning.toString('latin1');
  } finally {
    closeSync(descriptor);
  }
}
