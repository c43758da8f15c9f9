// Settings of the 3D panel: which pose it follows and from where, and what is drawn beside the shapes.
import { LONGEST_SPAN, SHORTEST_SPAN } from '../plot/time-window.js';
import { numberOf, recordOf, textOf } from '../values/given.js';
import { DISTANCES, STEEPEST, type View } from './view.js';

export interface SceneSettings {
  readonly [name: string]: unknown;
  /** Name of the pose that stays in the middle; undefined for the first that has a shape. */
  readonly follow: string | undefined;
  /** Names of the poses whose way is drawn; undefined for the one in the middle, empty for none. */
  readonly trail: string | undefined;
  /** Seconds of the past that the trail shows; undefined for all of it. */
  readonly span: number | undefined;
  readonly hasAxes: boolean;
  readonly hasGrid: boolean;
  readonly hasNames: boolean;
  /** Shows the time under the cursor of the charts, while there is one. */
  readonly followsCursor: boolean;
  /** Undefined for one that shows the middle as a whole. */
  readonly view: View | undefined;
}

/** The setting `trail` for no trail. */
export const NO_TRAIL = '-';

export function sceneSettings(given: unknown): SceneSettings {
  const { follow, trail, span, hasAxes, hasGrid, hasNames, followsCursor, view } = recordOf(given);
  return {
    follow: textOf(follow),
    trail: textOf(trail),
    span: numberOf(span, SHORTEST_SPAN, LONGEST_SPAN),
    hasAxes: hasAxes !== false,
    hasGrid: hasGrid !== false,
    hasNames: hasNames !== false,
    followsCursor: followsCursor !== false,
    view: viewOf(view),
  };
}

function viewOf(given: unknown): View | undefined {
  const { azimuth, elevation, distance } = recordOf(given);
  const [around, up] = [numberOf(azimuth, -360, 360), numberOf(elevation, -STEEPEST, STEEPEST)];
  const away = numberOf(distance, DISTANCES.least, DISTANCES.most);
  return around === undefined || up === undefined || away === undefined
    ? undefined
    : { azimuth: around, elevation: up, distance: away };
}
