// The buttons of a plot of runs: zoom, whole runs, and what is shown as SVG or CSV.
import { IconButton } from '../../widgets/icon-button.js';
import { historyCsv } from '../plot/csv.js';
import { fileNameOf, saveFile } from '../plot/saved-file.js';
import { ZoomButtons } from '../plot/zoom-buttons.js';
import { drawnOf, type RunPanel, runStateOf } from './run-state.js';
import { runPlotTitle } from './settings.js';
import { STRETCH, shownOf, zoomed } from './stretch.js';

const QUIET = 'button tiny quiet';

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
      <IconButton
        icon="M2.5 3.5h11v9h-11zM5 10c1.500-5 4.500-5 6 0"
        label="Save as SVG"
        class={QUIET}
        onClick={() => saveSvg(panel)}
      />
      <IconButton
        icon="M8 2.5v8M4.5 7.5L8 11l3.5-3.5M3 13.5h10"
        label="Save as CSV"
        class={QUIET}
        onClick={() => saveCsv(panel)}
      />
    </>
  );
}

function saveSvg(panel: RunPanel): void {
  const { chart } = runStateOf(panel);
  if (!chart) {
    panel.say('a plot of one variable over another is not saved as SVG', 'error');
    return;
  }
  const name = fileNameOf(runPlotTitle(panel.settings.peek()), 'svg');
  saveFile(name, new Blob([chart.svg()], { type: 'image/svg+xml' }));
  panel.say(`${name} is saved`, 'done');
}

/** What is drawn between the edges; where rows are thinned, the least and the greatest of each stretch. */
function saveCsv(panel: RunPanel): void {
  const state = runStateOf(panel);
  const { curves, data } = drawnOf(state, STRETCH.peek());
  const [from, to] = shownOf(state.reach.peek());
  const columns = curves.map(({ label }, k) => ({ alias: label, unit: data[k]?.units ?? '1' }));
  const series = curves.map((_, k) => {
    const { times = [], values = [] } = data[k] ?? {};
    const inside = times.flatMap((time, at) => (time >= from && time <= to ? [at] : []));
    return { times: inside.map((at) => times[at] as number), values: inside.map((at) => values[at] ?? null) };
  });
  const name = fileNameOf(runPlotTitle(panel.settings.peek()), 'csv');
  saveFile(name, new Blob([historyCsv(columns, series)], { type: 'text/csv' }));
  panel.say(`${name} is saved`, 'done');
}
