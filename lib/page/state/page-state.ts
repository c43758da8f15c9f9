// The state of the page: its layout with undo, what has the focus, which dialog is open, and what it says.
import { batch, computed, type Signal, signal } from '@preact/signals';
import type { Server } from '../data/server.js';
import { addPanel, changeSettings, setLimits, shownTab } from '../layout/changes.js';
import { EMPTY_LAYOUT, type Layout, layoutOf, type PlacedPanel } from '../layout/layout.js';
import type { PanelKind } from '../panels/panel.js';
import type { Limits } from '../panels/values/limits.js';
import type { RunLook } from '../panels/values/run-look.js';
import type { Kept } from './storage.js';

export type Dialog =
  | 'help'
  | 'panels'
  | 'save-checkpoint'
  | 'load-checkpoint'
  | 'terminate'
  | 'layouts'
  | 'connect'
  | 'limits';
export type Theme = 'system' | 'light' | 'dark';

export interface Told {
  readonly id: number;
  readonly sentence: string;
  readonly kind: 'done' | 'error';
}

/** What the browser gives: a test has its own. */
export interface PageSurroundings {
  /** Whether this page came in by a token. */
  readonly hasToken: boolean;
  /** Gives the page the colours of a theme. */
  paint(isDark: boolean): void;
  after(millis: number, call: () => void): void;
}

const NO_RUNS: Readonly<Record<string, RunLook>> = {};
const NO_LIMITS: Readonly<Record<string, Limits>> = {};
const MOST_UNDONE = 100;
const MOST_TOLD = 4;
/** How long a sentence is shown: errors take longer to read. */
const TOLD_MILLIS = { done: 4000, error: 9000 } as const;

export const TREE_WIDTHS = { least: 160, most: 800 } as const;
const DEFAULT_TREE_WIDTH = 320;

export class PageState {
  readonly layout = signal<Layout>(EMPTY_LAYOUT);
  readonly kinds: Signal<readonly PanelKind[]>;
  /** False until `takeKinds`. */
  readonly hasAllKinds = signal(false);
  /** By alias. */
  readonly limits = computed(() => this.layout.value.limits ?? NO_LIMITS);
  /** How the runs of a comparison are drawn. */
  readonly runs = computed(() => this.layout.value.runs ?? NO_RUNS);
  /** The panel that the tree puts variables into. */
  readonly focused = signal<string | undefined>(undefined);
  readonly dialog = signal<Dialog | undefined>(undefined);
  readonly told = signal<readonly Told[]>([]);
  readonly theme = signal<Theme>('system');
  readonly isTreeShown = signal(true);
  /** Width of the list of variables, in pixels. */
  readonly treeWidth = signal(DEFAULT_TREE_WIDTH);
  /** Changed after the page has its colours, so that code that reads colours then gets the new ones. */
  readonly isDark = signal(false);
  /** A panel that fills the window. */
  readonly enlarged = signal<string | undefined>(undefined);
  /** Puts the cursor into the search field; the tree sets this function. */
  focusSearch = (): void => {};
  private prefersDark = false;
  private readonly undone: Layout[] = [];
  private readonly redone: Layout[] = [];
  private lastTold = 0;
  private kept: Kept | undefined;

  constructor(
    readonly server: Server,
    kinds: readonly PanelKind[],
    private readonly surroundings: PageSurroundings,
  ) {
    this.kinds = signal(kinds);
  }

  get hasToken(): boolean {
    return this.surroundings.hasToken;
  }

  /** The kinds whose needs this server meets. */
  get offeredKinds(): readonly PanelKind[] {
    return this.kinds.value.filter((kind) => kind.isOffered?.(this.server) ?? true);
  }

  /** Takes all kinds, most of which come once the page shows. */
  takeKinds(kinds: readonly PanelKind[]): void {
    batch(() => {
      this.kinds.value = kinds;
      this.hasAllKinds.value = true;
    });
  }

  kindOf(type: string): PanelKind | undefined {
    return this.kinds.value.find((kind) => kind.type === type);
  }

  open(dialog: Dialog | undefined): void {
    this.dialog.value = dialog;
  }

  focus(panel: string | undefined): void {
    this.focused.value = panel;
  }

  /** Begins with what this browser kept of the simulation, or else with the layout that the simulation ships. */
  begin(kept: Kept, shipped: Layout | undefined, shared: Layout | undefined): void {
    this.kept = kept;
    this.theme.value = themeOf(kept.read('theme'));
    this.applyTheme();
    this.isTreeShown.value = kept.read('tree') !== false;
    const width = Number(kept.read('tree-width'));
    if (width >= TREE_WIDTHS.least && width <= TREE_WIDTHS.most) this.treeWidth.value = width;
    this.layout.value = this.keptLayout() ?? shipped ?? EMPTY_LAYOUT;
    // Applied as a change, so that undo brings back the person's own layout.
    if (shared) this.change(() => shared);
  }

  change(change: (layout: Layout) => Layout): void {
    const before = this.layout.peek();
    const after = change(before);
    if (after === before) return;
    this.undone.push(before);
    if (this.undone.length > MOST_UNDONE) this.undone.shift();
    this.redone.length = 0;
    this.show(after);
  }

