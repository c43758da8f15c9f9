// The table of messages in docs/trick-wire.md and the page of commands, made from the code: `node
// build/lib/protocols/trick/commands/reference-page.js` renews them.
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { Parameter } from '../../python/index.js';
import { MESSAGES, type WireMessage } from '../wire/messages.js';
import type { Command } from './command.js';
import { COMMAND_CHAPTERS } from './table.js';
import { type CommandRow, REFUSED, TAKEN } from './without-effect-table.js';

/** The page in docs, seen from build/lib/protocols/trick/commands. */
export const REFERENCE_PAGE = new URL('../../../../../docs/trick-wire.md', import.meta.url);

export const COMMANDS_PAGE = new URL('../../../../../docs/api/trick-commands.md', import.meta.url);

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
function commandTables(): string {
  const chapters = Object.entries(COMMAND_CHAPTERS).map(
    ([title, commands]) => `## ${title}\n\n| Command | What it does |\n|---|---|\n${commands.map(rowOf).join('\n')}\n`,
  );
  return [...chapters, tableOf('Taken for compatibility', TAKEN), tableOf('Refused', REFUSED)].join('\n');
}

/** What does nothing or is refused, a row for each reason. */
function tableOf(title: string, rows: readonly CommandRow[]): string {
  const byReason = new Map<string, string[]>();
  for (const { why, names } of rows) byReason.set(why, [...(byReason.get(why) ?? []), ...names.split(' ')]);
  const lines = [...byReason].map(
    ([why, names]) => `| ${names.map((name) => `\`${name}\``).join(', ')} | ${why.replace('*', 'it')} |`,
  );
  return `## ${title}\n\n| Names | Why |\n|---|---|\n${lines.join('\n')}\n`;
}

const messageRow = ({ indicator, answers, ascii, binary }: WireMessage): string =>
  `| \`${indicator}\` | ${answers} | \`${ascii}\` | ${binary ?? 'the same'} |`;

/** All messages, in the order of their indicators. */
function messageTable(): string {
  const rows = Object.values(MESSAGES).map(messageRow);
  return `| Indicator | Answer to | In ASCII | In binary |\n|---|---|---|---|\n${rows.join('\n')}\n`;
}

/** The page with its table of messages renewed. Throws when the page has lost the place of it. */
export function renewed(page: string): string {
  const begin = '<!-- messages: made by lib/protocols/trick/commands/reference-page.ts -->';
  const [start, end] = [page.indexOf(begin), page.indexOf('<!-- end of messages -->')];
  if (start < 0 || end < start) throw new Error(`the page has no place for the messages: ${begin}`);
  return `${page.slice(0, start + begin.length)}\n\n${messageTable()}\n${page.slice(end)}`;
}

/** The page of all commands. */
export const commandsPage = (): string => `# Commands of the Trick wire

What sessions and input files call as \`trick.name(...)\`; [the Trick wire](../trick-wire.md) says how. Times are simulation seconds.

${commandTables()}`;

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  writeFileSync(COMMANDS_PAGE, commandsPage());
  writeFileSync(REFERENCE_PAGE, renewed(readFileSync(REFERENCE_PAGE, 'utf8')));
}
