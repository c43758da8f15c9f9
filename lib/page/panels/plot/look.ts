// The colours of a canvas, which knows no style sheet: read from the page's variables, again for each theme.

export interface Look {
  readonly ink: string;
  readonly faint: string;
  readonly line: string;
  readonly surface: string;
  readonly accent: string;
  readonly warning: string;
  readonly alarm: string;
  readonly font: string;
  readonly series: readonly string[];
}

/** So many colours can be told apart; as many lines more have them dashed. */
export const SERIES_COLOURS = 16;

export function lookOf(element: HTMLElement): Look {
  const style = getComputedStyle(element);
  const colour = (name: string): string => style.getPropertyValue(name).trim() || style.color;
  return {
    ink: colour('--ink-2'),
    faint: colour('--ink-3'),
    line: colour('--line'),
    surface: colour('--surface'),
    accent: colour('--accent'),
    warning: colour('--warn'),
    alarm: colour('--bad'),
    font: `11px ${style.fontFamily}`,
    series: Array.from({ length: SERIES_COLOURS }, (_, index) => colour(`--series-${index + 1}`)),
  };
}

export const seriesColour = ({ series }: Look, slot: number): string => series[slot % series.length] as string;

/** The second half of the slots has the same colours, dashed. */
export const isDashedSlot = (slot: number): boolean => slot % (2 * SERIES_COLOURS) >= SERIES_COLOURS;

/** The style variable of a line's colour, for elements other than a canvas. */
export const seriesVariable = (slot: number): string => `var(--series-${(slot % SERIES_COLOURS) + 1})`;
