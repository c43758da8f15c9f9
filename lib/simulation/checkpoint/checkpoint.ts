// Saves a simulation to a file and restores it: the part that happens between ticks. Trick: CheckPointRestart

import { type Allocation, bytesOf, MOST_VARIABLE_BYTES, MOST_VARIABLES } from '../../model/state/allocations.js';
import type { Catalog } from '../../model/state/catalog.js';
import { requireDeclaredShare } from '../../model/state/declared-share.js';
import { type Client, type ClientOrOperator, clientOf } from '../../model/state/fair-share.js';
import type { State } from '../../model/state/state.js';
import type { RunDirectory } from '../files/run-directory.js';
import type { Desk, DeskOutcome } from './desk.js';
import { type LoadPlan, modelOf, readModelOf, takeOver } from './plan.js';

/** The simulation time of a checkpoint, at which a restored simulation continues. */
interface RestoredTime {
  readonly timeSeconds: number;
  readonly timeTics: number;
  readonly clockSeconds: number;
  readonly ticsPerSecond: number;
  continueFrom(timeTics: number, frameCount: number): void;
}

/** What checkpoints save and restore. */
export interface Checkpointed {
  readonly state: State;
  readonly catalog: Catalog;
  readonly executive: RestoredTime;
  readonly pacer: { restart(nowMillis: number, timeTics: number): void };
  readonly desk: Desk;
  readonly clientFiles: RunDirectory;
  readonly nowMillis: () => number;
  say(text: string, level: 'informational'): void;
}

/** A checkpoint that has been written. */
export type SavedCheckpoint = {
  /** In the run directory. */
  readonly file: string;
  /** Simulation time of its state, by the simulation's clock. */
  readonly seconds: number;
};

/**
 * Called when the slow part is done. The simulation runs `finish` between ticks; it throws what refuses the request, and
 * returns the answer's value.
 */
export type Done = (finish: () => SavedCheckpoint | string | undefined) => void;

/** A request for a checkpoint. */
interface Asked {
  /** A name in the run directory. An empty name means, for writing, `chkpnt_` with the simulation time. */
  readonly file: string;
  readonly by?: ClientOrOperator;
}

/**
 * Copies the current state and has it written, to a file or as the answer's text. Throws an Error with one sentence.
 * @param objects by name; all when left out.
 */
export function saveCheckpoint(
  running: Checkpointed,
  { file, objects, isText = false, by }: Asked & { readonly objects?: readonly string[]; readonly isText?: boolean },
  done: Done,
): void {
  const { state, executive, desk, clientFiles } = running;
  const seconds = executive.clockSeconds;
  const name = file || `chkpnt_${executive.timeSeconds.toFixed(6)}`;
  state.pullMirrors('saving');
  const model = modelOf(state, running.catalog);
  const bytes = desk.memoryFor(model.usedBytes, by);
  state.arena.memory.bytes.copy(bytes, 0, 0, model.usedBytes);
  const account = clientFiles.accountOf(clientOf(by));
  const former = clientFiles.accountElsewhere(name);
  const written = (outcome: DeskOutcome) => {
    if (outcome.kind === 'saved') clientFiles.writtenElsewhere(name, account);
    done(() => {
      planIn(outcome);
      if (outcome.kind === 'spelled') return outcome.text;
      running.say(`Dumped ASCII Checkpoint ${name}.`, 'informational');
      return { file: name, seconds };
    });
  };
  desk.submit({ kind: 'save', file: name, model, bytes, objects, isText, account, former }, written, by);
}

