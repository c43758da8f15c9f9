// What a program and the server on a thread beside it say to each other.
import type { MessagePort } from 'node:worker_threads';
import type { LogFacts, LogLevel, ServeOptions } from './options.js';

/** Options that can cross threads. */
export type BesideServeOptions = Omit<ServeOptions, 'log' | 'clock'>;

/** Handed to the server's thread at its start. */
export interface ServerStart {
  readonly options: BesideServeOptions;
  /** To the simulation. */
  readonly port: MessagePort;
}

/** Where a server can be reached. */
export interface ServedAt {
  readonly host: string;
  readonly port: number;
  readonly httpPort: number | undefined;
  readonly udpPort: number | undefined;
}

export type FromServer =
  | { readonly kind: 'serving'; readonly at: ServedAt }
  /** It does not serve; the sentence says why. */
  | { readonly kind: 'refused'; readonly error: string }
  | { readonly kind: 'log'; readonly level: LogLevel; readonly text: string; readonly facts: LogFacts };

export type ToServer = { readonly kind: 'close' };
