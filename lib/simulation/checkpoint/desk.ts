// Where checkpoints are written and parsed: files, text and everything slow, away from the simulation's thread.

import type { ClientOrOperator } from '../../model/state/fair-share.js';
import { Memory } from '../../model/state/memory.js';
import { thrownText } from '../../model/state/thrown.js';
import type { FileAccount } from '../files/disk-quota.js';
import type { RunDirectory } from '../files/run-directory.js';
import { newMemory } from './copy-memory.js';
import type { LoadPlan, ReadModel, StateModel } from './plan.js';
import { planLoad } from './reader.js';
import { CHECKPOINT_HEAD, writeCheckpoint } from './writer.js';

export type DeskTask =
  | {
      readonly kind: 'save';
      readonly file: string;
      readonly model: StateModel;
      /** A copy of the state's bytes, at the start of memory that `memoryFor` gave. */
      readonly bytes: Uint8Array;
      readonly objects?: readonly string[] | undefined;
      /** Whether the outcome is the text, and no file is written. */
      readonly isText?: boolean;
      /** The account of the file, and of the last file of its name that is known to be written. */
      readonly account?: FileAccount | undefined;
      readonly former?: FileAccount | undefined;
    }
  /** With `text`, one character a byte, no file is read. */
  | { readonly kind: 'load'; readonly file: string; readonly text?: string | undefined; readonly model: ReadModel };

export type DeskOutcome =
  | { readonly kind: 'saved' }
  /** One character a byte. */
  | { readonly kind: 'spelled'; readonly text: string }
  | { readonly kind: 'planned'; readonly plan: LoadPlan }
  /** The reason, in one sentence. */
  | { readonly kind: 'refused'; readonly error: string };

/** Runs tasks one after another, in the order of the `submit` calls. */
export interface Desk {
  /**
   * Makes memory for a copy of this size ready until `isOver`; returns whether it is, or whether `memoryFor` refuses it.
   */
  prepare(bytes: number, by: ClientOrOperator | undefined, isOver: () => boolean): boolean;
  /** Memory for a copy of the state of this size, or more; it takes long if it was not made ready. Throws an Error when too many tasks wait. */
  memoryFor(bytes: number, by?: ClientOrOperator): Buffer;
  /**
   * Throws an Error when too many tasks wait.
   * @param done called once, before this returns or in a later `collect`.
   * @param by who asks: its share bounds how many of its tasks may wait.
   */
  submit(task: DeskTask, done: (outcome: DeskOutcome) => void, by?: ClientOrOperator): void;
  /** Whether it works on what a client has asked for. */
  readonly worksForClients: boolean;
  /** Delivers finished tasks, and hands on for a short time what waits for that; call it between frames. */
  collect(): void;
  /** Whether something waits to be handed on. */
  readonly isBehind: boolean;
  /** Resolves when all submitted tasks are done. */
  close(): Promise<void>;
}

/** Runs one task. */
export function doTask(task: DeskTask, files: RunDirectory): DeskOutcome {
  try {
    if (task.kind === 'load') {
      const loaded = task.text ?? files.read(task.file, CHECKPOINT_HEAD).toString('latin1');
      return { kind: 'planned', plan: planLoad(task.model, loaded) };
    }
    const { file, model, bytes, objects, isText, account, former } = task;
    const text = writeCheckpoint(model, new Memory(bytes.buffer), objects);
    if (isText) return { kind: 'spelled', text: requireShort(text) };
    files.countedFor(account).replace(file, Buffer.from(text, 'latin1'), CHECKPOINT_HEAD, former, true);
    return { kind: 'saved' };
  } catch (error) {
    return { kind: 'refused', error: thrownText(error) };
  }
}

const LONGEST_TEXT = 1024 * 1024;

function requireShort(text: string): string {
  if (text.length <= LONGEST_TEXT) return text;
  throw new Error(`the checkpoint takes ${text.length} bytes, and a text at most ${LONGEST_TEXT}; write it to a file`);
}

/** Runs each task at once, on the calling thread: for a simulation without real time, which waits for its files. */
export const deskHere = (files: RunDirectory): Desk => ({
  prepare: () => true,
  memoryFor: newMemory,
  submit: (task, done) => done(doTask(task, files)),
  worksForClients: false,
  isBehind: false,
  collect: () => undefined,
  close: async () => undefined,
});
