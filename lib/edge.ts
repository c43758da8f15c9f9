// How a program makes a source of a simulation that varwire serves elsewhere.
// A simulation that imports varwire needs none of it, so it is loaded when an edge is made.
import { bracketed } from './serving/transport/address.js';
import type { Source } from './source/source.js';

/** Where the simulation is served. */
export interface EdgeOptions {
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** The main port of its server. */
  readonly port: number;
  /** Whether that server speaks TLS. Default false. */
  readonly tls?: boolean;
  /** For a server with tokens. */
  readonly token?: string;
}

/**
 * Makes a source of a simulation that varwire serves elsewhere; `serveSource` serves it to clients of its own. The
 * simulation's machine has one client, whatever number is served here. When the connection is lost, clients stay, and the
 * edge connects again. Rejects with one sentence when no simulation is served there.
 *
 *     await serveSource(await edge({ host: 'simulator', port: 7000 }), { port: 8000 });
 */
export async function edge({ host = '127.0.0.1', port, tls = false, token }: EdgeOptions): Promise<Source> {
  const [{ EdgeSource }, { connectBySocket }] = await Promise.all([
    import('./source/edge/edge-source.js'),
    import('./source/edge/socket-line.js'),
  ]);
  const address = `${bracketed(host)}:${port}`;
  const url = new URL(`${tls ? 'https' : 'http'}://${address}`);
  return EdgeSource.open({ address, connect: connectBySocket(url, token) });
}
