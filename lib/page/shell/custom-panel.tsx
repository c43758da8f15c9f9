// Panels that a simulation ships: a module with one function, which draws into an element of its own.
import { effect } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { CustomPanel, CustomPanelContext, PanelServer } from '../../clients/browser/index.js';
import type { PanelContext, PanelKind } from '../panels/panel.js';

interface CustomSettings {
  readonly [name: string]: unknown;
  readonly aliases: readonly string[];
}

const MOST_ALIASES = 100;

/** @param name of the file, which the menu of panels shows. */
export function customKind(name: string, address: string): PanelKind {
  const kind: PanelKind<CustomSettings> = {
    type: `custom-${name}`,
    name: name.replaceAll(/[-_]/g, ' '),
    about: 'A panel that this simulation ships.',
    icon: 'M8 2l5.5 3v6L8 14l-5.5-3V5zM2.5 5L8 8l5.5-3M8 8v6',
    size: { columns: 10, rows: 10 },
    settings: (given) => ({ aliases: aliasesOf(given) }),
    title: ({ aliases }) => (aliases.length === 1 ? (aliases[0] as string) : name.replaceAll(/[-_]/g, ' ')),
    add: ({ aliases }, { alias }) => {
      if (aliases.length >= MOST_ALIASES) return `this panel has ${MOST_ALIASES} variables already`;
      return { aliases: [...new Set([...aliases, alias])] };
    },
    View: ({ panel }) => <CustomView panel={panel} address={address} />,
  };
  return kind as unknown as PanelKind;
}

function aliasesOf(given: unknown): string[] {
  const { aliases } = (given ?? {}) as { readonly aliases?: unknown };
  return Array.isArray(aliases) ? aliases.filter((one) => typeof one === 'string').slice(0, MOST_ALIASES) : [];
}

interface ViewProps {
  readonly panel: PanelContext<CustomSettings>;
  readonly address: string;
}

function CustomView({ panel, address }: ViewProps) {
  const element = useRef<HTMLDivElement>(null);
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    const ends: (() => void)[] = [];
    let isOver = false;
    const begin = async (): Promise<void> => {
      const module = (await import(address)) as { readonly panel?: CustomPanel };
      if (isOver || !element.current) return;
      if (typeof module.panel !== 'function') throw new Error('its module exports no function called panel');
      const end = module.panel(element.current, contextOf(panel, ends));
      if (end) ends.push(end);
    };
    begin().catch((error: Error) => setProblem(error.message));
    return () => {
      isOver = true;
      for (const end of ends) end();
    };
  }, [panel, address]);
  if (problem !== undefined) return <p class="empty error">This panel failed: {problem}</p>;
  return <div class="custom-panel" ref={element} />;
}

/** What a module is given; `ends` collects what ends with the panel. */
function contextOf(panel: PanelContext<CustomSettings>, ends: (() => void)[]): CustomPanelContext {
  const { server } = panel;
  return {
    get aliases() {
      return panel.settings.peek().aliases;
    },
    server: {
      call: ((method: string, params?: object) => server.call(method, params)) as PanelServer['call'],
      facts: (alias) => server.facts(alias),
      set: (alias, value, units) => server.set(alias, value, units),
      watch: (aliases, options, listener) => {
        const stop = server.watch(aliases, options, listener);
        ends.push(stop);
        return stop;
      },
    },
    onResize: (listener) => {
      ends.push(effect(() => listener({ ...panel.size.value, isDark: panel.isDark.value })));
    },
    onAliases: (listener) => {
      ends.push(effect(() => listener(panel.settings.value.aliases)));
    },
  };
}
