// What a bridge needs of a client of the simulation's server: `TrickClient` with its description.

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

/** The values of one moment, in the order asked for; undefined while there is no such variable. */
export interface TrickEndUpdate {
  readonly timeSeconds: number;
  readonly values: readonly TrickEndValue[];
}

/** A connection to the simulation; what it promises is rejected when the connection is lost. */
export interface TrickEnd {
  /** The description, and the text that it was read from: two equal texts are one description. */
  describe(): Promise<{ readonly text: string; readonly described: Described }>;
  /** Which of the names have a value now. */
  readable(names: readonly string[]): Promise<ReadonlySet<string>>;
  get(names: readonly string[]): Promise<readonly TrickEndValue[]>;
  /** Resolves when the simulation has taken the value. Rejects with one sentence. */
  set(name: string, value: unknown): Promise<unknown>;
  freeze(): Promise<void>;
  run(): Promise<void>;
  step(frames: number): Promise<void>;
  /** Values at the top of every so many frames; throws when the connection is lost, and ends when it is closed. */
  updates(names: readonly string[], frameMultiple: number): AsyncIterable<TrickEndUpdate>;
  close(): void;
}
