// `varwire edge`: serves a simulation that varwire serves elsewhere, to clients of its own.
import { type EdgeOptions, type EdgeServer, edge, serveSource } from '../../index.js';
import { optionOfSimulation } from './of-simulation.js';
import { optionsOf, parseServer, serveUntilEnd } from './run.js';
import { trickAddressOf } from './server-name.js';
import { UsageError } from './usage.js';

const HELP = `Usage: varwire edge <server>... [options]
       varwire edge [<name>...] --nats URL [options]

Serves a simulation that varwire run serves elsewhere, such as simulator:7000, to clients of its own. The machine of the
simulation has one client more, whatever number is served here. When it ends or the connection is lost, clients stay, and
values go on when it is back. Of several, the numbers of each are below its name, side by side.

Options:
  --nats URL             simulations of these names at a NATS server, such as nats://broker:4222; without names, all side by
                         side, also those that come later
  --token TOKEN          for a server with tokens (VARWIRE_TOKEN)
  --tls                  that server speaks TLS; NODE_EXTRA_CA_CERTS names more certificates to trust

and those of a server that varwire run --help lists, such as --port, --host and --http.`;

const WHERE = 'varwire edge --help shows how';
const OPTIONS = { token: { type: 'string' }, tls: { type: 'boolean' } } as const;

interface Given {
  readonly token?: string;
  readonly tls?: boolean;
}

export async function edgeCommand(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseServer(args, WHERE, OPTIONS);
  if (values.help) return console.log(HELP);
  const wrong = optionOfSimulation(values);
  if (wrong) throw new UsageError(`--${wrong} is for simulations that run here; ${WHERE}`);
  const { nats, ...own } = optionsOf(values);
  const places: readonly EdgeOptions[] =
    nats === undefined
      ? positionals.map((server) => placeOf(server, values))
      : positionals.map((name) => ({ nats, name }));
  const [first = nats === undefined ? undefined : { nats }, ...others] = places;
  if (!first) throw new UsageError(`varwire edge takes a simulation, or several; ${WHERE}`);
  await serveUntilEnd(values, async (log) =>
    serveSource(await edge(others.length > 0 ? places : first), { ...own, log }),
  );
}

function placeOf(server: string, { token = process.env.VARWIRE_TOKEN, tls = false }: Given): EdgeServer {
  return { ...trickAddressOf('edge', server), tls, ...(token !== undefined && { token }) };
}
