// Poses: which variables place something in space, and what it looks like, as plain data for 3D views.

/** How many poses there may be. */
const MOST_POSES = 1000;

/** What stands at a pose, in its axes: sizes in metres, colors as `#rrggbb` or `#rrggbbaa`. */
export type Shape =
  /** Its middle at the position; sizes along x, y and z. */
  | { readonly kind: 'box'; readonly size: readonly [number, number, number]; readonly color?: string }
  | { readonly kind: 'sphere'; readonly radius: number; readonly color?: string }
  /** Along z, its middle at the position. */
  | { readonly kind: 'cylinder'; readonly radius: number; readonly length: number; readonly color?: string }
  /** From the position along x; the radius is that of the shaft. */
  | { readonly kind: 'arrow'; readonly length: number; readonly radius: number; readonly color?: string }
  /** A glTF file in the folder of the simulation: `models/lander.glb`, in metres times `scale` (1). */
  | { readonly kind: 'model'; readonly file: string; readonly scale?: number };

type Complete<S> = S extends unknown ? Required<S> : never;
/** A shape with all that was left out. */
export type CompleteShape = Complete<Shape>;

/** A celestial body, which may be the ground: the axes of its pose turn with it, z to its north pole, x to longitude 0. */
export interface Body {
  /** In metres. */
  readonly radius: number;
  /** An image in the folder of the simulation, the whole surface from longitude -180 to 180 degrees: `earth.jpg`. */
  readonly texture?: string;
}

/** A frame in space, by the variables that place it in its parent. */
export interface PoseDescription {
  readonly name: string;
  /** The name of another pose; null for the frame that all others are in. */
  readonly parent: string | null;
  /** The path of 3 doubles with a unit of length: the position in the axes of the parent. */
  readonly position: string;
  /** Metres of one unit of the position. */
  readonly metres: number;
  /**
   * The path of 4 doubles, a quaternion with its scalar first that turns from the body to the parent: with v in the axes of
   * the body, q v q* is the same vector in those of the parent. Null for the axes of the parent.
   */
  readonly attitude: string | null;
  readonly shape: CompleteShape | null;
  readonly body: Body | null;
}

/** The poses that a simulation has declared, in order: a parent comes before its children. */
export class DeclaredPoses {
  private readonly byName = new Map<string, PoseDescription>();
  private version = 0;

  /** @param changed returns the version of a catalog that has changed. */
  constructor(private readonly changed: () => number) {}

  has(name: string): boolean {
    return this.byName.has(name);
  }

  get all(): Iterable<PoseDescription> {
    return this.byName.values();
  }

  names(): Iterable<string> {
    return this.byName.keys();
  }

  /** Throws an Error, and then changes nothing, for a name that is taken and when there is no room. */
  add(pose: PoseDescription): void {
    if (this.byName.has(pose.name)) throw new Error(`there is a pose ${pose.name} already`);
    if (this.byName.size >= MOST_POSES) throw new RangeError(`a simulation has at most ${MOST_POSES} poses`);
    this.byName.set(pose.name, pose);
    this.version = this.changed();
  }

  /** All poses if one was added after a version of the catalog, otherwise nothing. */
  since(version: number): { readonly poses?: readonly PoseDescription[] } {
    return this.version > version ? { poses: [...this.byName.values()] } : {};
  }
}
