// All commands of varwire: what help and completion show of each, and where its code is.

import type { CommandEntry } from './command-entry.js';

const SIMULATION_COMMANDS: readonly CommandEntry[] = [
  {
    name: 'run',
    takes: '<simulation> [options] [-- arguments]',
    about: 'serves a simulation; with --fast --until T it only computes it',
    load: async () => (await import('./run.js')).runCommand,
  },
  {
    name: 'bridge',
    takes: '<server> [options]',
    about: 'serves a Trick simulation that runs elsewhere',
    load: async () => (await import('./bridge.js')).bridgeCommand,
  },
  {
    name: 'edge',
    takes: '<server> [options]',
    about: 'serves a simulation that varwire serves elsewhere',
    load: async () => (await import('./edge.js')).edgeCommand,
  },
  {
    name: 'monte-carlo',
    takes: '<simulation> --runs N | --input FILE',
    about: 'many runs with drawn values, as one table',
    load: async () => (await import('./monte-carlo.js')).monteCarloCommand,
  },
  {
    name: 'worker',
    takes: '--nats URL [--jobs N]',
    about: 'computes runs of Monte Carlo studies of other machines',
    load: async () => (await import('./worker.js')).workerCommand,
  },
  {
    name: 'fmu',
    takes: 'info <file>',
    about: 'what an FMU can do, and its variables',
    load: async () => (await import('./fmu.js')).fmuCommand,
  },
  {
    name: 'krpc-definitions',
    takes: '<simulation>',
    about: 'its kRPC services, for generators of client code',
    load: async () => (await import('./krpc-definitions.js')).krpcDefinitionsCommand,
  },
];

const CLIENT_COMMANDS: readonly CommandEntry[] = [
  {
    name: 'get',
    takes: '<server> <name>...',
    about: 'values of a running simulation',
    load: async () => (await import('./get.js')).getCommand,
  },
  {
    name: 'set',
    takes: '<server> <name> <value>',
    about: 'changes one',
    load: async () => (await import('./set.js')).setCommand,
  },
  {
    name: 'watch',
    takes: '<server> <name>...',
    about: 'shows them as they change',
    load: async () => (await import('./watch.js')).watchCommand,
  },
  {
    name: 'list',
    takes: '<server> [prefix]',
    about: 'the names there are',
    load: async () => (await import('./list.js')).listCommand,
  },
  {
    name: 'describe',
    takes: '<server> <name>...',
    about: 'type, units and more of variables',
    load: async () => (await import('./describe.js')).describeCommand,
  },
  {
    name: 'history',
    takes: '<server> <name>...',
    about: 'their past, as far as the server keeps it',
    load: async () => (await import('./history.js')).historyCommand,
  },
  {
    name: 'types',
    takes: '<server> [prefix]',
    about: 'names and types of all variables, as TypeScript',
    load: async () => (await import('./types.js')).typesCommand,
  },
  {
    name: 'status',
    takes: '<server>',
    about: 'mode and time of the simulation',
    load: async () => (await import('./status.js')).statusCommand,
  },
  {
    name: 'events',
    takes: '<server>',
    about: 'events, and when they have fired',
    load: async () => (await import('./events.js')).eventsCommand,
  },
  {
    name: 'messages',
    takes: '<server>',
    about: 'what the simulation and its server have said',
    load: async () => (await import('./messages.js')).messagesCommand,
  },
  {
    name: 'clients',
    takes: '<server>',
    about: 'who is connected',
    load: async () => (await import('./clients.js')).clientsCommand,
  },
  {
    name: 'freeze',
    takes: '<server>',
    about: 'stops the time of the simulation',
    load: async () => (await import('./control.js')).freezeCommand,
  },
  {
    name: 'resume',
    takes: '<server>',
    about: 'lets it run again; so does varwire run <server>',
    load: async () => (await import('./control.js')).resumeCommand,
  },
  {
    name: 'step',
    takes: '<server> [ticks]',
    about: 'runs so many ticks and freezes again',
    load: async () => (await import('./control.js')).stepCommand,
  },
  {
    name: 'call',
    takes: '<server> <function> [argument]...',
    about: 'calls a function of the simulation',
    load: async () => (await import('./call.js')).callCommand,
  },
  {
    name: 'send',
    takes: '<server> <text>...',
    about: 'sends Trick text and prints what is answered',
    load: async () => (await import('./send.js')).sendCommand,
  },
  {
    name: 'checkpoint',
    takes: '<server> <file>',
    about: 'writes the state to a file of the run directory; --load reads it',
    load: async () => (await import('./checkpoint.js')).checkpointCommand,
  },
  {
    name: 'record',
    takes: '<server> -o <file> | on|off',
    about: 'records a running simulation to a file; switches its own recordings',
    load: async () => (await import('./record.js')).recordCommand,
  },
  {
    name: 'find',
    takes: '',
    about: 'simulations on the network',
    load: async () => (await import('./find.js')).findCommand,
  },
  {
    name: 'mcp',
    takes: '[--connect <server>] [--read-only]',
    about: 'tools for language models, on the standard input and output',
    load: async () => (await import('./mcp.js')).mcpCommand,
  },
  {
    name: 'completion',
    takes: 'bash|zsh|fish',
    about: 'a script that completes command lines',
    load: async () => (await import('./completion.js')).completionOf(COMMANDS),
  },
];

const RECORDING_COMMANDS: readonly CommandEntry[] = [
  {
    name: 'play',
    takes: '<recording>...',
    about: 'serves recordings, which clients run, freeze, step and seek',
    load: async () => (await import('./play.js')).playCommand,
  },
  {
    name: 'info',
    takes: '<recording>',
    about: 'variables, rate and gaps of a recording; of a server what it has',
    load: async () => (await import('./info.js')).infoCommand,
  },
  {
    name: 'diff',
    takes: '<recording> <recording>',
    about: 'where two differ; the exit code says whether they do',
    load: async () => (await import('./diff.js')).diffCommand,
  },
  {
    name: 'plot',
    takes: '<recording>... <name>...',
    about: 'plots variables over time: on a page, as a picture, or as lines in the terminal',
    load: async () => (await import('./plot.js')).plotCommand,
  },
  {
    name: 'export',
    takes: '<recording>... [name]... -o <file>',
    about: 'writes what plot draws as a table',
    load: async () => (await import('./export.js')).exportCommand,
  },
  {
    name: 'convert',
    takes: '<recording> <file>',
    about: 'writes one, or a part of it, as .trk, .mcap, .parquet, .h5 or .csv',
    load: async () => (await import('./convert.js')).convertCommand,
  },
];

const COMMANDS: readonly CommandEntry[] = [...SIMULATION_COMMANDS, ...RECORDING_COMMANDS, ...CLIENT_COMMANDS];

export { CLIENT_COMMANDS, COMMANDS, RECORDING_COMMANDS, SIMULATION_COMMANDS };
