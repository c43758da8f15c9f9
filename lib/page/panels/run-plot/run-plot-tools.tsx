// The buttons of a plot of runs: zoom, whole runs, and what is shown as SVG or CSV.
import { IconButton } from '../../widgets/icon-button.js';
import { historyCsv } from '../plot/csv.js';
import { SaveButtons } from '../plot/save-buttons.js';
import { ZoomButtons } from '../plot/zoom-buttons.js';
import { drawNow } from './draw-runs.js';
import { drawnOf, type RunPanel, runStateOf } from './run-state.js';
import { runPlotTitle } from './settings.js';
import { STRETCH, shownOf, zoomed } from './stretch.js';

export function RunPlotTools({ panel }: { readonly panel: RunPanel }) {
  const state = runStateOf(panel);
  const isWhole = STRETCH.value === undefined && state.view.value === undefined;
  const showAll = (): void => {
    STRETCH.value = undefined;
    state.view.value = undefined;
  };
  return (
    <>
      <IconButton
        icon="M2.500 8h11M5 5.500L2.500 8 5 10.500M11 5.500L13.500 8 11 10.500"
        label="Show whole runs"
        title="Show whole runs (End)"
        class={`button tiny ${isWhole ? 'quiet' : 'primary'}`}
        onClick={showAll}
      />
      <ZoomButtons
        zoomBy={(factor) => {
          STRETCH.value = zoomed(state.reach.peek(), factor);
        }}
      />
      <SaveButtons
        panel={panel}
        title={() => runPlotTitle(panel.settings.peek())}
        svg={() => svgText(panel)}
        csv={() => csvText(panel)}
      />
    </>
  );
}

function svgText(panel: RunPanel): string | undefined {
  const state = runStateOf(panel);
  const loaded = drawnOf(state, STRETCH.peek());
  // What has come since the last picture is saved, too.
  drawNow(panel, state, loaded);
  return state.chart?.svg() ?? state.plane?.svg(loaded.curves.map(({ label }) => label));
}

/**
 * What is drawn between the edges, and what stands across; where rows are thinned, the least and the greatest of each
 * stretch.
 */
function csvText(panel: RunPanel): string {
  const state = runStateOf(panel);
  const { curves, data } = drawnOf(state, STRETCH.peek());
  const [from, to] = shownOf(state.reach.peek());
  const all = [...curves, ...state.across.peek()];
  const columns = all.map(({ label }, k) => ({ alias: label, unit: data[k]?.units ?? '1' }));
  const series = all.map((_, k) => {
    const { times = [], values = [] } = data[k] ?? {};
    const inside = times.flatMap((time, at) => (time >= from && time <= to ? [at] : []));
    return { times: inside.map((at) => times[at] as number), values: inside.map((at) => values[at] ?? null) };
  });
  return historyCsv(columns, series);
}
