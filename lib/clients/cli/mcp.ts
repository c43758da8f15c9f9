// `varwire mcp`: tools for language models on the standard input and output, of a simulation that runs.
import { statSync } from 'node:fs';
import type { CallMethod } from '../../protocols/mcp/tool.js';
import type { RunQuestion } from '../../source/recording/run-answers.js';
import type { RunDesk } from '../../source/recording/run-desk.js';
import { CONNECTION_OPTIONS } from './client-options.js';
import { type CommandLine, parseLine, textOf } from './command-line.js';
import { JsonClient } from './json-client.js';
import { webAddressOf } from './server-name.js';
import { UsageError } from './usage.js';
import { printable } from './value-text.js';

const LINE: CommandLine = {
  name: 'mcp',
  takes: '',
  about:
    'Speaks the Model Context Protocol on the standard input and output, for desktop tools; docs/mcp.md has their settings.',
  options: [
    ['--connect <server>', 'the simulation (localhost:7000)'],
    ['--read-only', 'without the tools that change the simulation'],
    ['--runs <directory>', 'recorded files in and below it may be listed, read and compared'],
    ...CONNECTION_OPTIONS.filter(([flags]) => !flags.startsWith('--timeout')),
  ],
};

/** A tool may wait ten minutes for a condition. */
const LONGEST_CALL_MILLIS = 620_000;

const WHEN_SILENT = 'Ask the user whether the simulation runs there.';

/** What is asked of the recorded files of a directory. */
function runsOf(directory: string | undefined, Desk: typeof RunDesk): CallMethod | undefined {
  if (directory === undefined) return undefined;
  if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`--runs takes a directory, and ${directory} is none`);
  const desk = new Desk([directory]);
  return (kind, given) => desk.ask({ kind, ...given } as RunQuestion);
}

export async function mcpCommand(args: readonly string[]): Promise<void> {
  const given = parseLine(LINE, args);
  if (!given) return;
  if (given.words.length > 0) throw new UsageError('varwire mcp takes options only, such as --connect localhost:7000');
  const [
    { serveStdio, StdioServerTransport },
    { MOST_MESSAGE_BYTES, oneSentence, toolServer },
    { RunDesk: Desk },
    { VERSION },
  ] = await Promise.all([
    import('@modelcontextprotocol/server/stdio'),
    import('../../protocols/mcp/server.js'),
    import('../../source/recording/run-desk.js'),
    import('../../simulation/recording/version.js'),
  ]);
  const url = webAddressOf(textOf(given, 'connect') ?? 'localhost:7000', given.values.tls === true);
  const client = new JsonClient(url, { token: textOf(given, 'token'), timeoutMillis: LONGEST_CALL_MILLIS });
  const mayChange = given.values.readOnly !== true;
  const runs = runsOf(textOf(given, 'runs'), Desk);
  const call: CallMethod = (method, params, signal) =>
    client.call(method, params, signal).catch((error: Error & { readonly code?: unknown }) => {
      // Without a code it is no answer of the server.
      throw error.code === undefined ? Object.assign(error, { next: WHEN_SILENT }) : error;
    });
  // A client cannot be told of what is no message.
  const onerror = ({ message }: Error): void => console.error(printable(`varwire mcp: ${oneSentence(message)}`));
  const transport = new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: MOST_MESSAGE_BYTES });
  serveStdio(() => toolServer({ version: VERSION, mayChange, call, runs }), { transport, onerror });
}
