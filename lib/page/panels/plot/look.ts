// The colours of a canvas, which knows no style sheet: read from the page's variables, again for each theme.

export interface Look {
  readonly ink: string;
  readonly faint: string;
  readonly line: string;
  readonly surface: string;
  readonly warning: string;
  readonly alarm: string;
  readonly font: string;
  readonly series: readonly string[];
}

const SERIES_COLOURS = 8;

export function lookOf(element: HTMLElement): Look {
  const style = getComputedStyle(element);
  const colour = (name: string): string => style.getPropertyValue(name).trim() || style.color;
  return {
    ink: colour('--ink-2'),
    faint: colour('--ink-3'),
    line: colour('--line'),
    surface: colour('--surface'),
    warning: colour('--warn'),
    alarm: colour('--bad'),
    font: `11px ${style.fontFamily}`,
    series: Array.from({ length: SERIES_COLOURS }, (_, index) => colour(`--series-${index + 1}`)),
  };
}

export const seriesColour = ({ series }: Look, index: number): string => series[index % series.length] as string;

/** The style variable of a line's colour, for elements other than a canvas. */
export const seriesVariable = (index: number): string => `var(--series-${(index % SERIES_COLOURS) + 1})`;
