// The process of an FMU: it answers messages on two pipes, and ends with the simulation or with the FMU.
import { readSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { HEAD_BYTES, Message, type Setup } from './messages.js';
import { Runner } from './runner.js';

const REQUESTS = 3;
const REPLIES = 4;
/** The directory into which the FMU was unpacked. */
const [directory] = process.argv.slice(2);

// Ctrl-C reaches all processes of a terminal; this one ends with the simulation.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

try {
  // Where memory runs out, the system ends this process, and not the simulation's.
  writeFileSync('/proc/self/oom_score_adj', '1000');
} catch {
  // Another system than Linux.
}

/** Two words: how many calls have begun or ended, and the milliseconds that a call may take. */
const calls = new Int32Array(new SharedArrayBuffer(8));
new Worker(new URL('./watchdog.js', import.meta.url), {
  workerData: { calls, replies: REPLIES, parent: process.ppid },
});

/** Loading and initialization may take longer than a step. */
const LONGEST_OTHER_MILLIS = 60_000;

const runner = new Runner();
const request = new Message();
let stepMillis = LONGEST_OTHER_MILLIS;

while (readMessage()) {
  const { operation } = request;
  if (operation === 'setup') stepMillis = 1000 * (request.words as Setup).limitSeconds;
  const isShort = operation === 'step' || operation === 'rates' || operation === 'accept' || operation === 'event';
  Atomics.store(calls, 1, isShort ? stepMillis : Math.max(stepMillis, LONGEST_OTHER_MILLIS));
  Atomics.add(calls, 0, 1);
  const reply = runner.handle(request);
  Atomics.add(calls, 0, 1);
  for (let sent = 0; sent < reply.length; ) sent += writeSync(REPLIES, reply.bytes, sent, reply.length - sent);
  if (operation === 'end') break;
}
if (directory) rmSync(directory, { recursive: true, force: true });
// A library's own threads and exit handlers have no say.
process.kill(process.pid, 'SIGKILL');

/** False when the simulation has ended. */
function readMessage(): boolean {
  let read = 0;
  for (;;) {
    const wanted = read < HEAD_BYTES ? HEAD_BYTES : request.length;
    if (read >= wanted) return true;
    request.ensure(wanted);
    const more = readSync(REQUESTS, request.bytes, read, request.bytes.length - read, null);
    if (more === 0) return false;
    read += more;
  }
}
