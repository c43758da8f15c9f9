// The grid on which panels lie: no two overlap, and they move up as far as they can.

export const GRID_COLUMNS = 24;
export const ROW_PIXELS = 32;

/** In cells; x and y from the top left. */
export interface GridPlace {
  readonly x: number;
  readonly y: number;
  readonly columns: number;
  readonly rows: number;
}

interface Placed {
  readonly id: string;
  readonly place: GridPlace;
}

export const overlap = (one: GridPlace, other: GridPlace): boolean =>
  one.x < other.x + other.columns &&
  other.x < one.x + one.columns &&
  one.y < other.y + other.rows &&
  other.y < one.y + one.rows;

const isBefore = (one: Placed, other: Placed): number => one.place.y - other.place.y || one.place.x - other.place.x;

/**
 * The same panels, moved down where they overlapped and up where there was room; in the given order.
 * @param first stays where it is as far as it can: the panel that somebody moves.
 */
export function compacted<Panel extends Placed>(panels: readonly Panel[], first?: string): Panel[] {
  const laid: Panel[] = [];
  const order = [...panels].sort((one, other) => {
    const byRow = isBefore(one, other);
    // A panel that is dropped on another takes its row.
    if (byRow === 0 || overlap(one.place, other.place)) {
      if (one.id === first) return -1;
      if (other.id === first) return 1;
    }
    return byRow;
  });
  for (const panel of order) laid.push({ ...panel, place: lifted(panel.place, laid) });
  const places = new Map(laid.map(({ id, place }) => [id, place]));
  return panels.map((panel) => ({ ...panel, place: places.get(panel.id) as GridPlace }));
}

/** The place moved down past what it overlaps, then up to the first free row. */
function lifted(place: GridPlace, laid: readonly Placed[]): GridPlace {
  const isFree = (y: number): boolean => !laid.some((other) => overlap({ ...place, y }, other.place));
  let { y } = place;
  while (!isFree(y)) y++;
  while (y > 0 && isFree(y - 1)) y--;
  return { ...place, y };
}

/** A place of this size: the first free one in reading order. */
export function freePlace(
  panels: readonly Placed[],
  { columns, rows }: Pick<GridPlace, 'columns' | 'rows'>,
): GridPlace {
  const width = Math.min(columns, GRID_COLUMNS);
  for (let y = 0; ; y++) {
    for (let x = 0; x + width <= GRID_COLUMNS; x++) {
      const place = { x, y, columns: width, rows };
      if (!panels.some((panel) => overlap(place, panel.place))) return place;
    }
  }
}

/** A place inside the grid, not smaller than `least`. */
export function bounded(
  place: GridPlace,
  least: Pick<GridPlace, 'columns' | 'rows'> = { columns: 2, rows: 2 },
): GridPlace {
  const columns = Math.min(Math.max(Math.round(place.columns), least.columns), GRID_COLUMNS);
  return {
    columns,
    rows: Math.max(Math.round(place.rows), least.rows),
    x: Math.min(Math.max(Math.round(place.x), 0), GRID_COLUMNS - columns),
    y: Math.max(Math.round(place.y), 0),
  };
}

/** Rows from the top to the end of the lowest panel. */
export const rowsOf = (panels: readonly Placed[]): number =>
  panels.reduce((most, { place }) => Math.max(most, place.y + place.rows), 0);
