// The thread for checkpoints: runs one task after another, until its port closes.
import { type DeskTask, DiskQuota, doTask, RunDirectory } from '../executive/desk.js';
import type { DeskAnswer, DeskStart } from './desk-thread.js';
import { preferOtherThreads } from './thread-priority.js';

export function runDeskThread({ port, runDirectory, quota, wake }: DeskStart): void {
  preferOtherThreads();
  const files = new RunDirectory(runDirectory, new DiskQuota(quota.limitBytes, quota.words));
  port.on('message', (task: DeskTask) => {
    const outcome = doTask(task, files);
    const copy = task.kind === 'save' ? task.bytes : undefined;
    const sent = copy ?? (outcome.kind === 'planned' ? outcome.plan.bytes : undefined);
    port.postMessage({ outcome, copy } satisfies DeskAnswer, sent ? [sent.buffer as ArrayBuffer] : []);
    if (!wake) return;
    Atomics.add(wake, 0, 1);
    Atomics.notify(wake, 0);
  });
}
