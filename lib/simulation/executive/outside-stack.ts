// Which lines of a stack are the simulation's own, and not varwire's, a package's or Node's.

import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { causeOf, thrownStack, thrownText } from '../../model/state/thrown.js';

/** The built files of varwire, and their sources, which stand in a stack when source maps are on. */
const OWN_FOLDERS = ['../../../../lib/', '../../../../grammar/', '../../../lib/', '../../../grammar/'].map((folder) =>
  fileURLToPath(new URL(folder, import.meta.url)),
);

const LINE = /^ +at (?:.*\()?(file:\/\/)?(\/[^()\n]*?):(\d+):\d+\)?$/;

function fileAndLine(line: string): readonly [file: string, line: string] | undefined {
  const [, scheme, path = '', number = ''] = LINE.exec(line) ?? [];
  const file = scheme === undefined ? path : decoded(path);
  const isOwn = OWN_FOLDERS.some((folder) => file.startsWith(folder)) || file.includes('/node_modules/');
  return file === '' || isOwn ? undefined : [file, number];
}

/** The path of a URL, such as /my%20sims/ball.js. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** The first line of the simulation's own code: ` (/sims/ball.js, line 4)`; nothing when there is none. */
export function placeIn(stack: string): string {
  for (const line of stack.split('\n')) {
    const [file, number] = fileAndLine(line) ?? [];
    if (file !== undefined) return ` (${file}, line ${number})`;
  }
  return '';
}

/** More callers of the line that threw are left out of a reason. */
const MOST_CALLERS = 8;
const LONGEST_NAME = 60;

/**
 * What an error says, with the line that threw and the stack above it:
 * `job burn failed: no fuel (tank.js, line 7; called by burn in plant.js, line 30)`.
 */
export function reasonOf(error: unknown): string {
  const stack = outsideStack(error)?.split('\n') ?? [];
  const [first, ...callers] = stack.slice(0, 1 + MOST_CALLERS).map(shownPlace);
  if (first === undefined) return thrownText(error);
  const above = callers.map((place, index) => `; called by ${nameIn(stack[index + 1])}${place}`);
  return `${thrownText(error)} (${[first, ...above].join('')}${stack.length > 1 + MOST_CALLERS ? '; and so on' : ''})`;
}

/** Clients read it, so it does not tell them the folders of this machine. */
function shownPlace(line: string): string {
  const [file = '', number] = fileAndLine(line) ?? [];
  return `${basename(file)}, line ${number}`;
}

/** The function of a line, `burn in `; empty for one without a name. */
function nameIn(line = ''): string {
  const [, name] = /^ +at (?:async )?(?:new )?(.+) \(/.exec(line) ?? [];
  return name === undefined ? '' : `${name.slice(0, LONGEST_NAME)} in `;
}

/** The lines of the simulation's own code in the stack of what it threw; undefined when there are none. */
export function outsideStack(error: unknown): string | undefined {
  const lines = (thrownStack(causeOf(error)) || thrownStack(error)).split('\n');
  const outside = lines.filter((line) => fileAndLine(line) !== undefined);
  return outside.length === 0 ? undefined : outside.join('\n');
}
