// Where checkpoints are written and read, for whoever gives a simulation a thread for it.
export { type Desk, type DeskOutcome, type DeskTask, doTask } from '../checkpoint/desk.js';
export { DiskQuota } from '../files/disk-quota.js';
export { RunDirectory } from '../files/run-directory.js';
