// Names of numbers in the module `trick` that commands take. Trick: its headers' enumerations
import { TYPE_CONSTANTS } from './declaring-commands.js';
import { MESSAGE_CONSTANTS } from './message-commands.js';
import { RECORDING_CONSTANTS } from './recording-value.js';

/** Trick: Threads.hh; exec_set_thread_process_type takes them and does nothing. */
const THREAD_CONSTANTS = [
  ['PROCESS_TYPE_SCHEDULED', 0n],
  ['PROCESS_TYPE_ASYNC_CHILD', 1n],
  ['PROCESS_TYPE_AMF_CHILD', 2n],
] as const;

export const CONSTANTS: ReadonlyMap<string, bigint> = new Map([
  ...RECORDING_CONSTANTS,
  ...MESSAGE_CONSTANTS,
  ...THREAD_CONSTANTS,
  ...TYPE_CONSTANTS,
]);
