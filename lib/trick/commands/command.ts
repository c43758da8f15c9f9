// What a command of the table is: a name, a signature, a line of documentation, and what it does.
import type { Part } from '../../model/reach.js';
import type { Value as ModelValue } from '../../model/read.js';
import type { Request } from '../../source/source.js';
import type { Value } from '../interpreter/values.js';
import type { TrickServer } from '../session/server-settings.js';
import type { TrickSession } from '../session/trick-session.js';
import type { Parameter } from './parameter.js';

/** What a command may use. */
export interface CommandContext {
  readonly session: TrickSession;
  readonly server: TrickServer;
  /** Asks the simulation for a change; what it answers with an error goes to the session's log. */
  submit(request: Request): void;
  /** Stores a value; what does not fit is reported and changes nothing. */
  set(path: string, value: ModelValue, units: string | undefined): void;
  /** Runs a text at a simulation time in seconds; false when too many wait. */
  addRead(atSeconds: number, text: string): boolean;
  /** A sentence for the session's stderr and the log; the block goes on. */
  complain(sentence: string): void;
}

/** Variables of a frame. */
export interface Reading {
  readonly paths: Iterable<string>;
  /** Default: all of each. */
  readonly part?: Part;
}

export interface Command {
  readonly name: string;
  readonly parameters: readonly Parameter[];
  /** One sentence for the reference page. */
  readonly about: string;
  /** What the command reads: it runs when the latest frame shows that, and all that the session wrote. */
  readonly reads: ((context: CommandContext, values: readonly Value[]) => Reading) | undefined;
  readonly run: (context: CommandContext, values: readonly Value[]) => Value | undefined;
}

type Typed<T extends Parameter['type']> = {
  text: string;
  integer: bigint;
  number: number;
  boolean: boolean;
  scalar: string | bigint | number | boolean;
  value: Value;
  quantity: Value;
}[T];
type ValuesOf<P extends readonly Parameter[]> = {
  [I in keyof P]: P[I] extends Parameter ? Typed<P[I]['type']> : never;
};

/** A row of the table, its values typed by its parameters. */
export function command<const P extends readonly Parameter[]>(
  name: string,
  parameters: P,
  about: string,
  // biome-ignore lint/suspicious/noConfusingVoidType: a command without a result has no return statement
  run: (context: CommandContext, values: ValuesOf<P>) => Value | undefined | void,
  options: { readonly reads?: (context: CommandContext, values: ValuesOf<P>) => Reading } = {},
): Command {
  const untyped = run as unknown as (context: CommandContext, values: readonly Value[]) => Value | undefined;
  return { name, parameters, about, reads: options.reads as Command['reads'], run: untyped };
}

/** For a command that reads no more of a frame than its header. */
export const HEADER_ONLY = (): Reading => ({ paths: [] });
