// All kinds of panels, in the order of the menu.
import { clients } from './panels/clients/clients.js';
import { commandLine } from './panels/command-line/command-line.js';
import { events } from './panels/events/events.js';
import { functions } from './panels/functions/functions.js';
import { groundTrack } from './panels/ground-track/ground-track.js';
import { messages } from './panels/messages/messages.js';
import type { PanelKind } from './panels/panel.js';
import { recordings } from './panels/recordings/recordings.js';
import { runPlot } from './panels/run-plot/run-plot.js';
import { scene } from './panels/scene/scene.js';
import { singleValue } from './panels/single-value/single-value.js';
import { spectrum } from './panels/spectrum/spectrum.js';
import { stripChart } from './panels/strip-chart/strip-chart.js';
import { study } from './panels/study/study.js';
import { table } from './panels/table/table.js';
import { xyPlot } from './panels/xy-plot/xy-plot.js';

/** A kind reads only settings that it has made itself, so kinds of all settings stand in one list. */
export const PANEL_KINDS: readonly PanelKind[] = [
  table,
  stripChart,
  xyPlot,
  runPlot,
  study,
  spectrum,
  singleValue,
  scene,
  groundTrack,
  messages,
  events,
  functions,
  commandLine,
  recordings,
  clients,
].map((kind) => kind as unknown as PanelKind);
