// Ends the process of an FMU whose call does not return, and one whose simulation has gone.
import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { Message } from './messages.js';

const { calls, replies, parent } = workerData as { calls: Int32Array; replies: number; parent: number };
const LOOK_MILLIS = 50;

let seen = -1;
let sinceMillis = 0;

setInterval(() => {
  const count = Atomics.load(calls, 0);
  if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
  // An odd count is a call that has not returned.
  if (count !== seen || count % 2 === 0) {
    seen = count;
    sinceMillis = performance.now();
    return;
  }
  if (performance.now() - sinceMillis < Atomics.load(calls, 1)) return;
  const message = new Message();
  message.status = 'hangs';
  message.setParts(0);
  writeSync(replies, message.bytes, 0, message.length);
  process.kill(process.pid, 'SIGKILL');
}, LOOK_MILLIS);
