// The stroke of a line with limits: in the colour of an alarm or a warning where its values are outside of them.
import type uPlot from 'uplot';
import type { Limits } from '../values/limits.js';
import type { Look } from './look.js';

export interface ColourStop {
  /** From 0 at the upper edge of the plot to 1. */
  readonly offset: number;
  readonly colour: string;
}

/** The colours from the upper edge down. @param placeOf where a value is, from 0 at the upper edge to 1, or beyond. */
export function colourStops(
  { lowAlarm, lowWarning, highWarning, highAlarm }: Limits,
  colours: { readonly normal: string; readonly warning: string; readonly alarm: string },
  placeOf: (value: number) => number,
): ColourStop[] {
  const { normal, warning, alarm } = colours;
  const bounds = [
    { value: highAlarm, above: alarm, below: highWarning === undefined ? normal : warning },
    { value: highWarning, above: warning, below: normal },
    { value: lowWarning, above: normal, below: warning },
    { value: lowAlarm, above: lowWarning === undefined ? normal : warning, below: alarm },
  ];
  return bounds.flatMap(({ value, above, below }) => {
    const place = value === undefined ? Number.NaN : placeOf(value);
    if (Number.isNaN(place)) return [];
    const offset = Math.min(Math.max(place, 0), 1);
    return [
      { offset, colour: above },
      { offset, colour: below },
    ];
  });
}

export function limitStroke(
  plot: uPlot,
  scale: string,
  limits: Limits,
  look: Look,
  normal: string,
): string | CanvasGradient {
  const { top, height } = plot.bbox;
  const placeOf = (value: number): number => (plot.valToPos(value, scale, true) - top) / height;
  const stops = colourStops(limits, { normal, warning: look.warning, alarm: look.alarm }, placeOf);
  if (stops.length === 0 || !(height > 0)) return normal;
  const gradient = plot.ctx.createLinearGradient(0, top, 0, top + height);
  for (const { offset, colour } of stops) gradient.addColorStop(offset, colour);
  return gradient;
}
