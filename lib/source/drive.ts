// The two ways to drive a simulation's turns: a thread that sleeps exactly, or timers on a thread that does more.
import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import type { ToSimulation } from './protocol.js';
import type { SimulationHost } from './simulation-host.js';

/** A simulation without pauses lets its own timers and promises run this often. */
const YIELD_MILLIS = 5;

const immediate = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Drives on a thread of its own: between frames the thread sleeps until the next is due or a request wakes it.
 * @param wake goes up, and is notified, after each message to the port.
 */
export async function driveSleeping(host: SimulationHost, port: MessagePort, wake: Int32Array): Promise<void> {
  let yieldedMillis = performance.now();
  while (!host.isOver) {
    const seen = Atomics.load(wake, 0);
    for (let received = receiveMessageOnPort(port); received; received = receiveMessageOnPort(port)) {
      host.receive(received.message as ToSimulation);
    }
    const turnedMillis = performance.now();
    const waitMillis = host.running.turn();
    if (waitMillis > 0 || turnedMillis - yieldedMillis > YIELD_MILLIS) {
      await immediate();
      yieldedMillis = performance.now();
    }
    const restMillis = waitMillis - (performance.now() - turnedMillis);
    if (restMillis > 0 && !host.isOver) Atomics.wait(wake, 0, seen, restMillis);
  }
}

/** Drives by timers on the caller's thread. Returns what to call when a request has come in. */
export function driveByTimers(host: SimulationHost): () => void {
  let timer: NodeJS.Timeout | undefined;
  let soon: NodeJS.Immediate | undefined;
  const turn = (): void => {
    clearTimeout(timer);
    clearImmediate(soon);
    soon = undefined;
    if (host.isOver) return;
    const waitMillis = host.running.turn();
    if (host.isOver) return;
    if (waitMillis > 0) timer = setTimeout(turn, Math.min(waitMillis, 2 ** 31 - 1));
    else soon = setImmediate(turn);
  };
  turn();
  return () => {
    soon ??= setImmediate(turn);
  };
}
