// Where poses are in the axes of the world, in double precision: a graphics card has only single.
import type { Pose } from './poses.js';

export type Vector = readonly [number, number, number];
/** Scalar first. */
export type Quaternion = readonly [number, number, number, number];

/** A pose in the axes of the world, in metres; the quaternion turns vectors of the pose into those of the world. */
export interface Place {
  readonly position: Vector;
  readonly attitude: Quaternion;
}

/** Reads one element of a variable; NaN where it has none. */
export type ElementReader = (path: string, element: number) => number;

export const UNTURNED: Quaternion = [1, 0, 0, 0];
const ORIGIN: Place = { position: [0, 0, 0], attitude: UNTURNED };

/** Undefined for a pose that has no position or no attitude now, and for what stands on it. */
export function placesOf(poses: readonly Pose[], read: ElementReader): (Place | undefined)[] {
  const places: (Place | undefined)[] = [];
  for (const { parent, position, attitude } of poses) {
    const base = parent === undefined ? ORIGIN : places[parent];
    const own = vectorAt(position, read);
    const turn = attitude === undefined ? UNTURNED : quaternionAt(attitude, read);
    places.push(base && own && turn && placed(base, own, turn));
  }
  return places;
}

const placed = (base: Place, position: Vector, attitude: Quaternion): Place => ({
  position: sum(base.position, turned(base.attitude, position)),
  attitude: product(base.attitude, attitude),
});

function vectorAt(path: string, read: ElementReader): Vector | undefined {
  const [x, y, z] = [read(path, 0), read(path, 1), read(path, 2)];
  return Number.isFinite(x + y + z) ? [x, y, z] : undefined;
}

/** Of length 1; undefined for one that says no direction. */
function quaternionAt(path: string, read: ElementReader): Quaternion | undefined {
  const [w, x, y, z] = [read(path, 0), read(path, 1), read(path, 2), read(path, 3)];
  const length = Math.hypot(w, x, y, z);
  return length > 0 && Number.isFinite(length) ? [w / length, x / length, y / length, z / length] : undefined;
}

export const sum = (a: Vector, b: Vector): Vector => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const difference = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const lengthOf = (vector: Vector): number => Math.hypot(...vector);
export const scaled = ([x, y, z]: Vector, factor: number): Vector => [factor * x, factor * y, factor * z];

/** First the turn of `b`, then that of `a`. */
const product = ([a, b, c, d]: Quaternion, [e, f, g, h]: Quaternion): Quaternion => [
  a * e - b * f - c * g - d * h,
  a * f + b * e + c * h - d * g,
  a * g - b * h + c * e + d * f,
  a * h + b * g - c * f + d * e,
];

/** The vector, turned. */
export function turned([w, x, y, z]: Quaternion, [a, b, c]: Vector): Vector {
  const [p, q, r] = [2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)];
  return [a + w * p + y * r - z * q, b + w * q + z * p - x * r, c + w * r + x * q - y * p];
}

/** A point of the world, in the axes of a place. */
export const seenFrom = ({ position, attitude: [w, x, y, z] }: Place, point: Vector): Vector =>
  turned([w, -x, -y, -z], difference(point, position));
