// `varwire send`: sends Trick text and prints what is answered.
import type { Message } from '../client/index.js';
import { CONNECTION_OPTIONS, TRICK_OPTIONS, withClient } from './client-options.js';
import { type CommandLine, parseLine } from './command-line.js';
import { splitServer } from './server-name.js';
import { UsageError } from './usage.js';

const LINE: CommandLine = {
  name: 'send',
  takes: '<server> <text>...',
  about:
    'Sends Trick text, each word as a line of one block, and prints what is answered: lines as they come, and what the block prints. A block that fails ends the command with exit code 1.',
  options: [...TRICK_OPTIONS.slice(0, 1), ...CONNECTION_OPTIONS],
};
const ADVICE = "varwire send takes a server and text, such as localhost:7000 'print(trick.exec_get_sim_time())'";

export async function sendCommand(args: readonly string[]): Promise<void> {
  const given = parseLine({ ...LINE }, args);
  if (!given) return;
  const [server, ...text] = splitServer(given.words, ADVICE);
  if (text.length === 0) throw new UsageError(ADVICE);
  const asAscii = { ...given, values: { ...given.values, ascii: true } };
  await withClient('send', server, asAscii, async (client) => {
    await client.send('trick.var_set_send_stdio(True)');
    const messages = await client.send(text.join('\n'));
    for (const message of messages) show(message);
  });
}

function show(message: Message): void {
  if (message.kind === 'line') console.log(`${message.indicator}\t${message.text}`);
  else if (message.kind === 'file') process.stdout.write(message.bytes ?? '');
  else if (message.kind === 'stdio' && message.stream === 'stdout') process.stdout.write(message.text);
  else if (message.kind === 'stdio') {
    process.stderr.write(message.text);
    process.exitCode = 1;
  }
}
