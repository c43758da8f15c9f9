// Entry of the thread on which checkpoints are written and read.
import { workerData } from 'node:worker_threads';
import type { DeskStart } from '../../source/desk-thread.js';
import { runDeskThread } from '../../source/desk-worker.js';

runDeskThread(workerData as DeskStart);
