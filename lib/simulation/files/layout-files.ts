// Layouts of the page that clients keep in the run directory: a file of JSON each, beside one another.
import type { RunDirectory } from './run-directory.js';

export const LAYOUTS_DIRECTORY = 'layouts';
export const MOST_LAYOUTS = 100;
export const LARGEST_LAYOUT_BYTES = 64 * 1024;
/** Letters, digits, blanks, `_`, `.` and `-`, so that each is the name of a file on every disk. */
export const LAYOUT_NAME = /^[A-Za-z0-9_](?:[A-Za-z0-9_. -]{0,58}[A-Za-z0-9_-])?$/;

const ENDING = '.json';
/** How the files begin, which those of checkpoints and recordings do not. */
const HEAD = '{';

export const layoutFile = (name: string): string => `${name}${ENDING}`;

/** The name of the layout that a file has; undefined for any other file. */
export function layoutIn(file: string): string | undefined {
  const name = file.endsWith(ENDING) ? file.slice(0, -ENDING.length) : '';
  return LAYOUT_NAME.test(name) ? name : undefined;
}

/** What a client asks for: to keep a layout, or to remove it. */
export interface LayoutChange {
  readonly name: string;
  /** JSON of an object; undefined removes the layout. */
  readonly text?: string | undefined;
  /** Whether the text may take the place of another layout of that name. */
  readonly mayReplace?: boolean;
}

/** Throws an Error with one sentence, and changes nothing then. */
export function changeLayout(files: RunDirectory, { name, text, mayReplace = false }: LayoutChange): void {
  if (!LAYOUT_NAME.test(name)) throw new Error(`${JSON.stringify(name.slice(0, 100))} is no name of a layout`);
  const path = `${LAYOUTS_DIRECTORY}/${layoutFile(name)}`;
  const isThere = files.has(path);
  if (text === undefined) {
    if (!isThere) throw new Error(`there is no layout ${name}`);
    files.remove(path, HEAD);
    return;
  }
  if (isThere && !mayReplace)
    throw new Error(`there is a layout ${name} already, which is replaced only when that is asked for`);
  if (!isThere && files.hasAtLeast(LAYOUTS_DIRECTORY, MOST_LAYOUTS))
    throw new Error(`${MOST_LAYOUTS} layouts are kept already; remove one first`);
  files.replace(path, Buffer.from(text), HEAD);
}
