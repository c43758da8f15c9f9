// Where checkpoints are spelled and read: files, text and all that takes time, away from the simulation's own thread.
import type { RunDirectory } from '../files/run-directory.js';
import { Memory } from '../model/memory.js';
import type { LoadPlan, StateModel } from './plan.js';
import { planLoad } from './reader.js';
import { CHECKPOINT_HEAD, writeCheckpoint } from './writer.js';

export type DeskTask =
  | {
      readonly kind: 'save';
      readonly file: string;
      readonly model: StateModel;
      /** A copy of the state's bytes. */
      readonly bytes: Uint8Array;
      readonly objects?: readonly string[] | undefined;
    }
  | { readonly kind: 'load'; readonly file: string; readonly model: StateModel };

export type DeskOutcome =
  | { readonly kind: 'saved' }
  | { readonly kind: 'planned'; readonly plan: LoadPlan }
  /** In one sentence. */
  | { readonly kind: 'refused'; readonly error: string };

/** Tasks are done one after another, in the order in which they are given. */
export interface Desk {
  /** @param done is called once, before this returns or within a later `collect`. Throws an Error when too many wait. */
  submit(task: DeskTask, done: (outcome: DeskOutcome) => void): void;
  /** To be called between frames. */
  collect(): void;
  /** Resolves when all that was submitted is done. */
  close(): Promise<void>;
}

/** Does one task. */
export function doTask(task: DeskTask, files: RunDirectory): DeskOutcome {
  try {
    if (task.kind === 'load')
      return { kind: 'planned', plan: planLoad(task.model, files.read(task.file).toString('latin1')) };
    const { file, model, bytes, objects } = task;
    const text = writeCheckpoint(model, new Memory(bytes.buffer), objects);
    files.replace(file, Buffer.from(text, 'latin1'), CHECKPOINT_HEAD);
    return { kind: 'saved' };
  } catch (error) {
    return { kind: 'refused', error: error instanceof Error ? error.message : String(error) };
  }
}

/** Does each task at once, where it is called: for a simulation without real time, which waits for its files. */
export const deskHere = (files: RunDirectory): Desk => ({
  submit: (task, done) => done(doTask(task, files)),
  collect: () => undefined,
  close: async () => undefined,
});
