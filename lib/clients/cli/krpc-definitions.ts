// `varwire krpc-definitions`: the kRPC services of a simulation, for generators of client code.
import { pathToFileURL } from 'node:url';
import { loadSimulation, reasonOf } from '../../index.js';
import { krpcDefinitions } from '../../run/serve/krpc-definitions.js';
import { type CommandLine, parseLine } from './command-line.js';
import { simulationFile } from './simulation-file.js';
import { UsageError } from './usage.js';
import { jsonText } from './value-text.js';

const LINE: CommandLine = {
  name: 'krpc-definitions',
  takes: '<simulation> [-- arguments]',
  about:
    "Prints the kRPC services of a simulation as the JSON that kRPC's generator takes: varwire krpc-definitions sims/ball > ball.json, then krpc-clientgen cpp Ball ball.json. The simulation is built and does not run.",
  options: [],
};

export async function krpcDefinitionsCommand(args: readonly string[]): Promise<void> {
  const split = args.indexOf('--');
  const [own, simArguments] = split < 0 ? [args, []] : [args.slice(0, split), args.slice(split + 1)];
  const given = parseLine(LINE, own);
  if (!given) return;
  const [name, ...others] = given.words;
  if (name === undefined || others.length > 0)
    throw new UsageError('varwire krpc-definitions takes one simulation file');
  const definition = await loadSimulation(pathToFileURL(simulationFile(name)).href);
  const definitions = await krpcDefinitions(definition, simArguments).catch((error: unknown) => {
    throw new Error(reasonOf(error));
  });
  process.stdout.write(`${jsonText(definitions, 2)}\n`);
}
