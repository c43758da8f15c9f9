// `varwire freeze`, `resume` and `step`.
import { setTimeout as wait } from 'node:timers/promises';
import type { TrickClient } from '../trick/index.js';
import { CONNECTION_OPTIONS, JSON_OPTION, jsonClient, TRICK_OPTIONS, withClient } from './client-options.js';
import { type CommandLine, type GivenLine, parseLine } from './command-line.js';
import { outputForm, rowsText } from './rows.js';
import { parseServer, splitServer } from './server-name.js';
import { type TimeRows, timeOfTrick, timeRows } from './time-rows.js';
import { UsageError } from './usage.js';
import { printableLines } from './value-text.js';

const OPTIONS: CommandLine['options'] = [JSON_OPTION, ...TRICK_OPTIONS, ...CONNECTION_OPTIONS];

export const freezeCommand = (args: readonly string[]): Promise<void> =>
  control({ name: 'freeze', about: 'Stops the time of the simulation.', change: (client) => client.freeze() }, args);

export const resumeCommand = (args: readonly string[]): Promise<void> =>
  control({ name: 'resume', about: 'Lets a frozen simulation run again.', change: (client) => client.run() }, args);

interface Change {
  readonly name: 'freeze' | 'resume';
  readonly about: string;
  readonly change: (client: TrickClient) => Promise<void>;
}

async function control({ name, about, change }: Change, args: readonly string[]): Promise<void> {
  const given = parseLine({ name, takes: '<server>', about, options: OPTIONS }, args);
  if (!given) return;
  const advice = `varwire ${name} takes a server, such as localhost:7000`;
  const [server, ...others] = splitServer(given.words, advice);
  if (others.length > 0) throw new UsageError(advice);
  const action = name === 'freeze' ? name : 'run';
  if (parseServer(server).kind === 'http') return controlByWeb(server, given, { action });
  await withClient(name, server, given, async (client) => {
    await change(client);
    showTime(given, await timeOfTrick(client));
  });
}

/** One line for a reader, and the same as `varwire status --json` for a program. */
function showTime(given: GivenLine, [mode, time]: TimeRows): void {
  if (outputForm(given) === 'json') console.log(rowsText([mode, time], 'json'));
  else console.log(printableLines(`${mode.value}\t${time.value}\ts`));
}

const LOOK_EVERY_MILLIS = 20;

interface Controlled {
  readonly mode: string;
  readonly sim_time: { readonly sec_si: number };
}

async function controlByWeb(server: string, given: GivenLine, params: object): Promise<void> {
  const client = jsonClient(server, given);
  let state = (await client.call('sim/control', params)) as Controlled;
  while (state.mode === 'step') {
    await wait(LOOK_EVERY_MILLIS);
    state = (await client.call('sim/status')) as Controlled;
  }
  showTime(given, timeRows(state.mode, state.sim_time.sec_si));
}

/** A single number counts ticks if the environment names the server; otherwise it is a port. */
function withServer(words: readonly string[]): readonly string[] {
  const usual = process.env.VARWIRE_SERVER;
  return usual && words.length === 1 && /^\d+$/.test(words[0] ?? '') ? [usual, ...words] : words;
}

const STEP: CommandLine = {
  name: 'step',
  takes: '<server> [ticks]',
  about: 'Runs so many ticks (1) of a frozen simulation, and freezes again.',
  options: OPTIONS,
};

export async function stepCommand(args: readonly string[]): Promise<void> {
  const given = parseLine(STEP, args);
  if (!given) return;
  const advice = 'varwire step takes a server and a number of ticks, such as localhost:7000 10';
  const [server, ticks = '1', ...others] = splitServer(withServer(given.words), advice);
  if (others.length > 0 || !/^[1-9]\d*$/.test(ticks)) throw new UsageError(advice);
  const frames = Number(ticks);
  if (parseServer(server).kind === 'http') return controlByWeb(server, given, { action: 'step', frames });
  await withClient('step', server, given, async (client) => {
    await client.step(frames);
    showTime(given, await timeOfTrick(client));
  });
}
