// The command tables of docs/trick-wire.md, made of the commands themselves: `node build/lib/trick/commands/reference-page.js` renews them.
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { Command } from './command.js';
import type { Parameter } from '../interpreter/parameter.js';
import { COMMAND_CHAPTERS } from './table.js';

/** From build/lib/trick/commands to docs. */
export const REFERENCE_PAGE = new URL('../../../../docs/trick-wire.md', import.meta.url);

const BEGIN = '<!-- commands: made by lib/trick/commands/reference-page.ts -->';
const END = '<!-- end of commands -->';

const literal = (value: Parameter['standard']): string =>
  typeof value === 'string' ? `"${value}"` : typeof value === 'boolean' ? (value ? 'True' : 'False') : String(value);

const signature = ({ name, parameters }: Command): string => {
  const shown = parameters.map((parameter) =>
    parameter.standard === undefined ? parameter.name : `${parameter.name}=${literal(parameter.standard)}`,
  );
  return `${name}(${shown.join(', ')})`;
};

const rowOf = (command: Command): string => `| \`${signature(command)}\` | ${command.about.replaceAll('|', '\\|')} |`;

/** All chapters, each a heading and a table. */
export function commandTables(): string {
  const chapters = Object.entries(COMMAND_CHAPTERS).map(
    ([title, commands]) => `### ${title}\n\n| Command | What it does |\n|---|---|\n${commands.map(rowOf).join('\n')}\n`,
  );
  return chapters.join('\n');
}

/** The page with its tables renewed. Throws when the page has lost their place. */
export function renewed(page: string): string {
  const [start, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (start < 0 || end < start) throw new Error(`the page has no place for the commands: ${BEGIN} ... ${END}`);
  return `${page.slice(0, start + BEGIN.length)}\n\n${commandTables()}\n${page.slice(end)}`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  writeFileSync(REFERENCE_PAGE, renewed(readFileSync(REFERENCE_PAGE, 'utf8')));
}
