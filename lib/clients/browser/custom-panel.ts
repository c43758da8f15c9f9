// The interface of custom panels on the server's page: a module with one function (`--panel FILE`).
import type { VarwireClient, WatchOptions } from './client.js';
import type { Json, Sample, VariableFacts } from './values.js';

/**
 * What a module of a custom panel exports as `panel`: puts its content into an element. The server serves the module
 * (`--panel FILE`); the page imports it and calls it once for each panel. The answer, if any, ends it.
 */
export type CustomPanel = (element: HTMLElement, panel: CustomPanelContext) => (() => void) | undefined;

/** What a custom panel is given; no library is needed to use it. */
export interface CustomPanelContext {
  /** Variables that people put into the panel. */
  readonly aliases: readonly string[];
  readonly server: PanelServer;
  /** Calls `listener` now and at every change of the panel's size or theme; ended with the panel. */
  onResize(
    listener: (size: { readonly width: number; readonly height: number; readonly isDark: boolean }) => void,
  ): void;
  /** Calls `listener` now and when people add or remove variables. */
  onAliases(listener: (aliases: readonly string[]) => void): void;
}

/** The server as a custom panel reaches it, over the page's own connection. */
export interface PanelServer {
  /** A JSON-RPC call. Rejects with an Error whose message is the server's sentence. */
  readonly call: VarwireClient['call'];
  /** What a variable is; rejects for an unknown one. */
  facts(alias: string): Promise<VariableFacts>;
  /** Every sample of some variables, until the answer is called or the panel ends. */
  watch(aliases: readonly string[], options: WatchOptions, listener: (sample: Sample) => void): () => void;
  /** Resolves when a frame shows the change; rejects with the server's sentence. */
  set(alias: string, value: Json, units?: string): Promise<void>;
}
