// `varwire send`: sends Trick text and prints what is answered.
import type { Message } from '../trick/index.js';
import { CONNECTION_OPTIONS, JSON_OPTION, TRICK_OPTIONS, withClient } from './client-options.js';
import { type CommandLine, parseLine } from './command-line.js';
import { splitServer } from './server-name.js';
import { UsageError } from './usage.js';
import { jsonText, printable, printableLines } from './value-text.js';

const LINE: CommandLine = {
  name: 'send',
  takes: '<server> <text>...',
  about:
    'Sends Trick text, each word as a line of one block, and prints what is answered: lines as they come, and what the block prints. A block that fails ends the command with exit code 1.',
  options: [JSON_OPTION, ...TRICK_OPTIONS.slice(0, 1), ...CONNECTION_OPTIONS],
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
    if (given.values.json) console.log(jsonText(answersOf(messages), 2));
    else for (const message of messages) show(message);
    if (printed(messages, 'stderr') !== '') process.exitCode = 1;
  });
}

/** Lines and files in their order, and what was printed. */
function answersOf(messages: readonly Message[]): object {
  const answers = messages.flatMap((message) => {
    if (message.kind === 'line') return [{ indicator: message.indicator, text: message.text }];
    return message.kind === 'file' ? [{ indicator: message.indicator, text: String(message.bytes ?? '') }] : [];
  });
  return { answers, printed: printed(messages, 'stdout'), errors: printed(messages, 'stderr') };
}

const printed = (messages: readonly Message[], stream: 'stdout' | 'stderr'): string =>
  messages.map((message) => (message.kind === 'stdio' && message.stream === stream ? message.text : '')).join('');

/** A terminal shows a file as text; elsewhere its bytes are kept. */
function show(message: Message): void {
  if (message.kind === 'line') console.log(`${message.indicator}\t${printable(message.text)}`);
  else if (message.kind === 'stdio') process[message.stream].write(printableLines(message.text));
  else if (message.kind === 'file') {
    const bytes = message.bytes ?? Buffer.alloc(0);
    process.stdout.write(process.stdout.isTTY ? printableLines(String(bytes)) : bytes);
  }
}