/** Has a file of the run directory, or a text, read, and then continues from it, at its simulation time. */
export function restoreCheckpoint(
  running: Checkpointed,
  { file, text, by }: Asked & { readonly text?: string },
  done: Done,
): void {
  const { state, executive, pacer, desk } = running;
  const read = (outcome: DeskOutcome) =>
    done(() => {
      const plan = planIn(outcome) as LoadPlan;
      state.pullMirrors('loading');
      takeOverWithMirrors(running, plan, clientOf(by));
      const time = timeIn(plan, executive);
      if (time) executive.continueFrom(time.timeTics, time.frameCount);
      pacer.restart(running.nowMillis(), executive.timeTics);
      if (plan.skipped.length > 0) running.say(skippedIn(file, plan.skipped), 'informational');
      running.say(`Loaded ASCII Checkpoint ${file}.`, 'informational');
      return undefined;
    });
  desk.submit({ kind: 'load', file, text, model: readModelOf(state, running.catalog) }, read, by);
}

/** Throws the Error of a refused task. */
function planIn(outcome: DeskOutcome): LoadPlan | undefined {
  if (outcome.kind === 'refused') throw new Error(outcome.error);
  return outcome.kind === 'planned' ? outcome.plan : undefined;
}

const MOST_NAMED = 5;

function skippedIn(file: string, skipped: readonly string[]): string {
  const named = skipped.slice(0, MOST_NAMED).join(', ');
  const more = skipped.length > MOST_NAMED ? ` and ${skipped.length - MOST_NAMED} more` : '';
  return `${file} declares what has no counterpart here, which is left out: ${named.slice(0, 500)}${more}`;
}

/**
 * Variables of a file come beside those that it does not remove. Throws an Error when there are too many together, or
 * when the memory of the file is more than the share of the client that loads it leaves.
 */
export function requireRoom({ allocations }: State, { fresh, gone }: LoadPlan, by?: Client): void {
  if (fresh.length === 0) return;
  const removed = new Set(gone);
  const isRemoved = ({ name }: Allocation): boolean => name !== undefined && removed.has(name);
  if (by) requireDeclaredShare(allocations, by, { count: fresh.length, bytes: bytesIn(fresh) }, isRemoved);
  const made = fresh.filter(({ name }) => name !== undefined);
  if (made.length === 0) return;
  const all = [...[...allocations.own].filter((one) => one.name !== undefined && !isRemoved(one)), ...made];
  const bytes = bytesIn(all);
  if (all.length <= MOST_VARIABLES && bytes <= MOST_VARIABLE_BYTES) return;
  throw new Error(
    `with those that are there, there would be ${all.length} declared variables of ${bytes} bytes; there may be ${MOST_VARIABLES} of ${MOST_VARIABLE_BYTES}`,
  );
}

const bytesIn = (all: readonly Allocation[]): number => all.reduce((sum, one) => sum + bytesOf(one), 0);

/** If one mirror refuses its value, everything is undone. */
function takeOverWithMirrors({ state }: Checkpointed, plan: LoadPlan, by: Client | undefined): void {
  requireRoom(state, plan, by);
  const taken: string[] = [];
  const { undo, end } = takeOver(state, plan, by, plan.objects.length === 0);
  try {
    for (const component of componentsOf(state, plan.objects)) {
      taken.push(component);
      state.pushMirror(component);
    }
  } catch (error) {
    undo();
    for (const component of taken.slice(0, -1)) state.pushMirror(component);
    throw error;
  }
  end();
}

const componentsOf = (state: State, names: readonly string[]): string[] =>
  names.flatMap((name) => state.aliasesOf(name).map((alias) => `${name}.${alias}`));

/** A file with the length of a tic also defines the time: a time of 0 is left out, like every zero. */
function timeIn({ executive: said }: LoadPlan, executive: RestoredTime) {
  const ticsPerSecond = said.get('trick_sys.sched.time_tic_value');
  if (!ticsPerSecond) return undefined;
  const tics = said.get('trick_sys.sched.time_tics') ?? 0n;
  const timeTics = Number((tics * BigInt(executive.ticsPerSecond)) / ticsPerSecond);
  const frameCount = Number(said.get('trick_sys.sched.frame_count') ?? 0n);
  return Number.isSafeInteger(timeTics) ? { timeTics, frameCount } : undefined;
}
