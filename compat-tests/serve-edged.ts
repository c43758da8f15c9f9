// Serves a simulation at an edge: its own server has a door for edges alone, and the options are those of the edge's.
import { edge, type ServeOptions, type serve, serveSource } from '../lib/index.js';
import { serveHere } from '../lib/testing/aids/serve-here.js';

const BEHIND = { port: 0, discovery: false, udp: 'off', messages: 'off', brp: 'off' } as const;

/** As `serve`; the simulation ends with the edge. */
export const serveEdged = (async (
  simulation: string | URL,
  { arguments: words = [], ...options }: ServeOptions = {},
) => {
  const behind = await serveHere(simulation, { ...BEHIND, arguments: words });
  const served = await serveSource(await edge({ port: behind.port }), options);
  served.ended.then(() => behind.close());
  return served;
}) as unknown as typeof serve;
