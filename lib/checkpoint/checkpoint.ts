// Saving a simulation to a file and going on from one, between ticks. Trick: CheckPointRestart

import type { RunDirectory } from '../files/run-directory.js';
import type { Catalog } from '../model/catalog.js';
import type { State } from '../model/state.js';
import { isTrickObject, type LoadedCheckpoint, loadCheckpoint } from './reader.js';
import { writeCheckpoint } from './writer.js';

/** The simulation time that a checkpoint is of, and that the simulation goes on from. */
interface RestoredTime {
  readonly timeSeconds: number;
  readonly timeTics: number;
  readonly ticsPerSecond: number;
  continueFrom(timeTics: number, frameCount: number): void;
}

/** What checkpoints save and restore. */
export interface Checkpointed {
  readonly state: State;
  readonly catalog: Catalog;
  readonly executive: RestoredTime;
  readonly pacer: { restart(nowMillis: number, timeTics: number): void };
  readonly files: RunDirectory;
  readonly nowMillis: () => number;
  say(text: string, level: 'informational'): void;
}

/**
 * Writes the state as it is now. Throws an Error with one sentence.
 * @param file in the run directory; `chkpnt_` with the simulation time when empty.
 * @param objects by name; all when left out.
 */
export function saveCheckpoint(running: Checkpointed, file: string, objects?: readonly string[]): void {
  const { state, executive, files } = running;
  const name = file || `chkpnt_${executive.timeSeconds.toFixed(6)}`;
  state.pullMirrors();
  files.replace(name, Buffer.from(writeCheckpoint(state, objects), 'latin1'));
  running.say(`Dumped ASCII Checkpoint ${name}.`, 'informational');
}

/** Goes on from a file in the run directory, at its simulation time. Throws an Error that has changed nothing. */
export function restoreCheckpoint(running: Checkpointed, file: string): void {
  const { state, executive, pacer, files } = running;
  const text = files.read(file).toString('latin1');
  state.pullMirrors();
  const loaded = loadCheckpoint(state, text);
  takeOver(running, loaded);
  const time = timeIn(loaded, executive);
  if (time) executive.continueFrom(time.timeTics, time.frameCount);
  pacer.restart(running.nowMillis(), executive.timeTics);
  running.say(`Loaded ASCII Checkpoint ${file}.`, 'informational');
}

/** What one mirror refuses undoes all. */
function takeOver({ state, catalog }: Checkpointed, loaded: LoadedCheckpoint): void {
  const taken: string[] = [];
  const undo = loaded.commit();
  try {
    for (const component of componentsOf(catalog, loaded.objects)) {
      taken.push(component);
      state.pushMirror(component);
    }
  } catch (error) {
    undo();
    for (const component of taken.slice(0, -1)) state.pushMirror(component);
    loaded.discard();
    throw error;
  }
}

const componentsOf = (catalog: Catalog, objects: readonly string[]): string[] =>
  catalog.objects
    .filter(({ name }) => objects.includes(name) && !isTrickObject(name))
    .flatMap(({ name, type }) => type.members.map((member) => `${name}.${member.name}`));

/** A file that says how long a tic is says what time it is: a time of 0 is left out like every zero. */
function timeIn({ executive: said }: LoadedCheckpoint, executive: RestoredTime) {
  const ticsPerSecond = said.get('trick_sys.sched.time_tic_value');
  if (!ticsPerSecond) return undefined;
  const tics = said.get('trick_sys.sched.time_tics') ?? 0n;
  const timeTics = Number((tics * BigInt(executive.ticsPerSecond)) / ticsPerSecond);
  const frameCount = Number(said.get('trick_sys.sched.frame_count') ?? 0n);
  return Number.isSafeInteger(timeTics) ? { timeTics, frameCount } : undefined;
}
