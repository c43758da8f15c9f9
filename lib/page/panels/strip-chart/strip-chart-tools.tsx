// The buttons of a strip chart: follow or pause, zoom, and its samples as a picture or as CSV.
import { IconButton } from '../../widgets/icon-button.js';
import { csvText } from '../plot/csv.js';
import { lookOf, seriesColour } from '../plot/look.js';
import { SaveButtons } from '../plot/save-buttons.js';
import { fileNameOf, savePicture } from '../plot/saved-file.js';
import { edges, follow, isFollowing, pause, zoom } from '../plot/time-window.js';
import { ZoomButtons } from '../plot/zoom-buttons.js';
import { type ChartPanel, showTime, slotOf, stateOf, unitOfLine } from './chart-state.js';
import { chartTitle } from './settings.js';

export function StripChartTools({ panel }: { readonly panel: ChartPanel }) {
  const state = stateOf(panel);
  const { window } = state;
  const isLive = isFollowing(window.value);
  const latest = (): number => state.samples.latestTime;
  const toggle = (): void => {
    showTime(panel, isLive ? pause(window.peek(), latest()) : follow(window.peek()));
  };
  const zoomBy = (factor: number): void => {
    showTime(panel, zoom(window.peek(), factor, latest()));
  };
  return (
    <>
      <IconButton
        icon={isLive ? 'M6 4v8M10 4v8' : 'M5 3.5v9l7-4.5z'}
        label={isLive ? 'Pause the chart' : 'Follow the latest'}
        title={isLive ? 'Pause (space)' : 'Follow the latest (space)'}
        class={`button tiny ${isLive ? 'quiet' : 'primary'}`}
        onClick={toggle}
      />
      <ZoomButtons zoomBy={zoomBy} />
      <IconButton
        icon="M2.5 3.5h11v9h-11zM2.5 11l3-3 2 2 3-3.5 3 3.5"
        label="Save as PNG"
        class="button tiny quiet"
        onClick={() => savePng(panel)}
      />
      <SaveButtons
        panel={panel}
        title={() => chartTitle(panel.settings.peek())}
        svg={() => state.chart?.svg()}
        csv={() => samplesText(panel)}
      />
    </>
  );
}

function samplesText(panel: ChartPanel): string {
  const state = stateOf(panel);
  const columns = state.sampled.map(({ alias, units }) => ({
    alias,
    unit: unitOfLine(state.facts.peek().get(alias), units),
  }));
  const [from, to] = edges(state.window.peek(), state.samples.latestTime);
  return csvText(columns, state.samples, from, to);
}

function savePng(panel: ChartPanel): void {
  const { chart } = stateOf(panel);
  if (!chart) return;
  const look = lookOf(chart.canvas);
  const { lines } = panel.settings.peek();
  const legend = lines.map((line, index) => ({ text: line.alias, colour: seriesColour(look, slotOf(line, index)) }));
  const name = fileNameOf(chartTitle(panel.settings.peek()), 'png');
  savePicture(name, chart.canvas, look, legend);
  panel.say(`${name} is saved`, 'done');
}
