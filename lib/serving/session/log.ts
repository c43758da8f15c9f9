// The operator's log: a sentence for people, and facts for programs.
import type { LogLevel } from '../../source/source.js';

/**
 * Facts by name, for programs that read the log: `session`, `peer`, `status`, `err` ... They can be sent to another
 * thread, and none of them has anything behind it that a log would write, too.
 */
export type LogFacts = Readonly<Record<string, string | number | boolean | Error | undefined>>;

/** Where a server writes what happens to it. */
export interface Log {
  (level: LogLevel, text: string, facts?: LogFacts): void;
  /** Bytes of lines that nobody has taken yet, and how many lines were left out; `/metrics` shows them. Default: unknown. */
  readonly backlog?: { readonly held: number; readonly refusals: number };
}
