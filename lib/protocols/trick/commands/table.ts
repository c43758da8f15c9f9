// All commands by name; dispatch, suggestions and the reference page use this table.
import { checkpointCommands } from './checkpoint-commands.js';
import type { Command } from './command.js';
import { commandLineCommands } from './command-line-commands.js';
import { declaringCommands } from './declaring-commands.js';
import { eventCommands } from './event-commands.js';
import { executiveCommands } from './executive-commands.js';
import { executiveQueries } from './executive-queries.js';
import { fileCommands } from './file-commands.js';
import { frameLogCommands } from './frame-log-commands.js';
import { inputCommands } from './input-commands.js';
import { jobCommands } from './job-commands.js';
import { listCommands } from './list-commands.js';
import { memoryCommands } from './memory-commands.js';
import { messageCommands } from './message-commands.js';
import { monteCarloCommands } from './monte-carlo-commands.js';
import { recordingCommands } from './recording-commands.js';
import { serverCommands } from './server-commands.js';
import { sessionCommands } from './session-commands.js';
import { steppingCommands } from './stepping-commands.js';
import { unitTestCommands } from './unit-tests.js';

/** By chapter, in the order of the reference page. */
export const COMMAND_CHAPTERS: Readonly<Record<string, readonly Command[]>> = {
  'The list and one-time reads': listCommands,
  'How a session sends': sessionCommands,
  'The executive': [...executiveCommands, ...executiveQueries, ...jobCommands, ...steppingCommands],
  Events: eventCommands,
  Checkpoints: checkpointCommands,
  "Variables of one's own": [...memoryCommands, ...declaringCommands],
  'Data recording': [...recordingCommands, ...frameLogCommands],
  Files: fileCommands,
  'Input files': [...inputCommands, ...commandLineCommands, ...unitTestCommands],
  Messages: messageCommands,
  'The server': serverCommands,
  'Monte Carlo': monteCarloCommands,
};

export const COMMANDS: ReadonlyMap<string, Command> = new Map(
  Object.values(COMMAND_CHAPTERS)
    .flat()
    .map((command) => [command.name, command]),
);
