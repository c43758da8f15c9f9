// The buttons of an X-Y plot: zoom, and show all.
import { IconButton } from '../../widgets/icon-button.js';
import { type XYPanel, xyStateOf, ZOOM_STEP, zoomBy } from './xy-state.js';

const QUIET = 'button tiny quiet';

export function XYPlotTools({ panel }: { readonly panel: XYPanel }) {
  const state = xyStateOf(panel);
  const isWhole = state.view.value === undefined;
  const showAll = (): void => {
    state.view.value = undefined;
  };
  return (
    <>
      <IconButton
        icon="M3 6V3h3M10 3h3v3M13 10v3h-3M6 13H3v-3"
        label="Show all"
        title="Show all (End)"
        class={`button tiny ${isWhole ? 'quiet' : 'primary'}`}
        onClick={showAll}
      />
      <IconButton
        icon="M8 4v8M4 8h8"
        label="Zoom in"
        title="Zoom in (+)"
        class={QUIET}
        onClick={() => zoomBy(state, ZOOM_STEP)}
      />
      <IconButton
        icon="M4 8h8"
        label="Zoom out"
        title="Zoom out (−)"
        class={QUIET}
        onClick={() => zoomBy(state, 1 / ZOOM_STEP)}
      />
    </>
  );
}
