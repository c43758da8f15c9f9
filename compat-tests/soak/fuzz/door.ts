// A door: a place where bytes of clients come in, with what is known about the bytes it expects.
import type { Dialled } from '../../dial.js';
import type { Chance } from './chance.js';

/** The server under test. */
export interface Place {
  readonly port: number;
  readonly udpPort: number;
  /** Bevy's protocol. */
  readonly brpPort: number;
  /** HTTP alone, read by the server of a program that has it mounted. */
  readonly mountedPort: number;
  /** A server with TLS; undefined where no certificate can be made. */
  readonly secure: () => Promise<Dialled | undefined>;
  readonly krpcPorts: { readonly rpc: number; readonly stream: number };
  /** Where the server reads and writes files. */
  readonly directory: string;
}

export interface Door {
  readonly name: string;
  /** Inputs to mutate: recordings, and what the documentation shows. */
  readonly seeds: readonly Buffer[];
  /** An input by the door's own grammar. */
  readonly generate: (chance: Chance) => Buffer;
  /** Whether an input may do what its sender is entitled to, such as ending the simulation: it is left out. */
  readonly isAllowed?: (input: Buffer) => boolean;
  /** How many inputs come between two looks at the bystanders. Default 50. */
  readonly batch?: number;
  /** Its turn comes in every so many rounds. Default 1. */
  readonly everyRounds?: number;
  /** Gives the inputs to the server, one after another. Rejects with one sentence when it answers as it must not. */
  readonly send: (place: Place, inputs: readonly Buffer[]) => Promise<void>;
}
