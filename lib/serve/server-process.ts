// What a process that does nothing but serve asks of the engine and of the operating system.
import { preferServerThread } from '../source/thread-priority.js';
import { boundYoungMemory } from './young-memory.js';

/** For a program of ours only: a program that embeds a server decides for itself. */
export function becomeServer(): void {
  boundYoungMemory();
  preferServerThread();
}
