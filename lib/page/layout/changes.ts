// Changes of a layout; each makes a new one.
import type { Limits } from '../panels/values/limits.js';
import type { RunLook, RunName } from '../panels/values/run-look.js';
import { compacted, freePlace, type GridPlace } from './grid.js';
import { freshId, type Layout, type PlacedPanel, type Tab } from './layout.js';

export const shownTab = ({ tabs, shown }: Layout): Tab => tabs.find(({ id }) => id === shown) ?? tabs[0];

const withTabs = (layout: Layout, tabs: readonly Tab[]): Layout => ({
  ...layout,
  tabs: [...tabs] as unknown as Layout['tabs'],
});

const withShown = (layout: Layout, change: (tab: Tab) => Tab): Layout => {
  const { id } = shownTab(layout);
  return withTabs(
    layout,
    layout.tabs.map((tab) => (tab.id === id ? change(tab) : tab)),
  );
};

const withPanels = (layout: Layout, change: (panels: readonly PlacedPanel[]) => readonly PlacedPanel[]): Layout =>
  withShown(layout, (tab) => ({ ...tab, panels: change(tab.panels) }));

const idsOf = ({ tabs }: Layout): Set<string> => new Set(tabs.flatMap(({ panels }) => panels.map(({ id }) => id)));

/** Puts a panel at the first free place of the shown tab. */
export function addPanel(
  layout: Layout,
  {
    type,
    settings,
    size,
  }: Pick<PlacedPanel, 'type' | 'settings'> & { readonly size: Pick<GridPlace, 'columns' | 'rows'> },
): { readonly layout: Layout; readonly id: string } {
  const id = freshId(idsOf(layout), 'panel');
  const place = freePlace(shownTab(layout).panels, size);
  return { id, layout: withPanels(layout, (panels) => [...panels, { id, type, place, settings }]) };
}

export const removePanel = (layout: Layout, id: string): Layout =>
  withPanels(layout, (panels) => compacted(panels.filter((panel) => panel.id !== id)));

/** Moves or resizes a panel; others make room. */
export const placePanel = (layout: Layout, id: string, place: GridPlace): Layout =>
  withPanels(layout, (panels) =>
    compacted(
      panels.map((panel) => (panel.id === id ? { ...panel, place } : panel)),
      id,
    ),
  );

export const changeSettings = (layout: Layout, id: string, part: Readonly<Record<string, unknown>>): Layout =>
  withTabs(
    layout,
    layout.tabs.map((tab) => ({
      ...tab,
      panels: tab.panels.map((panel) =>
        panel.id === id ? { ...panel, settings: { ...panel.settings, ...part } } : panel,
      ),
    })),
  );

/** @param limits undefined to take them away. */
export function setLimits(layout: Layout, alias: string, limits: Limits | undefined): Layout {
  const { [alias]: _, ...others } = layout.limits ?? {};
  return { ...layout, limits: limits ? { ...others, [alias]: limits } : others };
}

export const changeRun = (layout: Layout, run: string, part: Partial<RunLook>): Layout => ({
  ...layout,
  runs: { ...layout.runs, [run]: { ...layout.runs?.[run], ...part } },
});

/** @param name empty for the name of what it shows. */
export const renamePanel = (layout: Layout, id: string, name: string): Layout =>
  withPanels(layout, (panels) =>
    panels.map((panel) => {
      if (panel.id !== id) return panel;
      const { name: _, ...unnamed } = panel;
      return name === '' ? unnamed : { ...unnamed, name };
    }),
  );

export const showTab = (layout: Layout, id: string): Layout => ({ ...layout, shown: id });

export function addTab(layout: Layout, name: string): Layout {
  const id = freshId(new Set(layout.tabs.map((tab) => tab.id)), 'tab');
  return { ...withTabs(layout, [...layout.tabs, { id, name, panels: [] }]), shown: id };
}

export const renameTab = (layout: Layout, id: string, name: string): Layout =>
  withTabs(
    layout,
    layout.tabs.map((tab) => (tab.id === id ? { ...tab, name } : tab)),
  );

/** The last tab stays. */
export function removeTab(layout: Layout, id: string): Layout {
  const at = layout.tabs.findIndex((tab) => tab.id === id);
  const rest = layout.tabs.filter((tab) => tab.id !== id);
  if (at < 0 || rest.length === 0) return layout;
  const next = rest[Math.min(at, rest.length - 1)] as Tab;
  return { ...withTabs(layout, rest), shown: layout.shown === id ? next.id : layout.shown };
}

/** Adds the tabs of another layout, with the names that runs have there, and shows the first of them. */
export function addLayout(layout: Layout, other: Layout): Layout {
  let result = layout;
  const first = other.tabs.map((tab) => {
    result = addTab(result, tab.name);
    const used = idsOf(result);
    const panels = tab.panels.map((panel) => {
      const id = used.has(panel.id) ? freshId(used, 'panel') : panel.id;
      used.add(id);
      return { ...panel, id };
    });
    result = withPanels(result, () => panels);
    return result.shown;
  })[0];
  for (const [run, { names = [] }] of Object.entries(other.runs ?? {})) {
    const known = result.runs?.[run]?.names ?? [];
    const isNew = ({ name }: RunName): boolean => names.every((each) => each.name !== name);
    result = changeRun(result, run, { names: [...known.filter(isNew), ...names] });
  }
  return { ...result, shown: first ?? result.shown };
}
