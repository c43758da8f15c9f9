// Panels of all kinds without a shell, filled by a made-up server: window.gallery shows and measures them.
import { signal } from '@preact/signals';
import { render } from 'preact';
import { PANEL_KINDS } from '../kinds.js';
import type { PanelContext, PanelKind, PanelSettings } from '../panels/panel.js';
import { MadeUpServer } from './made-up-server.js';

interface Shown {
  readonly type: string;
  readonly settings: PanelSettings;
  readonly width: number;
  readonly height: number;
}

const server = new MadeUpServer();

function contextOf(kind: PanelKind, { settings, width, height }: Shown, index: number): PanelContext {
  const own = signal(kind.settings(settings));
  return {
    id: `panel-${index}`,
    settings: own,
    server,
    size: signal({ width, height }),
    isVisible: signal(true),
    isDark: signal(false),
    limits: signal({}),
    runs: signal({}),
    changeRun: () => undefined,
    open: () => undefined,
    change: (part) => {
      own.value = { ...own.value, ...part };
    },
    say: () => undefined,
  };
}

function show(panels: readonly Shown[]): void {
  const views = panels.map((shown, index) => {
    const kind = PANEL_KINDS.find(({ type }) => type === shown.type) as PanelKind;
    const context = contextOf(kind, shown, index);
    return (
      <section key={context.id} style={{ width: shown.width, height: shown.height, display: 'inline-block' }}>
        <kind.View panel={context} />
      </section>
    );
  });
  render(<div>{views}</div>, document.body);
}

/** Lets simulation time run for so many seconds of the wall clock, at a rate in Hz, from a time on. */
function run(from: number, simSeconds: number, rateHz: number, pace: number): Promise<void> {
  const start = performance.now();
  let done = 0;
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      const due = Math.min(((performance.now() - start) / 1000) * pace, simSeconds) * rateHz;
      for (; done < due; done++) server.tick(from + done / rateHz);
      if (done < simSeconds * rateHz) return;
      clearInterval(timer);
      resolve();
    }, 5);
  });
}

Object.assign(globalThis, { gallery: { show, run, server } });
