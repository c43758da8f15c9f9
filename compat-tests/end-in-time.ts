// How soon a server must have ended after SIGTERM, whatever its clients wait for.
import { demand } from './demand.js';
import { LaunchedServer, type LaunchOptions } from './launch.js';

/** What an operator can count on: 1.5 s of docs/limits.md, and what a process takes to go. */
const END_MILLIS = 2000;
/** Other tests run beside, and a server with much to do gets less of a busy machine than an idle one needs. */
const BUSY_MILLIS = 3000;

/**
 * The longest time from the signal to the end, in milliseconds. Here the time is what is promised, so it is measured; what
 * the end of the same server without clients takes on this machine is added to it. Throws when that alone takes too long.
 */
export async function mostMillisToEnd(simulation: string | URL, launched: LaunchOptions): Promise<number> {
  const idle = await LaunchedServer.start(simulation, launched);
  const idleMillis = await millisToEnd(idle);
  const mostMillis = END_MILLIS + BUSY_MILLIS;
  demand(idleMillis < mostMillis, `without clients, the server has ended after ${idleMillis.toFixed(0)} ms`);
  return mostMillis + idleMillis;
}

/** Ends a server as an operator does. Returns the milliseconds from the signal to the end of its process. */
export async function millisToEnd(server: LaunchedServer): Promise<number> {
  const startMillis = performance.now();
  await server.stop();
  return performance.now() - startMillis;
}
