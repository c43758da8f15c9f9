// Which lines of a stack are the simulation's own, and not varwire's, a package's or Node's.
import { fileURLToPath } from 'node:url';

/** The built files of varwire, and their sources, which stand in a stack when source maps are on. */
const OWN_FOLDERS = ['../../../lib/', '../../../grammar/', '../../lib/', '../../grammar/'].map((folder) =>
  fileURLToPath(new URL(folder, import.meta.url)),
);

const LINE = /^ +at (?:.*\()?(?:file:\/\/)?(\/[^()\n]*?):(\d+):\d+\)?$/;

function fileAndLine(line: string): readonly [file: string, line: string] | undefined {
  const [, file = '', number = ''] = LINE.exec(line) ?? [];
  const isOwn = OWN_FOLDERS.some((folder) => file.startsWith(folder)) || file.includes('/node_modules/');
  return file === '' || isOwn ? undefined : [file, number];
}

/** The first line of the simulation's own code: ` (/sims/ball.js, line 4)`; nothing when there is none. */
export function placeIn(stack: string): string {
  for (const line of stack.split('\n')) {
    const [file, number] = fileAndLine(line) ?? [];
    if (file !== undefined) return ` (${file}, line ${number})`;
  }
  return '';
}

/** The lines of the simulation's own code in the stack of what it threw; undefined when there are none. */
export function outsideStack({ stack = '', cause }: Error): string | undefined {
  const lines = (cause instanceof Error ? (cause.stack ?? '') : stack).split('\n');
  const outside = lines.filter((line) => fileAndLine(line) !== undefined);
  return outside.length === 0 ? undefined : outside.join('\n');
}
