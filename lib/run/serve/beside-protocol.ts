// The messages between a program and the server on the thread beside it.
import type { MessagePort } from 'node:worker_threads';
import type { LogFacts } from '../../serving/session/log.js';
import type { LogLevel } from '../../source/source.js';
import type { OwnThreadOptions, ServeOptions } from './options.js';
import type { RunningEndpoint } from './running-endpoint.js';

/** Options that can be sent to another thread. */
export type BesideServeOptions = Omit<ServeOptions, 'log' | OwnThreadOptions>;

/** Given to the server's thread at its start. */
export interface ServerStart {
  readonly options: BesideServeOptions;
  /** The port to the simulation. */
  readonly port: MessagePort;
  /** The buffer of the vitals of the program's thread. */
  readonly vitals: SharedArrayBuffer;
}

/** The addresses of a server. */
export interface ServedAt {
  /** The main address. */
  readonly host: string;
  /** The main port, of Trick text and HTTP as a rule; 0 when nothing is spoken there. */
  readonly port: number;
  /** Every endpoint that was open when the server started. */
  readonly endpoints: readonly RunningEndpoint[];
}

export type FromServer =
  | { readonly kind: 'serving'; readonly at: ServedAt }
  /** The server did not start; `error` is a sentence that says why. */
  | { readonly kind: 'refused'; readonly error: string }
  | { readonly kind: 'log'; readonly level: LogLevel; readonly text: string; readonly facts: LogFacts };

export type ToServer = { readonly kind: 'close' };
