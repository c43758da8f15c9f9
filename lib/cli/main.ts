#!/usr/bin/env node
// The varwire command: runs the subcommand, and prints each error as one sentence.
import { VERSION } from '../serve/version.js';
import { UsageError } from './usage.js';

const USAGE = `varwire ${VERSION}: a variable server that speaks Trick's wire, JSON-RPC and SSE

  varwire run <simulation> [options] [-- arguments of the simulation]
  varwire run <simulation> --fast --until T    without a server, as fast as it computes
  varwire monte-carlo <simulation> --runs N    many runs with drawn values, as one table

  varwire get <host:port> <name>...            values of a running simulation
  varwire set <host:port> <name> <value>       changes one
  varwire watch <host:port> <name>...          shows them as they change
  varwire list <host:port> [prefix]            the names there are
  varwire find                                 simulations on the network

A simulation is a .js, .mjs or .ts file that exports one. The commands that take <host:port> work with NASA's Trick too.
\`varwire <command> --help\` lists the options.`;

type Command = (args: readonly string[]) => Promise<void>;

/** Each is loaded when it is called: `help` is fast, and a client command loads no server. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  run: async () => (await import('./run.js')).runCommand,
  'monte-carlo': async () => (await import('./monte-carlo.js')).monteCarloCommand,
  get: async () => (await import('./get.js')).getCommand,
  set: async () => (await import('./set.js')).setCommand,
  watch: async () => (await import('./watch.js')).watchCommand,
  list: async () => (await import('./list.js')).listCommand,
  find: async () => (await import('./find.js')).findCommand,
};

async function main([name = 'help', ...args]: readonly string[]): Promise<void> {
  if (name === 'help' || name === '--help' || name === '-h') return console.log(USAGE);
  if (name === '--version') return console.log(VERSION);
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!load) throw new UsageError(`there is no command ${name}; varwire help lists them`);
  const command = await load();
  await command(args);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(`varwire: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
});
