// `varwire play`: serves a recording, whose rows are the frames.
import { openRecording, playRecording, serveSource } from '../../index.js';
import { optionsOf, parseServer, serveUntilEnd } from './run.js';
import { UsageError } from './usage.js';
import { printable } from './value-text.js';

const HELP = `Usage: varwire play <recording> [options]

Serves a recording: a .trk file of Trick, or a .csv file or other table. Each row is a frame at its own time. Clients run, freeze
and step it, change its rate and go to any of its times; nothing can be written. At its last row it freezes.

Options:
  --freeze               begin frozen, at the first row
  --time NAME            the column of times in a table (guessed)

and those of a server that varwire run --help lists, such as --port, --host and --http.`;

const WHERE = 'varwire play --help shows how';
const OPTIONS = { freeze: { type: 'boolean' }, time: { type: 'string' } } as const;
const OF_SIMULATION = ['input', 'input-dir', 'client-rules', 'run-dir', 'disk-quota', 'stuck-after'] as const;

export async function playCommand(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseServer(args, WHERE, OPTIONS);
  if (values.help) return console.log(HELP);
  const [file, ...others] = positionals;
  if (file === undefined || others.length > 0) throw new UsageError(`varwire play takes one recording; ${WHERE}`);
  const wrong = OF_SIMULATION.find((option) => values[option] !== undefined);
  if (wrong) throw new UsageError(`--${wrong} is for simulations, not for recordings; ${WHERE}`);
  const recording = openRecording(file, values.time === undefined ? {} : { time: values.time });
  for (const fault of recording.faults) console.error(printable(`varwire: ${file}: ${fault}`));
  const { source, run } = playRecording(recording);
  if (values.freeze) source.freeze();
  await serveUntilEnd(values, async (log) => {
    const server = await serveSource(source, { ...optionsOf(values), log });
    if (!values.freeze) run();
    return server;
  });
}
