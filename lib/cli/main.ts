#!/usr/bin/env node
// The varwire command: runs the subcommand, and prints each error as one sentence.
import { VERSION } from '../serve/version.js';
import type { CommandEntry } from './command-entry.js';
import { CLIENT_COMMANDS, COMMANDS, SIMULATION_COMMANDS } from './commands.js';
import { UsageError } from './usage.js';

const lines = (entries: readonly CommandEntry[]): string =>
  entries.map(({ name, takes, about }) => `  ${`varwire ${name} ${takes}`.padEnd(52)} ${about}`).join('\n');

const USAGE = `varwire ${VERSION}: a variable server that speaks Trick's wire, JSON-RPC and SSE

${lines(SIMULATION_COMMANDS)}

${lines(CLIENT_COMMANDS)}

A simulation is a .js, .mjs or .ts file that exports one. A server is host:port, a port of this machine, or http://host:port;
VARWIRE_SERVER names the one to use when a command line names none, VARWIRE_TOKEN the token for http.
get, set, watch, list, freeze, resume, send, checkpoint and record work with NASA's Trick too.
Exit codes: 0; 1 for a failure; 2 for a command line that is not valid. \`varwire <command> --help\` lists the options.`;

async function main([name = 'help', ...args]: readonly string[]): Promise<void> {
  if (name === 'help' || name === '--help' || name === '-h') return console.log(USAGE);
  if (name === '--version') return console.log(VERSION);
  const meant = name === 'run' && (await isForServer(args)) ? 'resume' : name;
  const entry = COMMANDS.find((candidate) => candidate.name === meant);
  if (!entry) throw new UsageError(`there is no command ${name}; varwire help lists them`);
  const command = await entry.load();
  await command(args);
}

/** Whoever types `run` for a server wants it to run again. */
async function isForServer([first]: readonly string[]): Promise<boolean> {
  return /:|^\d+$/.test(first ?? '') && (await import('./server-name.js')).isServer(first);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(`varwire: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
});
