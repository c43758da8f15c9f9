// What a bridge needs of a client of the simulation's server: `TrickClient` with its description.

import type { EventsElsewhere, SimMessage } from '../source.js';

/** A member of a structure, or an object, as the simulation describes it. */
export interface DescribedMember {
  readonly name: string;
  readonly type: string;
  /** Empty for a scalar; 0 stands for a pointer. */
  readonly dimensions: readonly number[];
  readonly units: string;
  readonly about: string;
  /** Trick: io_attributes, of which bit 0 lets clients read and bit 1 lets them write */
  readonly io: number;
}

/** The types and objects of the simulation. Trick: send_sie_resource */
export interface Described {
  readonly classes: ReadonlyMap<string, readonly DescribedMember[]>;
  readonly enumerations: ReadonlyMap<string, ReadonlyMap<string, number>>;
  readonly topLevel: readonly DescribedMember[];
}

/** Integers of 64 bits are bigint, and arrays are flat. */
export type TrickEndValue = unknown;

/** The values of one moment; undefined while there is no such variable. */
export interface TrickEndUpdate {
  readonly timeSeconds: number;
  /** The same array as long as the list is the same. */
  readonly names: readonly string[];
  readonly values: readonly TrickEndValue[];
}

/** What the simulation sends by itself at the top of frames: throws when the connection is lost, ends when it is closed. */
export interface TrickEndList extends AsyncIterable<TrickEndUpdate> {
  /**
   * Resolves when the simulation sends these from now on, each name once, in every so many frames: to the `names` of
   * those updates.
   */
  ask(names: readonly string[], frameMultiple: number): Promise<readonly string[]>;
}

/** A connection to the simulation; what it promises is rejected when the connection is lost. */
export interface TrickEnd {
  /** The description, and the text that it was read from: two equal texts are one description. */
  describe(): Promise<{ readonly text: string; readonly described: Described }>;
  /** Which of the names have a value now that a message holds. */
  readable(names: readonly string[]): Promise<ReadonlySet<string>>;
  /** Whether there are such variables: none behind a null pointer, or at an index that is not there. */
  exist(names: readonly string[]): Promise<readonly boolean[]>;
  /** How many elements containers have; undefined for what is none. */
  sizes(names: readonly string[]): Promise<readonly (number | undefined)[]>;
  /** As `get`, of what moves in memory as the elements of containers do: each is found and copied by itself. */
  elements(names: readonly string[]): Promise<readonly TrickEndValue[]>;
  /** Undefined for what has no value. */
  get(names: readonly string[]): Promise<readonly TrickEndValue[]>;
  /** Resolves to why each of these variables, once each, was not set, in their order; undefined for those that were. */
  setAll(
    settings: readonly { readonly path: string; readonly value: unknown }[],
  ): Promise<readonly (Error | undefined)[]>;
  freeze(): Promise<void>;
  run(): Promise<void>;
  step(frames: number): Promise<void>;
  /**
   * Calls a function of Trick, or a method of an object, with numbers, texts and lists of them. Rejects with what the
   * simulation has printed about it.
   */
  call(name: string, ...values: readonly unknown[]): Promise<unknown>;
  /** The simulation's own, in the order in which they were added. */
  recordings(): Promise<readonly { readonly kind: string; readonly name: string }[]>;
  events: EventsElsewhere['list'];
  /** In the simulation's own run directory. */
  checkpoint(file: string): Promise<void>;
  load(file: string): Promise<void>;
  /**
   * Tells what the simulation says from now on, on a connection of its own, if it has a port for that, and why it says no
   * more. Rejects with one sentence.
   */
  hear(say: (message: SimMessage) => void, lost: (error: Error) => void): Promise<void>;
  /** On a connection of its own. */
  list(): Promise<TrickEndList>;
  /** Ends all connections. */
  close(): void;
}
