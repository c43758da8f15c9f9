// The buttons of an X-Y plot: zoom, and show all.
import { IconButton } from '../../widgets/icon-button.js';
import { ZoomButtons } from '../plot/zoom-buttons.js';
import { type XYPanel, xyStateOf, zoomBy } from './xy-state.js';

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
      <ZoomButtons zoomBy={(factor) => zoomBy(state, factor)} />
    </>
  );
}
