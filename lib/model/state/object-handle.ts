// What simulation code gets and gives when it adds objects: handles, options, mirrors.
import type { Declared, InitialOf, Members, StructInitial, StructView, ViewOf } from './declare.js';

/** State in ordinary JavaScript objects: it is read into the arena before a frame, and set after a client's write. */
export interface Mirror<D extends Declared> {
  readonly get: () => InitialOf<D>;
  /** Without it the component is read-only. */
  readonly set?: (value: ViewOf<D>) => void;
  /** `checkpoints` reads it only before one is saved or loaded, because that takes long. Default: before each frame. */
  readonly readFor?: 'frames' | 'checkpoints';
}

/** Options of `sim.object`. */
export interface ObjectOptions {
  /** The class name in resource files. Default: the name with a capital, followed by `SimObject`. */
  readonly typeName?: string;
  readonly parent?: ObjectHandle;
}

/** A simulation object, for simulation code. */
export interface ObjectHandle {
  readonly name: string;
  readonly number: number;
  /** Adds a component and returns its view; the view of a plain value is a `{ value }` cell. */
  component<D extends Declared>(alias: string, declared: D, initial?: InitialOf<D>): ComponentView<D>;
  /**
   * Adds several components at once, and returns one view of them all: `ball.height = 3`, whether a member is a number
   * or a structure.
   */
  components<M extends Members>(members: M, initial?: StructInitial<M>): StructView<M>;
  /** Adds a component whose state lives elsewhere. */
  mirror<D extends Declared>(alias: string, declared: D, mirror: Mirror<D>): void;
  /** Removes a component: references to it become BAD_REF, pointers into it null. Do not use its view again. */
  remove(alias: string): void;
  /** Puts the object below another one, or at the top with null. Throws an Error when the other is below this one. */
  reparent(parent: ObjectHandle | null): void;
}

export type ComponentView<D extends Declared> = ViewOf<D> extends object ? ViewOf<D> : { value: ViewOf<D> };
