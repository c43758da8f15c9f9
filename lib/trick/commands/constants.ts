// Names of numbers in the module `trick` that commands take. Trick: its headers' enumerations
import { TYPE_CONSTANTS } from './declaring-commands.js';
import { MESSAGE_CONSTANTS } from './message-commands.js';
import { RECORDING_CONSTANTS } from './recording-value.js';

/** Constants that only commands without effect take. Trick: Threads.hh, ThreadTrigger.hh */
const THREAD_CONSTANTS = [
  ['PROCESS_TYPE_SCHEDULED', 0n],
  ['PROCESS_TYPE_ASYNC_CHILD', 1n],
  ['PROCESS_TYPE_AMF_CHILD', 2n],
  ['TT_MUTEX', 0n],
  ['TT_FLAG', 1n],
  ['TT_EVENTFD', 2n],
  ['TT_FUTEX', 3n],
] as const;

export const CONSTANTS: ReadonlyMap<string, bigint> = new Map([
  ...RECORDING_CONSTANTS,
  ...MESSAGE_CONSTANTS,
  ...THREAD_CONSTANTS,
  ...TYPE_CONSTANTS,
]);
