// The camera's place around what it follows, and the keys that move it. The third axis of the world is up.
import type { Pose, Shape } from '../poses/poses.js';

/** Where the camera is, seen from what it follows: angles in degrees, the distance in metres. */
export interface View {
  readonly azimuth: number;
  readonly elevation: number;
  readonly distance: number;
}

export const DISTANCES = { least: 1e-3, most: 1e13 } as const;
export const STEEPEST = 89;

/** From the front, the side and above. */
export const USUAL_VIEW = { azimuth: -60, elevation: 20 } as const;
/** Distances from which a shape and a body are seen as a whole, in their radii. */
const [SHAPE_RADII, BODY_RADII] = [6, 3.5];
const TURN_DEGREES = 10;
const ZOOM = 1.25;

export const SCENE_KEYS = 'plus and minus zoom, arrows turn, End or space show it as at the start';

/** The view after a key; `usual` for the one at the start, undefined for a key that means nothing here. */
export function viewAfter(view: View, key: string): View | 'usual' | undefined {
  const turns = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[key];
  if (turns) {
    const [around, up] = turns as [number, number];
    const elevation = Math.min(Math.max(view.elevation + TURN_DEGREES * up, -STEEPEST), STEEPEST);
    return { ...view, azimuth: (view.azimuth + TURN_DEGREES * around) % 360, elevation };
  }
  if (key === '+' || key === '=') return zoomed(view, ZOOM);
  if (key === '-') return zoomed(view, 1 / ZOOM);
  return key === 'End' || key === 'Home' || key === ' ' ? 'usual' : undefined;
}

/** @param factor above 1 goes nearer. */
export function zoomed(view: View, factor: number): View {
  const distance = Math.min(Math.max(view.distance / factor, DISTANCES.least), DISTANCES.most);
  return { ...view, distance };
}

/** The pose in the middle: the chosen one, else the first with a shape, which is no body, else the first. */
export function followedOf(poses: readonly Pose[], chosen: string | undefined): number {
  const named = poses.findIndex(({ name }) => name === chosen);
  if (named >= 0) return named;
  const shaped = poses.findIndex(({ shape, body }) => shape && !body);
  const moving = poses.findIndex(({ body }) => !body);
  return shaped >= 0 ? shaped : Math.max(moving, 0);
}

/** Of the sphere around a shape; 0 for a model, which is not known before it has come. */
export function radiusOf(shape: Shape | undefined): number {
  if (shape?.kind === 'box') return Math.hypot(...shape.size) / 2;
  if (shape?.kind === 'sphere') return shape.radius;
  if (shape?.kind === 'cylinder') return Math.hypot(shape.radius, shape.length / 2);
  return shape?.kind === 'arrow' ? shape.length : 0;
}

/** @param spread the greatest distance to another pose, for what has no size. */
export function usualDistance({ body, shape }: Pose, modelRadius: number, spread: number): number {
  const radius = Math.max(radiusOf(shape), modelRadius);
  const whole = SHAPE_RADII * radius || BODY_RADII * (body?.radius ?? 0) || 2 * spread || 10;
  return Math.min(Math.max(whole, DISTANCES.least), DISTANCES.most);
}
