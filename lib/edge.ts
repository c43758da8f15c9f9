// How a program makes a source of a simulation that varwire serves elsewhere.
// A simulation that imports varwire needs none of it, so it is loaded when an edge is made.
import { LIMITS } from './model/bounds/limits.js';
import { bracketed } from './serving/transport/address.js';
import type { Source } from './source/source.js';

/** A simulation on the main port of its server. */
export interface EdgeServer {
  /** Default 127.0.0.1. */
  readonly host?: string;
  readonly port: number;
  /** Whether that server speaks TLS. Default false. */
  readonly tls?: boolean;
  /** For a server with tokens. */
  readonly token?: string;
}

/** A simulation at a NATS server. */
export interface EdgeByNats {
  /** `nats://host:4222`, with `user:password@` before the host where the server asks for it; `tls://` for TLS. */
  readonly nats: string;
  /** The name that the simulation has there. Default: all that are there side by side, and those that come later. */
  readonly name?: string;
}

/** Where the simulation is served. */
export type EdgeOptions = EdgeServer | EdgeByNats;

/**
 * Makes a source of a simulation that varwire serves elsewhere; `serveSource` serves it to clients of its own. The
 * simulation's machine has one client, whatever number is served here. When the connection is lost, clients stay, and the
 * edge connects again. Rejects with one sentence when no simulation is served there.
 *
 *     await serveSource(await edge({ host: 'simulator', port: 7000 }), { port: 8000 });
 *
 * Of several, and of all at a NATS server, it makes one source, in which the numbers of each are below its name.
 */
export async function edge(options: EdgeOptions | readonly EdgeOptions[]): Promise<Source> {
  return isSeveral(options) ? several(options) : opened(options);
}

const isSeveral = (options: EdgeOptions | readonly EdgeOptions[]): options is readonly EdgeOptions[] =>
  Array.isArray(options);

async function opened(options: EdgeOptions): Promise<Source> {
  if ('nats' in options && options.name === undefined) return all(options.nats);
  const { EdgeSource } = await import('./source/edge/edge-source.js');
  return EdgeSource.open('nats' in options ? await byNats(options) : await bySocket(options));
}

async function all(url: string): Promise<Source> {
  const [{ AllByNats }, { OVERLAYS }] = await Promise.all([
    import('./source/edge/all-by-nats.js'),
    import('./run/serve/overlays.js'),
  ]);
  return AllByNats.open(url, OVERLAYS);
}

async function several(options: readonly EdgeOptions[]): Promise<Source> {
  const { all: most } = LIMITS.sideBySide;
  if (options.length > most)
    throw new Error(`an edge shows at most ${most} simulations, not ${options.length}: name some`);
  if (options.some((one) => 'nats' in one && one.name === undefined))
    throw new Error('of several simulations side by side each has a name');
  const [{ SideBySide }, { OVERLAYS }] = await Promise.all([
    import('./source/edge/side-by-side.js'),
    import('./run/serve/overlays.js'),
  ]);
  const sources: Source[] = [];
  try {
    for (const one of options) sources.push(await opened(one));
    const nameOf = (source: Source, one: EdgeOptions | undefined): string =>
      one && 'nats' in one ? (one.name as string) : source.info.name;
    return new SideBySide(
      sources.map((source, index) => [nameOf(source, options[index]), source]),
      OVERLAYS,
    );
  } catch (error) {
    for (const source of sources) await source.close();
    throw error;
  }
}

async function bySocket({ host = '127.0.0.1', port, tls = false, token }: EdgeServer) {
  const { connectBySocket } = await import('./source/edge/socket-line.js');
  const address = `${bracketed(host)}:${port}`;
  return { address, connect: connectBySocket(new URL(`${tls ? 'https' : 'http'}://${address}`), token) };
}

async function byNats({ nats, name = '' }: EdgeByNats) {
  const { connectByNats, shown } = await import('./source/edge/nats.js');
  return { address: `${name} at ${shown(nats)}`, connect: connectByNats(nats, name) };
}
