// Two ways to drive a simulation's turns: a thread that sleeps exactly, or timers on a thread that does other work too.
import { performance } from 'node:perf_hooks';
import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import { SLICE_MILLIS } from '../simulation/executive/request-queue.js';
import { type Sent, Unpacker } from './packed-writes.js';
import type { ToSimulation } from './protocol.js';
import type { SimulationHost } from './simulation-host.js';

/** The event loop runs this often, for the simulation's own timers and promises; each run costs as much as a tick. */
const YIELD_MILLIS = 50;
/** setTimeout's longest delay. */
const LONGEST_TIMER_MILLIS = 2 ** 31 - 1;

const immediate = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Drives on a thread of its own: between frames the thread sleeps until the next is due or a request wakes it.
 * @param wake increased and notified after each message to the port.
 */
export async function driveSleeping(host: SimulationHost, port: MessagePort, wake: Int32Array): Promise<void> {
  let yieldedMillis = performance.now();
  let received = -1;
  const unpacker = new Unpacker();
  while (!host.isOver) {
    const seen = Atomics.load(wake, 0);
    const hasMore = seen !== received && !receiveSome(host, port, unpacker);
    if (!hasMore) received = seen;
    const turnedMillis = performance.now();
    const waitMillis = host.running.turn();
    if (turnedMillis - yieldedMillis >= YIELD_MILLIS) {
      await immediate();
      yieldedMillis = performance.now();
    }
    const restMillis = waitMillis - (performance.now() - turnedMillis);
    if (restMillis > 0 && !hasMore && !host.isOver) Atomics.wait(wake, 0, seen, Math.min(restMillis, YIELD_MILLIS));
  }
}

/**
 * Passes on messages that wait at the port, without the event loop, for as long as requests may delay a frame; reading
 * a long message takes long. Returns whether none waits any more.
 */
export function receiveSome(host: SimulationHost, port: MessagePort, unpacker: Unpacker): boolean {
  const { running } = host;
  const startMillis = running.nowMillis();
  let spentMillis = 0;
  for (let received = receiveMessageOnPort(port); received; received = receiveMessageOnPort(port)) {
    const message = unpacker.take(received.message as Sent);
    if (message) host.receive(message);
    spentMillis = running.nowMillis() - startMillis;
    if (spentMillis >= SLICE_MILLIS) break;
  }
  running.spentReceiving(spentMillis);
  return spentMillis < SLICE_MILLIS;
}

/** Passes on all messages that wait at the port, which are sent as they are. */
export function receiveAll(host: SimulationHost, port: MessagePort): void {
  for (let received = receiveMessageOnPort(port); received; received = receiveMessageOnPort(port)) {
    host.receive(received.message as ToSimulation);
  }
}

/** Drives by timers on the caller's thread. Returns a function to call when a request has come. */
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
    if (waitMillis > 0) timer = setTimeout(turn, Math.min(waitMillis, LONGEST_TIMER_MILLIS));
    else soon = setImmediate(turn);
  };
  turn();
  return () => {
    clearTimeout(timer);
    soon ??= setImmediate(turn);
  };
}
