// What is drawn beside the shapes: the axes of poses, a dot for each that is far away, the grid, and a trail.
import {
  BufferAttribute,
  BufferGeometry,
  type Color,
  DynamicDrawUsage,
  Float32BufferAttribute,
  LineBasicMaterial,
  LineSegments,
  Points,
  PointsMaterial,
  Quaternion,
  type QuaternionLike,
} from 'three';
import type { Place, Vector } from '../poses/frames.js';

/** Red, green and blue for x, y and z, as everywhere. */
const AXES = [0.85, 0.2, 0.2, 0.15, 0.62, 0.25, 0.25, 0.45, 0.95] as const;

/** Axes of length 1, shared by all poses; scaled for each. */
export function axesGeometry(): BufferGeometry {
  const geometry = new BufferGeometry();
  const ends = [0, 1, 2].flatMap((axis) => [0, 0, 0, ...[0, 1, 2].map((k) => Number(k === axis))]);
  const colours = [0, 1, 2].flatMap((axis) => [0, 1].flatMap(() => AXES.slice(3 * axis, 3 * axis + 3)));
  geometry.setAttribute('position', new Float32BufferAttribute(ends, 3));
  geometry.setAttribute('color', new Float32BufferAttribute(colours, 3));
  return geometry;
}

/** Lines on both sides of the middle. */
const GRID_LINES = 20;

/** A plane that a grid lies in: its axes, and where the middle of the picture is in them. */
export interface Plane {
  readonly attitude: QuaternionLike;
  readonly middle: Vector;
}

/** The world's plane of x and y. */
export const flatPlane = (middle: Vector): Plane => ({ attitude: new Quaternion(), middle });

export class Grid {
  readonly lines: LineSegments<BufferGeometry, LineBasicMaterial>;

  constructor(color: Color) {
    const ends: number[] = [];
    // In short pieces, as some drivers leave out a line that goes on behind the camera.
    for (let k = -GRID_LINES; k <= GRID_LINES; k++)
      for (let from = -GRID_LINES; from < GRID_LINES; from++)
        ends.push(k, from, 0, k, from + 1, 0, from, k, 0, from + 1, k, 0);
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new Float32BufferAttribute(ends, 3));
    // Drawn before everything that stands on it.
    const material = new LineBasicMaterial({ color, depthTest: false, depthWrite: false });
    this.lines = new LineSegments(geometry, material);
    this.lines.frustumCulled = false;
    this.lines.renderOrder = -1;
  }

  /** Lines stay where they are in the plane, a power of ten apart that suits the distance; answers it, in metres. */
  put({ attitude, middle: [x, y, z] }: Plane, distance: number): number {
    const step = 10 ** Math.round(Math.log10(Math.max(distance, Math.abs(z)) / 4));
    this.lines.quaternion.copy(attitude);
    this.lines.position.set(-(x % step), -(y % step), -z).applyQuaternion(this.lines.quaternion);
    this.lines.scale.setScalar(step);
    return step;
  }
}

/** A dot for each pose, as large on the screen at any distance. */
export class Dots {
  readonly points: Points<BufferGeometry, PointsMaterial>;

  constructor(count: number, color: Color) {
    const material = new PointsMaterial({ color, size: 4, sizeAttenuation: false });
    this.points = new Points(dynamic(count), material);
    this.points.frustumCulled = false;
  }

  put(places: readonly (Place | undefined)[], middle: Vector): void {
    let count = 0;
    const position = this.points.geometry.getAttribute('position');
    for (const place of places) if (place) setPoint(position as BufferAttribute, count++, place.position, middle);
    this.points.geometry.setDrawRange(0, count);
    position.needsUpdate = true;
  }
}

/** Points that a trail has at most, which are more than `Trail` keeps. */
const MOST_POINTS = 5000;

export class TrailLine {
  readonly lines: LineSegments<BufferGeometry, LineBasicMaterial>;

  constructor(color: Color) {
    this.lines = new LineSegments(dynamic(2 * MOST_POINTS), new LineBasicMaterial({ color }));
    this.lines.frustumCulled = false;
  }

  /** @param columns x, y and z of each point, in the world; null where the trail is interrupted. */
  put([xs = [], ys = [], zs = []]: readonly (readonly (number | null)[])[], middle: Vector): void {
    const position = this.lines.geometry.getAttribute('position') as BufferAttribute;
    let count = 0;
    let before: Vector | undefined;
    for (let k = Math.max(0, xs.length - MOST_POINTS); k < xs.length; k++) {
      const [x, y, z] = [xs[k] ?? null, ys[k] ?? null, zs[k] ?? null];
      const point: Vector | undefined = x === null || y === null || z === null ? undefined : [x, y, z];
      if (before && point) {
        setPoint(position, count++, before, middle);
        setPoint(position, count++, point, middle);
      }
      before = point;
    }
    this.lines.geometry.setDrawRange(0, count);
    position.needsUpdate = true;
  }
}

function dynamic(count: number): BufferGeometry {
  const geometry = new BufferGeometry();
  const position = new BufferAttribute(new Float32Array(3 * count), 3).setUsage(DynamicDrawUsage);
  return geometry.setAttribute('position', position);
}

/** Relative to the middle before it becomes a single-precision number. */
const setPoint = (to: BufferAttribute, index: number, [x, y, z]: Vector, middle: Vector): void =>
  void to.setXYZ(index, x - middle[0], y - middle[1], z - middle[2]);
