// Where a point is over a body: longitude, latitude and altitude over a sphere, in the axes that turn with the body.
import { lengthOf, type Place, seenFrom, type Vector } from './frames.js';

/** Angles in rad, east and north above 0; the altitude in metres. */
export interface OverGround {
  readonly longitude: number;
  /** From the middle of the body. */
  readonly latitude: number;
  readonly altitude: number;
}

/** @param point in the axes that turn with the body, from its middle. */
export function overSphere(point: Vector, radius: number): OverGround {
  const [x, y, z] = point;
  const distance = lengthOf(point);
  return {
    longitude: Math.atan2(y, x),
    latitude: Math.atan2(z, Math.hypot(x, y)),
    altitude: distance - radius,
  };
}

/** @param point in the axes of the world. */
export const onGround = (body: Place, radius: number, point: Vector): OverGround =>
  overSphere(seenFrom(body, point), radius);
