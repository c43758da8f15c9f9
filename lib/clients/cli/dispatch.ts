// Runs the subcommand that a command line names, and prints each error as one sentence.
import { COMMANDS } from './commands.js';
import { InterruptedError, StoppedError, UsageError } from './usage.js';
import { printableLines } from './value-text.js';

/** Runs a whole command line, and sets the exit code of the process when it is not 0. Resolves with whether it was refused. */
export async function dispatch(args: readonly string[]): Promise<boolean> {
  try {
    await subcommand(args);
    return false;
  } catch (error) {
    if (error instanceof InterruptedError) {
      process.exitCode = error.exitCode;
      return false;
    }
    console.error(printableLines(`varwire: ${error instanceof Error ? error.message : String(error)}`));
    process.exitCode = error instanceof UsageError ? 2 : error instanceof StoppedError ? error.exitCode : 1;
    return true;
  }
}

async function subcommand([name = 'help', ...args]: readonly string[]): Promise<void> {
  if (name === 'help' || name === '--help' || name === '-h') return (await import('./help.js')).helpCommand(args);
  if (name === '--version') return console.log((await import('../../simulation/recording/version.js')).VERSION);
  const meant = name === 'run' && (await isForServer(args)) ? 'resume' : name;
  const entry = COMMANDS.find((candidate) => candidate.name === meant);
  if (!entry) throw new UsageError((await import('./help.js')).unknown(name));
  const command = await entry.load();
  await command(args);
}

/** Whether `run` names a server: it then means the command `resume`. */
async function isForServer([first]: readonly string[]): Promise<boolean> {
  return /:|^\d+$/.test(first ?? '') && (await import('./server-name.js')).isServer(first);
}
