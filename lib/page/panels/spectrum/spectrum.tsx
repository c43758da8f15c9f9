// Which frequencies are in some variables: of the last seconds, or of the stretch between the two cursors of the charts.
import { useEffect, useRef, useState } from 'preact/hooks';
import { Check } from '../form/check.js';
import { NumberField } from '../form/number-field.js';
import type { PanelContext, PanelKind } from '../panel.js';
import { hasHistory } from '../plot/history-rows.js';
import { lookOf, seriesVariable } from '../plot/look.js';
import { LOOKED, MARKED } from '../plot/looked-at.js';
import { clockText, numberText } from '../values/number-text.js';
import { SPANS, type SpectrumSettings, spectrumSettings, withSpectrum } from './settings.js';
import { type Spectrum, SpectrumChart } from './spectrum-chart.js';

interface ViewProps {
  readonly panel: PanelContext<SpectrumSettings>;
}

const POLL_MILLIS = 1000;
const POINTS = 2000;

interface Spectra {
  readonly from: number;
  readonly to: number;
  readonly lines: readonly (Spectrum | string)[];
}

function SpectrumView({ panel }: ViewProps) {
  if (panel.settings.value.aliases.length === 0)
    return <p class="empty">Drop numbers here to see which frequencies are in them.</p>;
  if (!hasHistory(panel.server)) return <p class="empty error">This server keeps no past to make a spectrum of.</p>;
  return <Lines panel={panel} />;
}

function Lines({ panel }: ViewProps) {
  const host = useRef<HTMLDivElement>(null);
  const chart = useRef<SpectrumChart>();
  const [hertz, setHertz] = useState<number>();
  const found = useSpectra(panel);
  const { aliases, isLogarithmic } = panel.settings.value;
  const isDark = panel.isDark.value;
  const key = aliases.join('\n');
  useEffect(() => {
    const element = host.current as HTMLDivElement;
    chart.current = new SpectrumChart(element, aliases.length, isLogarithmic, lookOf(element), setHertz);
    return () => chart.current?.close();
  }, [key, isLogarithmic, isDark]);
  useEffect(() => {
    chart.current?.draw(aliases.map((_, k) => spectrumOf(found?.lines[k])));
  }, [found, key, isLogarithmic, isDark]);
  useEffect(() => {
    const element = host.current as HTMLDivElement;
    const observer = new ResizeObserver(() => chart.current?.resize(element.clientWidth, element.clientHeight));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return (
    <div class={`strip-chart ${panel.server.isStale.value ? 'stale' : ''}`}>
      <ul class="legend" aria-label="Lines">
        {aliases.map((alias, k) => (
          <Line key={alias} panel={panel} alias={alias} slot={k} line={found?.lines[k]} hertz={hertz} />
        ))}
        {found && (
          <li class="legend-time number">
            {clockText(found.from, 3)} to {clockText(found.to, 3)}
          </li>
        )}
      </ul>
      <div class="canvas-host" ref={host} />
    </div>
  );
}

const spectrumOf = (line: Spectrum | string | undefined): Spectrum | undefined =>
  typeof line === 'string' ? undefined : line;

interface LineProps extends ViewProps {
  readonly alias: string;
  readonly slot: number;
  readonly line: Spectrum | string | undefined;
  readonly hertz: number | undefined;
}

/** The amplitude under the cursor, or the greatest. */
function Line({ panel, alias, slot, line, hertz }: LineProps) {
  const { aliases } = panel.settings.value;
  return (
    <li class="legend-line" title={alias}>
      <span class="swatch" style={{ '--colour': seriesVariable(slot) }} />
      <span class="legend-name">{alias}</span>
      {typeof line === 'string' ? (
        <span class="refusal">{line}</span>
      ) : (
        <output class="number" aria-live="off">
          {line && line.frequencies.length > 0 ? readingOf(line, hertz) : '–'}
        </output>
      )}
      <button
        type="button"
        class="legend-remove"
        aria-label={`Remove ${alias}`}
        title="Remove"
        onClick={() => panel.change({ aliases: aliases.filter((each) => each !== alias) })}
      >
        ×
      </button>
    </li>
  );
}

function readingOf({ frequencies, amplitudes }: Spectrum, hertz: number | undefined): string {
  const distance = (k: number): number => Math.abs((frequencies[k] as number) - (hertz as number));
  let best = 0;
  for (let k = 1; k < frequencies.length; k++) {
    const isBetter =
      hertz === undefined ? (amplitudes[k] as number) > (amplitudes[best] as number) : distance(k) < distance(best);
    if (isBetter) best = k;
  }
  return `${numberText(amplitudes[best] as number, 4)} at ${numberText(frequencies[best] as number, 4)} Hz`;
}

/** Keeps the past of the variables, and asks for their spectra while they are seen. */
function useSpectra({ server, settings, isVisible }: ViewProps['panel']): Spectra | undefined {
  const [found, setFound] = useState<Spectra>();
  const { aliases, span } = settings.value;
  const key = JSON.stringify([aliases, span]);
  const [looked, marked] = [LOOKED.value, MARKED.value];
  const isBetween = looked !== undefined && marked !== undefined;
  const stretch = isBetween ? `${looked} ${marked}` : '';
  useEffect(
    () => server.watch(aliases, { cycleMillis: 0, keepsHistory: true, onRefused: () => {} }, () => {}),
    [server, key],
  );
  useEffect(() => {
    let isOver = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = async (): Promise<void> => {
      if (isVisible.peek() && server.state.peek() === 'connected') {
        const now = server.time.peek() ?? 0;
        const [from, to] = isBetween ? [Math.min(looked, marked), Math.max(looked, marked)] : [now - span, now];
        const asked = aliases.map((alias) =>
          server
            .call<Spectrum>('var/spectrum', { alias, from, to, points: POINTS })
            .catch((error: Error) => error.message),
        );
        const lines = await Promise.all(asked);
        if (isOver) return;
        setFound({ from, to, lines });
      }
      if (!isBetween) timer = setTimeout(ask, POLL_MILLIS);
    };
    void ask();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [server, key, stretch]);
  return found;
}

function SpectrumForm({ panel }: ViewProps) {
  const { span, isLogarithmic } = panel.settings.value;
  return (
    <div class="panel-form">
      <NumberField
        label="Seconds looked at"
        value={span}
        {...SPANS}
        onEnter={(seconds) => seconds !== undefined && panel.change({ span: seconds })}
      />
      <Check label="Logarithmic" isOn={isLogarithmic} onFlip={(isOn) => panel.change({ isLogarithmic: isOn })} />
    </div>
  );
}

export const spectrum: PanelKind<SpectrumSettings> = {
  type: 'spectrum',
  name: 'Spectrum',
  about: 'Which frequencies are in variables, of the last seconds or between two cursors.',
  icon: 'M2 2v12h12M5 12V8M7.500 12V4M10 12V9.500M12.500 12v-1',
  size: { columns: 12, rows: 8 },
  leastSize: { columns: 5, rows: 4 },
  settings: spectrumSettings,
  title: ({ aliases: [first, ...others] }) =>
    first ? `Spectrum of ${first}${others.length > 0 ? ` and ${others.length} more` : ''}` : 'Spectrum',
  add: withSpectrum,
  isOffered: (server) => server.has('var/spectrum'),
  View: SpectrumView,
  SettingsView: SpectrumForm,
};
