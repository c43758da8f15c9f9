// `varwire help`: the commands, a command's own help, or a topic.
import { VERSION } from '../../simulation/recording/version.js';
import type { CommandEntry } from './command-entry.js';
import { CLIENT_COMMANDS, COMMANDS, RECORDING_COMMANDS, SIMULATION_COMMANDS } from './commands.js';
import { nearest } from './nearest.js';
import { UsageError } from './usage.js';

const lines = (entries: readonly CommandEntry[]): string =>
  entries.map(({ name, takes, about }) => `  ${`varwire ${name} ${takes}`.padEnd(54)} ${about}`).join('\n');

/** What is common to several commands. */
const TOPICS: Readonly<Record<string, { readonly about: string; readonly text: string }>> = {
  servers: {
    about: 'how a server is named',
    text: `A server is host:port, [::1]:port, a port of this machine, or http://host:port.

host:port speaks Trick's wire, which NASA's Trick and varwire know; http:// speaks JSON-RPC, which only varwire knows.
describe tells more over JSON-RPC; call, history, events, messages and clients use it for host:port too.
VARWIRE_SERVER names the server of command lines without one; VARWIRE_TOKEN, or --token, is the token for JSON-RPC.
--tls speaks TLS to host:port; NODE_EXTRA_CA_CERTS=ca.pem trusts a certificate besides the usual ones.`,
  },
  names: {
    about: 'variables, patterns, structures, units',
    text: `A name is a path, as varwire list prints it: ball.position, ball.position[1], craft.tanks[0].level.

ball.*            * and ? stand for anything without a dot (quote them: the shell knows them too)
craft             a structure, or an array of them, stands for all variables below it
ball.height{ft}   with units for this name; --units gives them to all names without their own`,
  },
  values: {
    about: 'how values are written and printed',
    text: `1.5  -2  1e-3  nan  inf  true  false    numbers and truth values; enumerations are labels: LANDED
'some text'                              text, as the shell passes it
[1, 2, 3]  [[1, 2], [3, 4]]              arrays; a flat list fills an array of several dimensions

Output is name, value and units with tabs between them; --json and --csv are for programs. In JSON, what a number
cannot hold is text: "nan", "inf", integers above 2^53. varwire set prints the value that the variable has afterwards.`,
  },
  'exit-codes': {
    about: 'what exit codes mean',
    text: `0    done
1    a failure: no such server or variable, a value or command that the simulation refused, a reply that did not come
2    a command line that is not valid; nothing was sent
130  ended by Ctrl-C; 143 by SIGTERM; watch ends with 0

A failure is one sentence on the standard error. varwire run ends with the exit code of the simulation, if it gives one.`,
  },
};

export async function helpCommand([topic, ...others]: readonly string[]): Promise<void> {
  if (topic === undefined) return console.log(usage());
  const known = Object.hasOwn(TOPICS, topic) ? TOPICS[topic] : undefined;
  if (known) return console.log(known.text);
  const entry = COMMANDS.find(({ name }) => name === topic);
  // The words of a command after its name, such as fmu info, have no help of their own.
  if (!entry || others.some((word) => !entry.takes.split(' ').includes(word)))
    throw new UsageError(unknown(topic, 'help on', Object.keys(TOPICS)));
  const command = await entry.load();
  await command(['--help']);
}

/** The sentence about a word that is no command. */
export function unknown(word: string, what = 'command', others: readonly string[] = []): string {
  const near = nearest(word, [...COMMANDS.map(({ name }) => name), ...others]);
  const meant = near.length > 0 ? `; did you mean ${near.join(' or ')}?` : '; varwire help lists them';
  return `there is no ${what} ${word}${meant}`;
}

const usage = (): string => `varwire ${VERSION}: a variable server that speaks Trick's wire, JSON-RPC and SSE

${lines(SIMULATION_COMMANDS)}

${lines(RECORDING_COMMANDS)}

${lines(CLIENT_COMMANDS)}

A simulation is a .js, .mjs or .ts file that exports one; a server is host:port, a port of this machine, or http://host:port.
All commands but history, events, messages and clients work with NASA's Trick too. Exit codes: 0; 1 for a failure; 2 for a command line that is not valid.

varwire help <command>, or varwire <command> --help, lists its options. More help:
${Object.entries(TOPICS)
  .map(([name, { about }]) => `  ${`varwire help ${name}`.padEnd(26)} ${about}`)
  .join('\n')}`;
