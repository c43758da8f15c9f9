// The interface of panels: what a kind of panel is, and what one panel is given.
import type { ReadonlySignal } from '@preact/signals';
import type { ComponentType } from 'preact';
import type { Server, VariableFacts } from '../data/server.js';
import type { Limits } from './values/limits.js';
import type { RunLook } from './values/run-look.js';

/** Plain data: a panel's settings are saved in layouts, in the browser, in addresses and in files. */
export type PanelSettings = Readonly<Record<string, unknown>>;

export interface PanelContext<Settings extends PanelSettings = PanelSettings> {
  /** Unique on the page, and the same after a reload; good for element ids. */
  readonly id: string;
  readonly settings: ReadonlySignal<Settings>;
  readonly server: Server;
  /** Inner size of the panel's body, in CSS pixels. */
  readonly size: ReadonlySignal<{ readonly width: number; readonly height: number }>;
  /** False when the panel is scrolled away or its tab is hidden: then draw nothing. */
  readonly isVisible: ReadonlySignal<boolean>;
  /** True in the dark theme. Colours are CSS variables; a canvas reads them again when this changes. */
  readonly isDark: ReadonlySignal<boolean>;
  /** Limits that variables have on the whole page, by alias, in their own units. */
  readonly limits: ReadonlySignal<Readonly<Record<string, Limits>>>;
  /** How runs are drawn on the whole page, by what the names of their variables begin with. */
  readonly runs: ReadonlySignal<Readonly<Record<string, RunLook>>>;
  changeRun(run: string, part: Partial<RunLook>): void;
  /** Adds a panel of a kind. */
  open(type: string, settings: PanelSettings): void;
  /** Changes some settings; the layout is saved. */
  change(part: Partial<Settings>): void;
  /** Tells people a sentence: at the edge of the window, and to screen readers. */
  say(sentence: string, kind?: 'done' | 'error'): void;
}

/** A kind of panel. Kinds are listed in lib/page/kinds.ts. */
export interface PanelKind<Settings extends PanelSettings = PanelSettings> {
  /** Its name in layouts: kebab-case, never changed later. */
  readonly type: string;
  /** Two words at most, as the menu of panels shows it. */
  readonly name: string;
  /** One sentence for the menu of panels. */
  readonly about: string;
  /** Path data of an icon of 16 x 16, drawn with a stroke of 1.5. */
  readonly icon: string;
  /** Size of a new panel in cells: the grid has 24 columns; a row is 32 pixels high. */
  readonly size: { readonly columns: number; readonly rows: number };
  readonly leastSize?: { readonly columns: number; readonly rows: number };
  /** Makes settings of whatever a layout has; never throws, and leaves out what it does not know. */
  settings(given: unknown): Settings;
  /** The text in the panel's title bar. */
  title(settings: Settings): string;
  /**
   * Settings with a variable put in, which people dropped on the panel or chose for it; or one sentence why not. Left
   * out by panels that show no variables.
   */
  add?(settings: Settings, variable: VariableFacts): Partial<Settings> | string;
  /** False when the menu must not offer it: a panel that needs a method which this server does not have. */
  isOffered?(server: Server): boolean;
  readonly View: ComponentType<{ readonly panel: PanelContext<Settings> }>;
  /** The form behind the panel's gear; left out when there is nothing to choose. */
  readonly SettingsView?: ComponentType<{ readonly panel: PanelContext<Settings> }>;
  /** Buttons in the title bar, before the gear. */
  readonly ToolsView?: ComponentType<{ readonly panel: PanelContext<Settings> }>;
}
