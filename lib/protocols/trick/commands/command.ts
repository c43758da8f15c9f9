// What a command of the table is: a name, a signature, a line of documentation, and what it does.
import type { Part } from '../../../model/state/reach.js';
import type { Value } from '../../../model/state/read.js';
import type { Type } from '../../../model/state/type.js';
import { type Request, RequestError } from '../../../source/source.js';
import {
  type Parameter,
  type Quantity,
  type Run,
  type RunningBlock,
  ScriptError,
  type ScriptValue,
  type Tools,
} from '../../python/index.js';
import type { TrickServer } from '../session/server-settings.js';
import type { TrickSession } from '../session/trick-session.js';

/** What a command may use. */
export interface CommandContext extends RunningBlock {
  readonly session: TrickSession;
  readonly server: TrickServer;
  /** The owner of the running text: a client's address, or empty for the input file. */
  readonly owner: string;
  /** Whether the operator's input file runs, and not a client's text. */
  readonly isOperators: boolean;
  /** Asks the simulation for a change; if it refuses, its sentence goes to the session's stderr. */
  submit(request: Request): void;
  /** Asks the simulation for a change, and waits for what it answers. */
  ask(request: Request): Run<RequestResult>;
  /** Stores a value. A value that does not fit changes nothing, and a sentence on the session's stderr says why. */
  set(path: string, value: Value, units: string | undefined): Stored;
  /** The value of a variable, in a frame that shows what the command reads; undefined when there is none. */
  variable(path: string): ScriptValue | undefined;
  /** Runs a text at a simulation time in seconds; false when too many texts wait. */
  addRead(atSeconds: number, text: string): boolean;
  /** Whether it is time to give way to others. */
  readonly isTurnOver: boolean;
  /** Counts steps for work that costs more than others. Throws a ScriptError at the block's limit. */
  spend(steps: number): void;
  /** Counts memory before it is taken. Throws a ScriptError when the block may take no more. */
  allocate(bytes: number): void;
  /** Counts characters that the command prints. Throws a ScriptError when the block may print no more. */
  spendOutput(characters: number): void;
  /** Writes a sentence to the session's stderr or the server's log; the block goes on. */
  complain(sentence: string): void;
}

/** What the block may use that calls a command or a method of an object, wherever it has found it. */
export const contextOf = ({ block }: Tools): CommandContext => block as CommandContext;

/** The result of a request: its value, or why it was refused. */
export type RequestResult = { readonly value: Value | undefined } | { readonly refusal: string };

/** Trick: what var_set returns */
export const Stored = { taken: 0, readOnly: 1, unknown: 2 } as const;
export type Stored = (typeof Stored)[keyof typeof Stored];

/** Variables of a frame. */
export interface Reading {
  readonly paths: Iterable<string>;
  /** Which part of each variable; by default its single values. */
  readonly part?: Part;
  /** Of a variable of a type, so many bytes are read of elements that lie side by side; by default all. */
  readonly mostBytes?: (type: Type) => number;
}

export interface Command {
  readonly name: string;
  readonly parameters: readonly Parameter[];
  /** One sentence for the reference page. */
  readonly about: string;
  /** What the command reads: it waits for a frame that shows this and all that the session wrote. */
  readonly reads: ((context: CommandContext, values: readonly ScriptValue[]) => Reading) | undefined;
  readonly run: (context: CommandContext, values: readonly ScriptValue[]) => ScriptValue | Run<ScriptValue> | undefined;
}

type Typed<T extends Parameter['type']> = {
  text: string;
  integer: bigint;
  number: number;
  seconds: number;
  boolean: boolean;
  scalar: string | bigint | number | boolean | Quantity;
  value: ScriptValue;
  quantity: ScriptValue;
}[T];
type Control = Extract<Request, { readonly kind: 'control' }>['control'];
export type ValuesOf<P extends readonly Parameter[]> = {
  [I in keyof P]: P[I] extends Parameter ? Typed<P[I]['type']> : never;
};

/** A row of the table, its values typed by its parameters. */
export function command<const P extends readonly Parameter[]>(
  name: string,
  parameters: P,
  about: string,
  // biome-ignore lint/suspicious/noConfusingVoidType: a command without a result has no return statement
  run: (context: CommandContext, values: ValuesOf<P>) => ScriptValue | Run<ScriptValue> | undefined | void,
  options: { readonly reads?: (context: CommandContext, values: ValuesOf<P>) => Reading } = {},
): Command {
  const untyped = run as unknown as (
    context: CommandContext,
    values: readonly ScriptValue[],
  ) => ScriptValue | Run<ScriptValue> | undefined;
  return { name, parameters, about, reads: options.reads as Command['reads'], run: untyped };
}

/** A row for a command that asks the simulation for one thing. */
export const controlling = <const P extends readonly Parameter[]>(
  name: string,
  parameters: P,
  about: string,
  control: (values: ValuesOf<P>) => Control,
): Command =>
  command(name, parameters, about, ({ submit }, values) => submit({ kind: 'control', control: control(values) }));

/** Makes each command answer 0 when it has no other result, as Trick's functions that return int do. */
export const answeringZero = (commands: readonly Command[]): readonly Command[] =>
  commands.map((made) => ({ ...made, run: (context, values) => made.run(context, values) ?? 0n }));

/** Runs work as a command that answers with this when the work is over. @param over called then. */
export function* answering(work: Run<void>, answer: ScriptValue, over?: () => void): Run<ScriptValue> {
  try {
    yield* work;
  } catch (error) {
    throw error instanceof RequestError ? new ScriptError('RuntimeError', error.message) : error;
  }
  over?.();
  return answer;
}

/** What a command reads that needs only the header of a frame. */
export const HEADER_ONLY = (): Reading => ({ paths: [] });
