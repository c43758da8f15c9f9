#!/usr/bin/env node
// The varwire command: finds the subcommand and says what is wrong in one sentence.
import { runCommand } from './run.js';
import { UsageError } from './usage.js';
import { VERSION } from '../index.js';

const USAGE = `varwire ${VERSION}: a variable server that speaks Trick's wire, JSON-RPC and SSE

  varwire run <simulation> [options] [-- arguments of the simulation]

A simulation is a .js, .mjs or .ts file that exports one. \`varwire run --help\` lists the options.`;

const commands: Readonly<Record<string, (args: readonly string[]) => Promise<void>>> = { run: runCommand };

async function main([name = 'help', ...args]: readonly string[]): Promise<void> {
  if (name === 'help' || name === '--help' || name === '-h') return console.log(USAGE);
  if (name === '--version') return console.log(VERSION);
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) throw new UsageError(`there is no command ${name}; varwire help lists them`);
  await command(args);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(`varwire: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
});
