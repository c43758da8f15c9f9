// `varwire checkpoint`: a file of the state.
import { CONNECTION_OPTIONS, JSON_OPTION, TRICK_OPTIONS, withClient } from './client-options.js';
import { type CommandLine, type GivenLine, parseLine } from './command-line.js';
import { splitServer } from './server-name.js';
import { UsageError } from './usage.js';

const OPTIONS: CommandLine['options'] = [JSON_OPTION, ...TRICK_OPTIONS.slice(0, 1), ...CONNECTION_OPTIONS];

const CHECKPOINT: CommandLine = {
  name: 'checkpoint',
  takes: '<server> <file>',
  about: 'Writes the state to a file below the run directory of the simulation.',
  options: [['--load', 'read the file instead; the simulation goes on from it'], ...OPTIONS],
};
const CHECKPOINT_ADVICE = 'varwire checkpoint takes a server and a file, such as localhost:7000 before_landing';

export async function checkpointCommand(args: readonly string[]): Promise<void> {
  const given = parseLine(CHECKPOINT, args);
  if (!given) return;
  const [server, file, ...others] = splitServer(given.words, CHECKPOINT_ADVICE);
  if (file === undefined || others.length > 0) throw new UsageError(CHECKPOINT_ADVICE);
  const { load: isLoaded } = given.values;
  await withClient('checkpoint', server, given, (client) => (isLoaded ? client.load(file) : client.checkpoint(file)));
  showDone(given, { file, done: isLoaded ? 'loaded' : 'written' });
}

/** Prints what was done, with `--json` only; without it, success prints nothing. */
function showDone({ values }: GivenLine, done: object): void {
  if (values.json) console.log(JSON.stringify(done));
}
