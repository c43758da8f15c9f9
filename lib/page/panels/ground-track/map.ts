// The map of a ground track: which part of it is shown, where its lines are, and the track in pieces that can be drawn.

/** In degrees, east and north above 0. */
export interface MapPoint {
  readonly longitude: number;
  readonly latitude: number;
}

/** A part of the map: degrees around its middle. */
export interface Region {
  readonly middle: MapPoint;
  readonly halfWidth: number;
  readonly halfHeight: number;
  /** Its width as drawn, in its height. */
  readonly aspect: number;
}

export const WHOLE_MAP: Region = { middle: { longitude: 0, latitude: 0 }, halfWidth: 180, halfHeight: 90, aspect: 2 };

/** About ten metres on the Earth. */
const LEAST_HALF = 1e-4;
const MARGIN = 1.2;

/** The shortest way from one longitude to another, from -180 to 180. */
export const eastOf = (longitude: number, from: number): number => {
  const around = (longitude - from) % 360;
  return around > 180 ? around - 360 : around < -180 ? around + 360 : around;
};

/** The part that shows some points, of which one is now; in its middle, a metre is as long in all directions. */
export function regionAround(points: readonly MapPoint[], now: MapPoint, aspect: number): Region {
  const [west, east] = ends([0, ...points.map(({ longitude }) => eastOf(longitude, now.longitude))]);
  const [south, north] = ends([0, ...points.map(({ latitude }) => latitude - now.latitude)]);
  const middle = { longitude: now.longitude + (west + east) / 2, latitude: now.latitude + (south + north) / 2 };
  const narrow = Math.max(Math.cos((middle.latitude * Math.PI) / 180), 0.01);
  const halfHeight = Math.max((narrow * (east - west)) / 2 / aspect, (north - south) / 2, LEAST_HALF) * MARGIN;
  const halfWidth = (halfHeight * aspect) / narrow;
  return halfWidth > 90 || halfHeight > 45 ? WHOLE_MAP : { middle, halfWidth, halfHeight, aspect };
}

function ends(values: readonly number[]): readonly [least: number, most: number] {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  return [least, most];
}

/** The track in pieces: it is interrupted where a number is missing, and ends at the edge where it leaves the map. */
export function piecesOf(
  longitudes: readonly (number | null)[],
  latitudes: readonly (number | null)[],
  middle: number,
): MapPoint[][] {
  const pieces: MapPoint[][] = [];
  let piece: MapPoint[] = [];
  const end = (): void => {
    if (piece.length > 0) pieces.push(piece);
    piece = [];
  };
  for (const [k, given] of longitudes.entries()) {
    const latitude = latitudes[k] ?? null;
    if (given === null || latitude === null) {
      end();
      continue;
    }
    const point = { longitude: middle + eastOf(given, middle), latitude };
    const before = piece.at(-1);
    if (before && Math.abs(point.longitude - before.longitude) > 180) {
      const edge = crossing(before, point, middle);
      piece.push(edge.left);
      end();
      piece.push(edge.entered);
    }
    piece.push(point);
  }
  end();
  return pieces;
}

/** Where a track goes over the edge of the map, on both sides of it. */
function crossing(before: MapPoint, after: MapPoint, middle: number): { left: MapPoint; entered: MapPoint } {
  const side = before.longitude > middle ? 1 : -1;
  const [from, way] = [middle + 180 * side - before.longitude, eastOf(after.longitude, before.longitude)];
  const latitude = before.latitude + (way === 0 ? 0 : from / way) * (after.latitude - before.latitude);
  return {
    left: { longitude: middle + 180 * side, latitude },
    entered: { longitude: middle - 180 * side, latitude },
  };
}

const STEPS = [1, 2, 5, 10, 15, 30, 45] as const;
const WIDEST_STEP = 90;

/** A round number of degrees from one line of the map to the next, no less than a given one. */
export function lineStep(least: number): number {
  if (least > 0.5) return STEPS.find((step) => step >= least) ?? WIDEST_STEP;
  const power = 10 ** Math.floor(Math.log10(least));
  return ([1, 2, 5].find((step) => step * power >= least) ?? 10) * power;
}

/** 12.5° N, as many digits as a step of lines needs. */
export function degreesText(degrees: number, [above, below]: readonly [string, string], digits: number): string {
  const text = `${Math.abs(degrees).toFixed(digits)}°`;
  return Number(degrees.toFixed(digits)) === 0 ? text : `${text} ${degrees > 0 ? above : below}`;
}

export const digitsOf = (step: number): number => Math.max(0, -Math.floor(Math.log10(step)));
