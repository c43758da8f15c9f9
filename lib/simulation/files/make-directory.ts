// Makes a directory and those above it. Node's own recursive way never returns where nothing can be made, as in /proc.
import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Does nothing for a directory that is there. Throws the error of the system. */
export function makeDirectory(path: string): void {
  if (isDirectory(path)) return;
  const above = dirname(path);
  if (above !== path) makeDirectory(above);
  try {
    mkdirSync(path);
  } catch (error) {
    // Somebody else may have made it meanwhile.
    if (!isDirectory(path)) throw error;
  }
}

const isDirectory = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
