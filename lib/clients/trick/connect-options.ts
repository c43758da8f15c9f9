// The options with which a program connects a client, and the client's descriptions of variables.
import type { ConnectionOptions } from 'node:tls';
import type { Clock } from './clock.js';
import type { ConnectionState } from './lasting-channel.js';
import type { OpenLink } from './link.js';
import type { Form } from './questions.js';
import type { TrickType } from './trick-type.js';

/** Where a server is, and how the client talks to it. */
export interface ConnectOptions {
  /** Default 127.0.0.1. */
  readonly host?: string;
  readonly port: number;
  /** `udp` shares the one session of the port with whoever else uses it, and takes one subscription at a time. */
  readonly transport?: 'tcp' | 'udp';
  /** TLS, for a port behind a proxy that speaks it; options as of node:tls, such as `ca`, or true for the usual ones. */
  readonly tls?: boolean | ConnectionOptions;
  /** The name of the session in lists of connections. Trick: var_set_client_tag */
  readonly tag?: string;
  /** `binary` (default) gives exact values of known types; `ascii` gives 16 digits, and guesses types from the text. */
  readonly form?: Form;
  /** Connects again when the connection is lost, with growing pauses, and subscribes again. */
  readonly reconnect?: boolean;
  /** How long an answer may take. Default 5000. */
  readonly timeoutMillis?: number;
  /** Called when the connection is made, lost and closed. */
  readonly onState?: (state: ConnectionState, error?: Error) => void;
  /** For tests. */
  readonly clock?: Clock;
  /** For tests. */
  readonly openLink?: OpenLink;
}

/** Asks for values with their units. */
export interface UnitsOption {
  /** UDUNITS text; `xx` stands for the variable's own units. */
  readonly units: string;
}

/** Asks for enumerations by their labels. */
export interface LabelsOption {
  /** The server's description is asked for once, for its labels; a number that has none stays a number. */
  readonly labels: true;
}

/** What a variable is. */
export interface Description {
  readonly name: string;
  readonly type: TrickType;
  /** 1 for a scalar or a text. */
  readonly elements: number;
}
