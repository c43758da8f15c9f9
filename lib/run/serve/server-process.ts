// What a process that does nothing but serve asks of the engine and of the operating system.
import { systemClock } from '../../serving/scheduling/clock.js';
import { defectLog } from '../../serving/session/defect.js';
import type { Log } from '../../serving/session/log.js';
import { preferServerThread } from '../../source/thread-priority.js';
import { boundYoungMemory } from './young-memory.js';

/** For a program of ours only: a program that embeds a server decides for itself. */
export function becomeServer(): void {
  boundYoungMemory();
  preferServerThread();
}

/**
 * Goes on serving after an error that nobody has caught: it is a defect, which the log tells, and must not end the sessions
 * of everybody.
 */
export function surviveDefects(log: Log): void {
  const tell = defectLog(log, systemClock);
  process.on('uncaughtException', tell);
  process.on('unhandledRejection', tell);
}
