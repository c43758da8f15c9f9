#!/usr/bin/env node
// The varwire command: finds the subcommand and says what is wrong in one sentence.
import { VERSION } from '../index.js';
import { findCommand } from './find.js';
import { getCommand } from './get.js';
import { listCommand } from './list.js';
import { runCommand } from './run.js';
import { setCommand } from './set.js';
import { UsageError } from './usage.js';
import { watchCommand } from './watch.js';

const USAGE = `varwire ${VERSION}: a variable server that speaks Trick's wire, JSON-RPC and SSE

  varwire run <simulation> [options] [-- arguments of the simulation]

  varwire get <host:port> <name>...            values of a running simulation
  varwire set <host:port> <name> <value>       changes one
  varwire watch <host:port> <name>...          shows them as they change
  varwire list <host:port> [prefix]            the names there are
  varwire find                                 simulations on the network

A simulation is a .js, .mjs or .ts file that exports one. The commands that take <host:port> work with NASA's Trick too.
\`varwire <command> --help\` lists the options.`;

const commands: Readonly<Record<string, (args: readonly string[]) => Promise<void>>> = {
  run: runCommand,
  get: getCommand,
  set: setCommand,
  watch: watchCommand,
  list: listCommand,
  find: findCommand,
};

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
