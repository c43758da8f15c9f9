// `varwire play`: serves a recording, whose rows are the frames.
import { existsSync } from 'node:fs';
import { playRecording, reasonOf, serveSource } from '../../index.js';
import type { PlayedScene } from '../../source/recording/played.js';
import { optionOfSimulation } from './of-simulation.js';
import { KEYS_HELP, playByKeys } from './play-keys.js';
import { openedOf, sayFaults } from './recording-options.js';
import { optionsOf, parseServer, serveUntilEnd } from './run.js';
import { simulationFile } from './simulation-file.js';
import { UsageError } from './usage.js';
import { printable } from './value-text.js';

const HELP = `Usage: varwire play <recording>... [options]
       varwire play <name> --nats URL [options]

Serves recordings: .trk, .mcap, .parquet, .h5, .csv and other tables, and directories, each of which is one run. A directory
MONTE_... of a Monte Carlo is all of its runs, as run0, run1 and so on, with its results. Each row is a frame at its own time;
several recordings are together on one time, as run1, run2 and so on. Clients run, freeze and step them, change the rate and
go to any of their times; nothing can be written. At the last row it freezes. With --nats a name that is no file is a
simulation whose frames that server keeps (varwire run --nats-keep): its last run, as far as it has come.

Options:
  --freeze               begin frozen, at the first row
  --speed N              seconds of the recording per second, from 0.001 to 1000, or backwards --speed=-1 (1)
  --run N                of a Monte Carlo this run (repeatable); all of them are open otherwise, or as many as go together
  --keys                 ${KEYS_HELP}
  --scene SIMULATION     the simulation of the recording, whose poses are shown where it has their variables
  --time NAME            the column of times in a table (guessed)

and those of a server that varwire run --help lists, such as --port, --host and --http.`;

const WHERE = 'varwire play --help shows how';
const OPTIONS = {
  freeze: { type: 'boolean' },
  speed: { type: 'string' },
  time: { type: 'string' },
  keys: { type: 'boolean' },
  scene: { type: 'string' },
  run: { type: 'string', multiple: true },
} as const;

export async function playCommand(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseServer(args, WHERE, OPTIONS);
  if (values.help) return console.log(HELP);
  if (positionals.length === 0) throw new UsageError(`varwire play takes a recording, or several; ${WHERE}`);
  const wrong = optionOfSimulation(values);
  if (wrong) throw new UsageError(`--${wrong} is for simulations, not for recordings; ${WHERE}`);
  const runs = values.run?.map(runNumber);
  const kept = await keptOf(positionals, values);
  const recording = await openedOf(kept?.path ?? positionals, {
    ...(values.time !== undefined && { time: values.time }),
    ...(runs && { runs }),
  });
  if (runs && !recording.study)
    throw new UsageError(`--run is for a directory MONTE_... of many runs, which ${recording.file} is not; ${WHERE}`);
  const { source } = playRecording(recording, await sceneOf(values.scene));
  sayFaults(recording);
  source.freeze();
  // The thread of plots begins while the server does.
  source.recorded?.prepare([]).catch(() => undefined);
  if (values.speed !== undefined)
    await source.submit({ kind: 'control', control: { action: 'clock-ratio', ratio: Number(values.speed) } });
  if (values.keys && !process.stdin.isTTY)
    throw new UsageError(`--keys takes the keys of a terminal, and there is none; ${WHERE}`);
  let endKeys: (() => void) | undefined;
  await serveUntilEnd(values, async (log) => {
    const server = await serveSource(source, { ...(kept?.options ?? optionsOf(values)), log });
    if (positionals.length > 1)
      for (const [index, path] of positionals.entries()) log('normal', printable(`run${index + 1} is ${path}`));
    if (!values.freeze) await source.submit({ kind: 'control', control: { action: 'run' } });
    // In raw mode Ctrl-C is a key.
    if (values.keys)
      endKeys = playByKeys(process.stdin, process.stderr, source, () => process.kill(process.pid, 'SIGINT'));
    return server;
  }).finally(() => {
    endKeys?.();
    kept?.forget();
  });
}

/** What a NATS server keeps, in a file of its own; undefined where files are named. */
async function keptOf([name = '', ...others]: readonly string[], values: Parameters<typeof optionsOf>[0]) {
  const { nats, ...options } = optionsOf(values);
  if (nats === undefined || others.length > 0 || existsSync(name)) return undefined;
  const { fetchKept } = await import('../../source/edge/kept-run.js');
  return { ...(await fetchKept(nats, name)), options };
}

async function sceneOf(name: string | undefined): Promise<PlayedScene> {
  if (name === undefined) return {};
  const { declaredScene } = await import('../../run/serve/declared-scene.js');
  return declaredScene(simulationFile(name)).catch((error: unknown) => {
    throw new Error(reasonOf(error));
  });
}

function runNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new UsageError(`--run takes the number of a run, such as 17, not ${text}`);
}
