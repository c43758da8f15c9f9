// What a program and the server on a thread beside it say to each other.
import type { MessagePort } from 'node:worker_threads';
import type { LogFacts } from '../session/log.js';
import type { LogLevel } from '../source/source.js';
import type { ServeOptions } from './options.js';
import type { RunningEndpoint } from './running-endpoint.js';

/** Options that can cross threads. */
export type BesideServeOptions = Omit<ServeOptions, 'log' | 'clock' | 'frontEnds'>;

/** Handed to the server's thread at its start. */
export interface ServerStart {
  readonly options: BesideServeOptions;
  /** To the simulation. */
  readonly port: MessagePort;
}

/** Where a server can be reached. */
export interface ServedAt {
  /** The main address. */
  readonly host: string;
  /** The main port: that of the endpoint `trick`. */
  readonly port: number;
  /** Every endpoint that was open when the server started. */
  readonly endpoints: readonly RunningEndpoint[];
}

export type FromServer =
  | { readonly kind: 'serving'; readonly at: ServedAt }
  /** It does not serve; the sentence says why. */
  | { readonly kind: 'refused'; readonly error: string }
  | { readonly kind: 'log'; readonly level: LogLevel; readonly text: string; readonly facts: LogFacts };

export type ToServer = { readonly kind: 'close' };
