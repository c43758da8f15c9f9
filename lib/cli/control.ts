// `varwire freeze`, `resume` and `step`.
import { setTimeout as wait } from 'node:timers/promises';
import type { TrickClient } from '../client/index.js';
import { CONNECTION_OPTIONS, jsonClient, TRICK_OPTIONS, withClient } from './client-options.js';
import { type CommandLine, type GivenLine, parseLine } from './command-line.js';
import { modeName } from './mode-names.js';
import { parseServer, splitServer } from './server-name.js';
import { UsageError } from './usage.js';

const OPTIONS: CommandLine['options'] = [...TRICK_OPTIONS, ...CONNECTION_OPTIONS];

export const freezeCommand = (args: readonly string[]): Promise<void> =>
  changeMode({ name: 'freeze', command: 'exec_freeze', mode: 1, about: 'Stops the time of the simulation.' }, args);

export const resumeCommand = (args: readonly string[]): Promise<void> =>
  changeMode({ name: 'resume', command: 'exec_run', mode: 5, about: 'Lets a frozen simulation run again.' }, args);

interface Change {
  readonly name: 'freeze' | 'resume';
  /** Of Trick. */
  readonly command: string;
  readonly mode: number;
  readonly about: string;
}

async function changeMode({ name, command, mode, about }: Change, args: readonly string[]): Promise<void> {
  const given = parseLine({ name, takes: '<server>', about, options: OPTIONS }, args);
  if (!given) return;
  const advice = `varwire ${name} takes a server, such as localhost:7000`;
  const [server, ...others] = splitServer(given.words, advice);
  if (others.length > 0) throw new UsageError(advice);
  if (parseServer(server).kind === 'http') return control(server, given, { action: name === 'freeze' ? name : 'run' });
  await withClient(name, server, given, async (client) => {
    await client.send(`trick.${command}()`);
    await untilMode(client, mode);
    console.log(modeName(mode));
  });
}

const LONGEST_MILLIS = 5000;
const LOOK_EVERY_MILLIS = 20;

/** A Trick simulation changes its mode at the end of a frame. */
async function untilMode(client: TrickClient, mode: number): Promise<void> {
  const endMillis = performance.now() + LONGEST_MILLIS;
  for (;;) {
    const now = Number(await client.get('trick_sys.sched.mode'));
    if (now === mode) return;
    if (performance.now() > endMillis) throw new Error(`the simulation is still in ${modeName(now) || `mode ${now}`}`);
    await wait(LOOK_EVERY_MILLIS);
  }
}

interface Controlled {
  readonly mode: string;
  readonly sim_time: { readonly sec_si: number };
}

async function control(server: string, given: GivenLine, params: object): Promise<void> {
  const client = jsonClient(server, given);
  let state = (await client.call('sim/control', params)) as Controlled;
  while (state.mode === 'step') {
    await wait(LOOK_EVERY_MILLIS);
    state = (await client.call('sim/status')) as Controlled;
  }
  console.log(`${state.mode}\t${state.sim_time.sec_si}\ts`);
}

const STEP: CommandLine = {
  name: 'step',
  takes: '<server> [ticks]',
  about: "Runs so many ticks (1) and freezes again. Uses JSON-RPC, which NASA's Trick does not speak.",
  options: CONNECTION_OPTIONS,
};

export async function stepCommand(args: readonly string[]): Promise<void> {
  const given = parseLine(STEP, args);
  if (!given) return;
  const advice = 'varwire step takes a server and a number of ticks, such as localhost:7000 10';
  const [server, ticks = '1', ...others] = splitServer(given.words, advice);
  if (others.length > 0 || !/^[1-9]\d*$/.test(ticks)) throw new UsageError(advice);
  await control(server, given, { action: 'step', frames: Number(ticks) });
}
