// Makes a directory and those above it. Node's own recursive way never returns where nothing can be made, as in /proc.
import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/** Does nothing for a directory that is there. Throws the error of the system. */
export function makeDirectory(path: string): void {
  if (existsSync(path)) return;
  const above = dirname(path);
  if (above !== path) makeDirectory(above);
  try {
    mkdirSync(path);
  } catch (error) {
    // Somebody else may have made it meanwhile.
    if (!existsSync(path)) throw error;
  }
}
