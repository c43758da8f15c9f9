// What scene/get answers, made safe: poses in an order in which parents come first, and what is wrong with the others.
import { listOf, numberOf, recordOf, textOf } from '../values/given.js';

/** What stands at a pose, in its axes: sizes in metres, colours as #rrggbb or #rrggbbaa. */
export type Shape =
  | { readonly kind: 'box'; readonly size: readonly [number, number, number]; readonly color: string }
  | { readonly kind: 'sphere'; readonly radius: number; readonly color: string }
  /** Along z, its middle at the position. */
  | { readonly kind: 'cylinder'; readonly radius: number; readonly length: number; readonly color: string }
  /** From the position along x. */
  | { readonly kind: 'arrow'; readonly radius: number; readonly length: number; readonly color: string }
  /** A glTF file below scene/ of the server. */
  | { readonly kind: 'model'; readonly file: string; readonly scale: number };

/** A celestial body: z to its north pole, x to longitude 0. */
export interface Body {
  /** In metres. */
  readonly radius: number;
  /** A picture below scene/ of the server: longitude from -180 to 180 degrees across, north at the top. */
  readonly texture: string | undefined;
}

/** A frame that moves: where it is in its parent's axes, and how it is turned. */
export interface Pose {
  readonly name: string;
  /** Where its parent stands in the list: before it. Undefined for a pose in the axes of the world. */
  readonly parent: number | undefined;
  /** Paths of three numbers and of four, scalar first. */
  readonly position: string;
  readonly positionUnits: string;
  readonly attitude: string | undefined;
  readonly shape: Shape | undefined;
  readonly body: Body | undefined;
}

export interface Scene {
  readonly poses: readonly Pose[];
  /** Sentences about poses that cannot be shown. */
  readonly faults: readonly string[];
}

/** What one panel shows. */
export const MOST_POSES = 1000;

/** Some poses with all that they stand on, as a list of its own, and where the wanted ones are in it. */
export function onlyOf(poses: readonly Pose[], wanted: readonly number[]): { poses: readonly Pose[]; at: number[] } {
  const places = new Map<number, number>();
  const kept: Pose[] = [];
  const keep = (index: number): number => {
    const known = places.get(index);
    if (known !== undefined) return known;
    const pose = poses[index] as Pose;
    const parent = pose.parent === undefined ? undefined : keep(pose.parent);
    places.set(index, kept.length);
    kept.push({ ...pose, parent });
    return kept.length - 1;
  };
  return { at: wanted.map(keep), poses: kept };
}

type Listed = Omit<Pose, 'parent'> & { readonly parent: string | undefined };

/** Reads any JSON; poses whose parents are not there, or go round in a circle, are left out. */
export function sceneOf(answer: unknown): Scene {
  const { poses } = recordOf(answer);
  const listed = new Map(listOf(poses, MOST_POSES, listedOf).map((pose) => [pose.name, pose]));
  const faults: string[] = [];
  if (Array.isArray(poses) && poses.length > MOST_POSES)
    faults.push(`${poses.length - MOST_POSES} of ${poses.length} poses are left out`);
  const ordered: Pose[] = [];
  const places = new Map<string, number>();
  for (const pose of listed.values()) {
    const chain = chainOf(pose, listed);
    if (typeof chain === 'string') faults.push(chain);
    else for (const each of chain) if (!places.has(each.name)) place(each, places, ordered);
  }
  return { poses: ordered, faults };
}

function place(pose: Listed, places: Map<string, number>, ordered: Pose[]): void {
  places.set(pose.name, ordered.length);
  ordered.push({ ...pose, parent: pose.parent === undefined ? undefined : places.get(pose.parent) });
}

/** A pose after all that it stands on; or why it stands on nothing. */
function chainOf(pose: Listed, listed: ReadonlyMap<string, Listed>): readonly Listed[] | string {
  const chain: Listed[] = [];
  const met = new Set<string>();
  for (let each = pose; ; ) {
    if (met.has(each.name)) return `${pose.name} has itself among its parents`;
    met.add(each.name);
    chain.unshift(each);
    if (each.parent === undefined) return chain;
    const parent = listed.get(each.parent);
    if (!parent) return `${pose.name} has no place, because there is no pose ${each.parent}`;
    each = parent;
  }
}

function listedOf(given: unknown): Listed | undefined {
  const { name, parent, position, positionUnits, attitude, shape, body } = recordOf(given);
  const [known, path] = [textOf(name), textOf(position)];
  if (known === undefined || path === undefined) return undefined;
  return {
    name: known,
    parent: textOf(parent),
    position: path,
    positionUnits: textOf(positionUnits) ?? 'm',
    attitude: textOf(attitude),
    shape: shapeOf(shape),
    body: bodyOf(body),
  };
}

/** Sizes that a graphics card can draw. */
const [LEAST_SIZE, MOST_SIZE] = [1e-9, 1e17];
const sizeOf = (given: unknown): number | undefined => numberOf(given, LEAST_SIZE, MOST_SIZE);

const COLOUR = /^#(?:[\da-f]{6}|[\da-f]{8})$/i;
const USUAL_COLOUR = '#9aa5b1';

function shapeOf(given: unknown): Shape | undefined {
  const { kind, size, ...rest } = recordOf(given);
  const [radius, length, scale] = [sizeOf(rest.radius), sizeOf(rest.length), sizeOf(rest.scale) ?? 1];
  const color = COLOUR.test(String(rest.color)) ? String(rest.color) : USUAL_COLOUR;
  const file = textOf(rest.file);
  const [x, y, z] = listOf(size, 3, sizeOf);
  if (kind === 'box' && x && y && z) return { kind, size: [x, y, z], color };
  if (kind === 'sphere' && radius) return { kind, radius, color };
  if ((kind === 'cylinder' || kind === 'arrow') && radius && length) return { kind, radius, length, color };
  if (kind === 'model' && file) return { kind, file, scale };
  return undefined;
}

function bodyOf(given: unknown): Body | undefined {
  const { radius, texture } = recordOf(given);
  const known = sizeOf(radius);
  return known === undefined ? undefined : { radius: known, texture: textOf(texture) };
}
