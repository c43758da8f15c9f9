// What an attack is: a client that takes all it can get, told by what it sends.
import type { Ports } from '../krpc/client.js';

/** How attackers come: inside TLS, or through the HTTP server of a program that has mounted the server at its root. */
export type Way = 'tls' | 'mounted';

/** Where the attacked server listens. */
export interface Place {
  /** Trick text and HTTP; HTTP alone of a server that is mounted. */
  readonly port: number;
  /** Whether that port speaks TLS. Default false. */
  readonly isSecure?: boolean;
  readonly udpPort: number;
  /** Where kRPC listens, for attacks whose options switch it on. */
  readonly krpcPorts?: Ports;
  /** How many connections of an attack come at once at most, and how many texts of one. Default: as many as it has. */
  readonly mostAtOnce?: number;
}

export interface Attack {
  /** One word or a few with hyphens. */
  readonly name: string;
  /** What it sends. */
  readonly sends: string;
  /** Default: as clients come to a server that is by itself. */
  readonly way?: Way;
  /** What the simulation is told, such as `--members 1000000`. */
  readonly simArguments?: readonly string[];
  /** Frames that the simulation has in a second while it is attacked. Default 100. */
  readonly framesPerSecond?: number;
  /** Options of `varwire run`. */
  readonly options?: readonly string[];
  /** What the server's token file holds; without it, there are no tokens. */
  readonly tokens?: string;
  /** One client, at full speed, until the signal. What the server refuses or ends is begun again. */
  readonly run: (place: Place, until: AbortSignal) => Promise<void>;
}
