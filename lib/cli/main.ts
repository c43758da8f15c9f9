#!/usr/bin/env node
// The varwire command: runs the subcommand, and prints each error as one sentence.
import { VERSION } from '../serve/version.js';
import { COMMANDS } from './commands.js';
import { sayWhatIsNotWritten } from './lost-output.js';
import { InterruptedError, UsageError } from './usage.js';

async function main([name = 'help', ...args]: readonly string[]): Promise<void> {
  if (name === 'help' || name === '--help' || name === '-h') return (await import('./help.js')).helpCommand(args);
  if (name === '--version') return console.log(VERSION);
  const meant = name === 'run' && (await isForServer(args)) ? 'resume' : name;
  const entry = COMMANDS.find((candidate) => candidate.name === meant);
  if (!entry) throw new UsageError((await import('./help.js')).unknown(name));
  const command = await entry.load();
  await command(args);
}

/** Whoever types `run` for a server wants it to run again. */
async function isForServer([first]: readonly string[]): Promise<boolean> {
  return /:|^\d+$/.test(first ?? '') && (await import('./server-name.js')).isServer(first);
}

sayWhatIsNotWritten(process.stdout);
main(process.argv.slice(2)).catch((error: unknown) => {
  if (error instanceof InterruptedError) {
    process.exitCode = error.exitCode;
    return;
  }
  console.error(`varwire: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
});