  setLimits(alias: string, limits: Limits | undefined): void {
    this.change((layout) => setLimits(layout, alias, limits));
  }

  /** The variables of the panels of the shown tab. */
  get shownVariables(): string[] {
    return [...new Set(aliasesIn(shownTab(this.layout.peek()).panels))];
  }

  undo(): void {
    this.stepBack(this.undone, this.redone);
  }

  redo(): void {
    this.stepBack(this.redone, this.undone);
  }

  keep(name: string, value: unknown): void {
    if (this.kept?.write(name, value) === false)
      this.say('this browser keeps nothing: its storage is full or off', 'error');
  }

  keptValue(name: string): unknown {
    return this.kept?.read(name);
  }

  setTheme(theme: Theme): void {
    this.theme.value = theme;
    this.applyTheme();
    this.keep('theme', theme);
  }

  /** Sets the device's preference, for people who have not chosen a theme. */
  setPreference(prefersDark: boolean): void {
    this.prefersDark = prefersDark;
    this.applyTheme();
  }

  showTree(isShown: boolean): void {
    this.isTreeShown.value = isShown;
    this.keep('tree', isShown);
  }

  setTreeWidth(width: number): void {
    this.treeWidth.value = width;
    this.keep('tree-width', width);
  }

  say(sentence: string, kind: Told['kind'] = 'done'): void {
    const id = ++this.lastTold;
    this.told.value = [...this.told.peek().filter((one) => one.sentence !== sentence), { id, sentence, kind }].slice(
      -MOST_TOLD,
    );
    this.surroundings.after(TOLD_MILLIS[kind], () => this.unsay(id));
  }

  unsay(id: number): void {
    this.told.value = this.told.peek().filter((one) => one.id !== id);
  }

  /** Runs work that may fail, and shows why it did. */
  async attempt(work: () => Promise<unknown>, done?: string): Promise<void> {
    try {
      await work();
      if (done !== undefined) this.say(done);
    } catch (error) {
      this.say((error as Error).message, 'error');
    }
  }

  addPanel(kind: PanelKind, settings: Readonly<Record<string, unknown>> = {}): string {
    const added = addPanel(this.layout.peek(), { type: kind.type, settings: kind.settings(settings), size: kind.size });
    this.change(() => added.layout);
    this.focused.value = added.id;
    return added.id;
  }

  /**
   * Puts a variable into a panel: this one, or the one with the focus, or a new one.
   * @param type the kind of a new panel; default: the first kind that takes it.
   */
  async addVariable(alias: string, where: { readonly panel?: string; readonly type?: string } = {}): Promise<void> {
    await this.attempt(async () => {
      const variable = await this.server.facts(alias);
      const target = where.type === undefined ? this.panelOf(where.panel ?? this.focused.peek()) : undefined;
      const targetKind = target && this.kindOf(target.type);
      if (target && targetKind?.add) {
        const part = targetKind.add(targetKind.settings(target.settings), variable);
        if (typeof part !== 'string') {
          this.change((layout) => changeSettings(layout, target.id, part));
          this.say(`${alias} is in ${targetKind.name}`);
          return;
        }
        if (where.panel !== undefined) throw new Error(part);
      }
      const kinds = this.kinds.peek().filter(({ type }) => where.type === undefined || type === where.type);
      let refusal = `no panel shows ${alias}`;
      for (const kind of kinds) {
        const settings = kind.settings({});
        const part = kind.add?.(settings, variable) ?? refusal;
        if (typeof part !== 'string') {
          this.addPanel(kind, { ...settings, ...part });
          this.say(`${alias} is in a new panel: ${kind.name}`);
          return;
        }
        refusal = part;
      }
      throw new Error(refusal);
    });
  }

  private applyTheme(): void {
    const theme = this.theme.peek();
    const isDark = theme === 'system' ? this.prefersDark : theme === 'dark';
    this.surroundings.paint(isDark);
    this.isDark.value = isDark;
  }

  private panelOf(id: string | undefined): PlacedPanel | undefined {
    return shownTab(this.layout.peek()).panels.find((panel) => panel.id === id);
  }

  private keptLayout(): Layout | undefined {
    const kept = this.kept?.read('layout');
    try {
      return kept === undefined ? undefined : layoutOf(kept);
    } catch {
      return undefined;
    }
  }

  private stepBack(from: Layout[], to: Layout[]): void {
    const layout = from.pop();
    if (!layout) return;
    to.push(this.layout.peek());
    this.show(layout);
  }

  private show(layout: Layout): void {
    this.layout.value = layout;
    this.keep('layout', layout);
  }
}

/** What settings of panels, whatever their kind, have as an alias. */
function aliasesIn(given: unknown): string[] {
  if (Array.isArray(given)) return given.flatMap(aliasesIn);
  if (typeof given !== 'object' || given === null) return [];
  return Object.entries(given).flatMap(([name, value]) =>
    name === 'alias' && typeof value === 'string' ? [value] : aliasesIn(value),
  );
}

const themeOf = (kept: unknown): Theme => (kept === 'light' || kept === 'dark' ? kept : 'system');
