// `varwire mcp`: tools for language models on the standard input and output, of a simulation that runs.
import { CONNECTION_OPTIONS } from './client-options.js';
import { type CommandLine, parseLine, textOf } from './command-line.js';
import { JsonClient } from './json-client.js';
import { webAddressOf } from './server-name.js';
import { UsageError } from './usage.js';

const LINE: CommandLine = {
  name: 'mcp',
  takes: '',
  about:
    'Speaks the Model Context Protocol on the standard input and output, for desktop tools; docs/mcp.md has their settings.',
  options: [
    ['--connect <server>', 'the simulation (localhost:7000)'],
    ['--read-only', 'without the tools that change the simulation'],
    ...CONNECTION_OPTIONS.filter(([flags]) => !flags.startsWith('--timeout')),
  ],
};

/** A tool may wait ten minutes for a condition. */
const LONGEST_CALL_MILLIS = 620_000;

export async function mcpCommand(args: readonly string[]): Promise<void> {
  const given = parseLine(LINE, args);
  if (!given) return;
  if (given.words.length > 0) throw new UsageError('varwire mcp takes options only, such as --connect localhost:7000');
  const [{ serveStdio }, { toolServer }, { VERSION }] = await Promise.all([
    import('@modelcontextprotocol/server/stdio'),
    import('../../protocols/mcp/server.js'),
    import('../../run/serve/version.js'),
  ]);
  const url = webAddressOf(textOf(given, 'connect') ?? 'localhost:7000', given.values.tls === true);
  const client = new JsonClient(url, { token: textOf(given, 'token'), timeoutMillis: LONGEST_CALL_MILLIS });
  const mayChange = given.values.readOnly !== true;
  serveStdio(() => toolServer({ version: VERSION, mayChange, call: (method, params) => client.call(method, params) }));
}
