// Draws the map of a ground track: lines of latitude and longitude with their degrees, the track, and where it is now.
import type { Look } from '../plot/look.js';
import { degreesText, digitsOf, eastOf, lineStep, type MapPoint, piecesOf, type Region } from './map.js';

export interface Track {
  readonly longitudes: readonly (number | null)[];
  readonly latitudes: readonly (number | null)[];
  /** Undefined where it has no place. */
  readonly now: MapPoint | undefined;
}

/** Pixels from one line to the next, at least: there is room for the degrees. */
const APART = { across: 80, up: 40 } as const;
const DOT_PIXELS = 5;
const TEXT_PIXELS = 4;
const TRACK_PIXELS = 1.5;

/** In pixels of the panel. */
type ToPixels = (point: MapPoint) => readonly [x: number, y: number];

export class MapCanvas {
  private readonly canvas = document.createElement('canvas');
  private width = 0;
  private height = 0;

  constructor(host: HTMLElement) {
    host.append(this.canvas);
  }

  resize(width: number, height: number): void {
    [this.width, this.height] = [width, height];
    Object.assign(this.canvas, { width: width * devicePixelRatio, height: height * devicePixelRatio });
    Object.assign(this.canvas.style, { width: `${width}px`, height: `${height}px` });
  }

  draw(region: Region, track: Track, look: Look): void {
    const drawn = this.canvas.getContext('2d');
    if (!drawn || this.width === 0 || this.height === 0) return;
    drawn.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
    drawn.clearRect(0, 0, this.width, this.height);
    const north = Math.min(this.width / region.aspect, this.height) / 2;
    const east = north * region.aspect;
    const { longitude, latitude } = region.middle;
    const toPixels: ToPixels = (point) => [
      this.width / 2 + ((point.longitude - longitude) / region.halfWidth) * east,
      this.height / 2 - ((point.latitude - latitude) / region.halfHeight) * north,
    ];
    drawn.save();
    drawn.beginPath();
    drawn.rect(this.width / 2 - east, this.height / 2 - north, 2 * east, 2 * north);
    drawn.clip();
    const steps = {
      across: lineStep((APART.across * region.halfWidth) / east),
      up: lineStep((APART.up * region.halfHeight) / north),
    };
    drawLines(drawn, { region, steps, toPixels, look });
    drawTrack(drawn, track, toPixels, look, longitude);
    drawn.restore();
    drawn.strokeStyle = look.faint;
    drawn.strokeRect(this.width / 2 - east, this.height / 2 - north, 2 * east, 2 * north);
  }

  close(): void {
    this.canvas.remove();
  }
}

interface Lines {
  readonly region: Region;
  readonly steps: { readonly across: number; readonly up: number };
  readonly toPixels: ToPixels;
  readonly look: Look;
}

function drawLines(drawn: CanvasRenderingContext2D, { region, steps: { across, up }, toPixels, look }: Lines): void {
  const { middle, halfWidth, halfHeight } = region;
  const [west, east] = [middle.longitude - halfWidth, middle.longitude + halfWidth];
  const [south, north] = [Math.max(-90, middle.latitude - halfHeight), Math.min(90, middle.latitude + halfHeight)];
  drawn.strokeStyle = look.line;
  drawn.fillStyle = look.ink;
  drawn.font = look.font;
  drawn.lineWidth = 1;
  for (const longitude of multiples(across, west, east)) {
    const [x, y] = toPixels({ longitude, latitude: south });
    line(drawn, [x, y], toPixels({ longitude, latitude: north }));
    drawn.fillText(degreesText(eastOf(longitude, 0), ['E', 'W'], digitsOf(across)), x + TEXT_PIXELS, y - TEXT_PIXELS);
  }
  for (const latitude of multiples(up, south, north)) {
    const [x, y] = toPixels({ longitude: west, latitude });
    line(drawn, [x, y], toPixels({ longitude: east, latitude }));
    drawn.fillText(degreesText(latitude, ['N', 'S'], digitsOf(up)), x + TEXT_PIXELS, y - TEXT_PIXELS);
  }
}

/** Strictly between two ends. */
function multiples(step: number, from: number, to: number): number[] {
  const first = Math.floor(from / step) + 1;
  const count = Math.max(0, Math.ceil(to / step) - first);
  return Array.from({ length: count }, (_, k) => (first + k) * step);
}

function line(drawn: CanvasRenderingContext2D, from: readonly [number, number], to: readonly [number, number]): void {
  drawn.beginPath();
  drawn.moveTo(...from);
  drawn.lineTo(...to);
  drawn.stroke();
}

function drawTrack(
  drawn: CanvasRenderingContext2D,
  track: Track,
  toPixels: ToPixels,
  look: Look,
  middle: number,
): void {
  drawn.strokeStyle = look.accent;
  drawn.lineWidth = TRACK_PIXELS;
  for (const piece of piecesOf(track.longitudes, track.latitudes, middle)) {
    drawn.beginPath();
    for (const point of piece) drawn.lineTo(...toPixels(point));
    drawn.stroke();
  }
  if (!track.now) return;
  const { longitude, latitude } = track.now;
  drawn.fillStyle = look.accent;
  drawn.beginPath();
  drawn.arc(...toPixels({ longitude: middle + eastOf(longitude, middle), latitude }), DOT_PIXELS, 0, 2 * Math.PI);
  drawn.fill();
}
