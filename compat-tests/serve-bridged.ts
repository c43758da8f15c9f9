// Serves a simulation behind a bridge: its own server speaks Trick's wire alone, and the options are those of the bridge's.
import { bridge, type ServeOptions, type serve, serveSource } from '../lib/index.js';
import { serveHere } from '../lib/testing/aids/serve-here.js';

const BEHIND = { port: 0, discovery: false, udp: 'off', http: 'off', messages: 'off', brp: 'off' } as const;

/** As `serve`; the simulation ends with the bridge. */
export const serveBridged = (async (
  simulation: string | URL,
  { arguments: words = [], ...options }: ServeOptions = {},
) => {
  const behind = await serveHere(simulation, { ...BEHIND, arguments: words });
  const served = await serveSource(await bridge({ port: behind.port, name: behind.source.info.name }), options);
  served.ended.then(() => behind.close());
  return served;
}) as unknown as typeof serve;
