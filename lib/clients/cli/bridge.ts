// `varwire bridge`: serves a Trick simulation that runs elsewhere.
import { bridge, type Log, serveSource } from '../../index.js';
import { findOnlyTrick } from './find.js';
import { optionOfSimulation } from './of-simulation.js';
import { optionsOf, parseServer, serveUntilEnd } from './run.js';
import { trickAddressOf } from './server-name.js';
import { stopBySignal } from './stop-by-signal.js';
import { UsageError } from './usage.js';

const HELP = `Usage: varwire bridge [<server>] [options]

Serves a Trick simulation that runs elsewhere, such as localhost:7000, to every client of varwire. The simulation sees one client.
When it ends or the connection is lost, clients stay, and values go on when it is back. Without a server it is the only simulation
of Trick that announces itself on the network.

Options:
  --name NAME            how clients see the simulation (bridge)
  --read-only            clients change and control nothing

and those of a server that varwire run --help lists, such as --port, --host and --http.`;

const WHERE = 'varwire bridge --help shows how';
const OPTIONS = { name: { type: 'string' }, 'read-only': { type: 'boolean' } } as const;
/** Simulations announce themselves every 2 seconds. */
const LISTEN_SECONDS = 2.5;

export async function bridgeCommand(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseServer(args, WHERE, OPTIONS);
  if (values.help) return console.log(HELP);
  const [server, ...others] = positionals;
  if (others.length > 0) throw new UsageError(`varwire bridge takes one server; ${WHERE}`);
  const wrong = optionOfSimulation(values);
  if (wrong) throw new UsageError(`--${wrong} is for simulations that run here; ${WHERE}`);
  const { host, port } =
    server === undefined ? await findOnlyTrick({ seconds: LISTEN_SECONDS }) : trickAddressOf('bridge', server);
  const { name } = values;
  const options = { host, port, ...(name !== undefined && { name }), readOnly: values['read-only'] === true };
  // A simulation of Trick keeps the session of a client that does not say goodbye.
  const { signal, end } = stopBySignal();
  try {
    const start = async (log: Log) => serveSource(await bridge({ ...options, signal }), { ...optionsOf(values), log });
    await serveUntilEnd(values, start);
  } catch (error) {
    if (!signal.aborted) throw error;
    process.exitCode = signal.reason as number;
  } finally {
    end();
  }
}
