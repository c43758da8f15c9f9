// The desk for checkpoints, for sources that give it a thread.
export { CopyMemory } from '../checkpoint/copy-memory.js';
export { type Desk, type DeskOutcome, type DeskTask, doTask } from '../checkpoint/desk.js';
export { type CatalogPiece, ModelReceiver, ModelSender, type PackedModel } from '../checkpoint/model-pieces.js';
export { type FreshMemory, type LoadPlan, modelOf, type ReadModel, readModelOf } from '../checkpoint/plan.js';
export type { ReturnedType } from '../checkpoint/type-table.js';
export { DiskQuota } from '../files/disk-quota.js';
export { RunDirectory } from '../files/run-directory.js';
