// The thread for checkpoints: runs one task after another, until its port closes.
import {
  type DeskOutcome,
  type DeskTask,
  DiskQuota,
  doTask,
  ModelReceiver,
  type ReadModel,
  RunDirectory,
} from '../simulation/executive/desk.js';
import type { DeskAnswer, DeskStart, PackedOutcome, ToDesk } from './desk-thread.js';
import { preferOtherThreads } from './thread-priority.js';

export function runDeskThread({ port, runDirectory, quota, wake }: DeskStart): void {
  preferOtherThreads();
  const files = new RunDirectory(runDirectory, new DiskQuota(quota.limitBytes, quota.words));
  const receiver = new ModelReceiver();
  port.on('message', (message: ToDesk) => {
    if ('piece' in message) {
      receiver.take(message.piece);
      return;
    }
    const task = { ...message.task, model: receiver.model<ReadModel>(message.task.model as never) } as DeskTask;
    const outcome = packed(doTask(task, files), receiver);
    const copy = task.kind === 'save' ? task.bytes : undefined;
    const sent = copy ?? (outcome.kind === 'planned' ? outcome.plan.bytes : undefined);
    port.postMessage({ outcome, copy } satisfies DeskAnswer, sent ? [sent.buffer as ArrayBuffer] : []);
    if (!wake) return;
    Atomics.add(wake, 0, 1);
    Atomics.notify(wake, 0);
  });
}

function packed(outcome: DeskOutcome, { types }: ModelReceiver): PackedOutcome {
  if (outcome.kind !== 'planned') return outcome;
  const { plan } = outcome;
  const fresh = plan.fresh.map((memory) => ({ ...memory, type: types.packed(memory.type) }));
  return { kind: 'planned', plan: { ...plan, fresh } };
}
