// How wide lines are: two lines of one pixel look like one of 1.5, and without a graphics card cost the browser a third.
import uPlot from 'uplot';

export const lineWidth = (): number => (uPlot.pxRatio === 1 ? 1 : 1.5);

/** Makes a line that is drawn with this width look like one of 1.5 pixels. */
export function thicken(path: Path2D): void {
  if (uPlot.pxRatio === 1) path.addPath(path, { e: 0.5, f: 0.5 });
}
