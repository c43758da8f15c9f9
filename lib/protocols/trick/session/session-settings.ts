// What a Trick session needs of its connection and its server.
import type { SessionRegistry } from '../../../serving/session/registry.js';
import type { Session } from '../../../serving/session/session.js';
import type { LogLevel } from '../../../source/source.js';
import type { ReferenceTable } from '../wire/reference.js';
import type { ReadFile } from './read-file.js';

export interface TrickSessionSettings {
  /** The session that every front-end has; this one adds what is Trick's. */
  readonly client: Session;
  readonly registry: SessionRegistry;
  readonly references: ReferenceTable;
  /** Whether each message is a datagram, or follows the one before on a stream. */
  readonly isDatagram: boolean;
  readonly readFile: ReadFile;
  readonly log: (text: string, level?: LogLevel) => void;
  /** Logs what a block has printed. */
  readonly printed: (text: string, level?: LogLevel) => void;
  /** Takes a message in Trick's words. */
  readonly publish: (text: string, level?: LogLevel) => void;
  /** Says why there is no such variable, with the nearest name; empty text when too many ask. */
  readonly explain: (name: string) => string;
  /** Sends what is queued and closes. */
  readonly close: () => void;
}
