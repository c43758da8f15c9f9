// The panels of a tab on their grid: moved and resized by pointer or keys, one below the other on a phone.
import { useEffect, useRef, useState } from 'preact/hooks';
import { placePanel, removePanel, shownTab } from '../layout/changes.js';
import { bounded, compacted, GRID_COLUMNS, type GridPlace, ROW_PIXELS, rowsOf } from '../layout/grid.js';
import type { PlacedPanel } from '../layout/layout.js';
import type { PageState } from '../state/page-state.js';
import { DRAGGED_VARIABLE } from '../widgets/dragged.js';
import { focusNeighbour } from '../widgets/neighbour.js';
import { EmptyGrid } from './empty-grid.js';
import { enlarge, PanelFrame } from './panel-frame.js';

/** Narrower than this, panels lie one below the other. */
const NARROW_PIXELS = 720;

interface Grabbed {
  readonly id: string;
  readonly place: GridPlace;
}

export function PanelGrid({ state }: { readonly state: PageState }) {
  const root = useRef<HTMLDivElement>(null);
  const [isNarrow, setNarrow] = useState(false);
  const [grabbed, setGrabbed] = useState<Grabbed>();
  useEffect(() => {
    const { current } = root;
    if (!current) return undefined;
    const observer = new ResizeObserver(() => setNarrow(current.clientWidth < NARROW_PIXELS));
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  const { panels } = shownTab(state.layout.value);
  const shown = grabbed ? previewOf(panels, grabbed) : panels;
  const grab = (event: PointerEvent, panel: PlacedPanel, what: 'move' | 'resize'): void => {
    if (event.button !== 0 || isNarrow || !root.current) return;
    event.preventDefault();
    const least = state.kindOf(panel.type)?.leastSize;
    follow(event, root.current, panel.place, what, least, (place, isDone) => {
      setGrabbed(isDone ? undefined : { id: panel.id, place });
      if (isDone) state.change((layout) => placePanel(layout, panel.id, place));
    });
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: variables are dropped here; Enter in the tree does the same.
    <div
      ref={root}
      class={`grid ${isNarrow ? 'narrow' : ''} ${grabbed ? 'grabbing' : ''}`}
      onKeyDown={(event) => pressedOn(event, state)}
      onDragOver={(event) => {
        if (event.dataTransfer?.types.includes(DRAGGED_VARIABLE)) event.preventDefault();
      }}
      onDrop={(event) => {
        const alias = event.dataTransfer?.getData(DRAGGED_VARIABLE);
        if (!alias) return;
        event.preventDefault();
        state.focus(undefined);
        void state.addVariable(alias);
      }}
    >
      {panels.length === 0 && <EmptyGrid state={state} />}
      <div class="grid-space" style={isNarrow ? {} : { height: `${rowsOf(shown) * ROW_PIXELS}px` }}>
        {inReadingOrder(shown).map((panel) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out by height in all browsers.
          <div
            key={panel.id}
            class={`cell ${grabbed?.id === panel.id ? 'grabbed' : ''}`}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: keys move and resize the panel that has the focus.
            tabIndex={0}
            role="group"
            aria-label={`Panel ${state.kindOf(panel.type)?.name ?? panel.type}`}
            data-cell={panel.id}
            style={isNarrow ? { height: `${panel.place.rows * ROW_PIXELS}px` } : styleOf(panel.place)}
          >
            <PanelFrame state={state} panel={panel} onGrab={(event, what) => grab(event, panel, what)} />
          </div>
        ))}
      </div>
    </div>
  );
}

const previewOf = (panels: readonly PlacedPanel[], { id, place }: Grabbed): readonly PlacedPanel[] =>
  compacted(
    panels.map((panel) => (panel.id === id ? { ...panel, place } : panel)),
    id,
  );

/** Focus goes with Tab in the order of the document. */
const inReadingOrder = (panels: readonly PlacedPanel[]): PlacedPanel[] =>
  [...panels].sort((one, other) => one.place.y - other.place.y || one.place.x - other.place.x);

const styleOf = ({ x, y, columns, rows }: GridPlace): Record<string, string> => ({
  left: `${(x / GRID_COLUMNS) * 100}%`,
  width: `${(columns / GRID_COLUMNS) * 100}%`,
  top: `${y * ROW_PIXELS}px`,
  height: `${rows * ROW_PIXELS}px`,
});

/** Follows the pointer until it is lifted; `moved` gets the place in cells. */
function follow(
  start: PointerEvent,
  root: HTMLElement,
  place: GridPlace,
  what: 'move' | 'resize',
  least: { readonly columns: number; readonly rows: number } | undefined,
  moved: (place: GridPlace, isDone: boolean) => void,
): void {
  const cellPixels = root.clientWidth / GRID_COLUMNS;
  const placeOf = ({ clientX, clientY }: PointerEvent): GridPlace => {
    const right = (clientX - start.clientX) / cellPixels;
    const down = (clientY - start.clientY) / ROW_PIXELS;
    return what === 'move'
      ? bounded({ ...place, x: place.x + right, y: place.y + down }, least)
      : bounded(sized(place, right, down), least);
  };
  const move = (event: PointerEvent): void => moved(placeOf(event), false);
  const up = (event: PointerEvent): void => end(placeOf(event));
  const cancel = (): void => end(place);
  const end = (last: GridPlace): void => {
    removeEventListener('pointermove', move);
    removeEventListener('pointerup', up);
    removeEventListener('pointercancel', cancel);
    moved(last, true);
  };
  addEventListener('pointermove', move);
  addEventListener('pointerup', up);
  addEventListener('pointercancel', cancel);
}

/** A panel keeps its left edge when it grows. */
const sized = (place: GridPlace, right: number, down: number): GridPlace => ({
  ...place,
  columns: Math.min(place.columns + right, GRID_COLUMNS - place.x),
  rows: place.rows + down,
});

const STEPS: Readonly<Record<string, readonly [right: number, down: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Keys of the panel that has the focus itself, not one of its fields. */
function pressedOn(event: KeyboardEvent, state: PageState): void {
  const { key, altKey, shiftKey, target } = event;
  const id = target instanceof HTMLElement ? target.dataset.cell : undefined;
  const panel = shownTab(state.layout.peek()).panels.find((one) => one.id === id);
  if (!panel) return;
  const step = STEPS[key];
  if (altKey && step) {
    const [right, down] = step;
    const { place } = panel;
    const least = state.kindOf(panel.type)?.leastSize;
    const next = shiftKey
      ? sized(place, right, down)
      : { ...place, x: place.x + right, y: place.y + jump(down, place) };
    state.change((layout) => placePanel(layout, panel.id, bounded(next, least)));
  } else if (key === 'Delete') {
    focusNeighbour(target as HTMLElement, '.cell');
    state.change((layout) => removePanel(layout, panel.id));
  } else if (key === 'f') {
    enlarge(state, panel.id);
  } else {
    return;
  }
  event.preventDefault();
  event.stopPropagation();
}

/** Panels move up by themselves, so a step down passes the panel below. */
const jump = (down: number, { rows }: GridPlace): number => (down > 0 ? Math.max(2, Math.ceil(rows / 2)) : down * 2);
