// How wide lines of a chart are: two of one pixel look like one of 1.5, and without a graphics card cost the browser a third.
import uPlot from 'uplot';

export const lineWidth = (): number => (uPlot.pxRatio === 1 ? 1 : 1.5);

/** Makes a line of this width, which runs more to the right than upward, look like one of 1.5 pixels. */
export function thicken(path: Path2D): void {
  if (uPlot.pxRatio === 1) path.addPath(path, { f: 0.5 });
}
