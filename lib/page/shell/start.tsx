// Starts the page: the token, one connection, the layout, and then the page itself.
import { effect, signal } from '@preact/signals';
import { render } from 'preact';
import { connect, type SocketLike } from '../../clients/browser/index.js';
import { FIRST_CALLS, type Shipped, TOKEN_KEY } from '../data/first-calls.js';
import { LiveServer } from '../data/live-server.js';
import type { Session, SimStatus } from '../data/server.js';
import { jsonOfHash } from '../layout/address.js';
import { addPanel, shownTab } from '../layout/changes.js';
import { firstLayout, type Room } from '../layout/first-layout.js';
import { ROW_PIXELS } from '../layout/grid.js';
import { EMPTY_LAYOUT, type Layout, layoutOf, type PlacedPanel } from '../layout/layout.js';
import type { PanelKind } from '../panels/panel.js';
import { SimulationControl } from '../state/control.js';
import { PageState } from '../state/page-state.js';
import { Playback } from '../state/playback.js';
import { Kept } from '../state/storage.js';
import type { TreeState } from '../tree/tree-state.js';
import { App, type LaterParts } from './app.js';
import { customKind } from './custom-panel.js';
import type { layoutOfText } from './layout-files.js';
import { TokenForm } from './token-form.js';

/** The header and the tabs. */
const BARS_PIXELS = 102;
const PLAYBACK_PIXELS = 49;
const TREE_PIXELS = 320;

/** What comes when the first values are shown. */
interface Later extends Omit<LaterParts, 'tree'> {
  readonly PANEL_KINDS: readonly PanelKind[];
  readonly TreeState: typeof TreeState;
  readonly layoutOfText: typeof layoutOfText;
}

/** @param kinds of panels that are there from the start. */
export async function start(root: HTMLElement, kinds: readonly PanelKind[], load: () => Promise<Later>): Promise<void> {
  const { token } = FIRST_CALLS;
  const hurry = (layout: Layout | undefined): void => {
    const isThere = ({ type }: PlacedPanel): boolean => kinds.some((kind) => kind.type === type);
    // What goes wrong is said when it is waited for.
    if (layout && !shownTab(layout).panels.every(isThere)) load().catch(() => undefined);
  };
  void jsonOfHash(location.hash)
    .then((json) => hurry(json === undefined ? undefined : layoutOf(json)))
    .catch(() => undefined);
  const [status, met, shipped] = await Promise.all([FIRST_CALLS.status, FIRST_CALLS.met, FIRST_CALLS.shipped]);
  const refusal = refusalOf(status, token);
  if (refusal !== undefined) {
    const keep = (given: string): void => {
      sessionStorage.setItem(TOKEN_KEY, given);
      location.reload();
    };
    render(<TokenForm sentence={refusal} onToken={keep} />, root);
    return;
  }
  const client = connect('./', { token, open: firstSocket() });
  const server = new LiveServer(client, {
    nextPicture: (call) => void requestAnimationFrame(call),
    after,
    linkTo: (path) => withToken(path, token),
    reload: () => location.reload(),
  });
  addEventListener('online', () => client.hurry());
  document.addEventListener('visibilitychange', () => client.hurry());
  const custom = customKinds(shipped, token);
  const state = new PageState(server, [...kinds, ...custom], { hasToken: token !== undefined, paint, after });
  followTheme(state);
  if (met[0] && met[1]) server.begin(met[0] as Session, met[1] as SimStatus);
  else await server.greeted;
  client.learn(shipped.variables);
  const layout =
    shipped.layout === null ? ownLayout(server, shipped) : await shippedLayout(state, shipped.layout, load);
  const shared = await sharedLayout(state);
  const { simulation } = server.session.peek() ?? { simulation: '' };
  state.begin(new Kept(localStorage, simulation, sessionStorage), layout, shared);
  // One that somebody has made: of the usual one, the first values come first.
  if (state.layout.peek() !== layout) hurry(state.layout.peek());
  // A phone has no room for both.
  if (innerWidth < 720) state.isTreeShown.value = false;
  addEventListener('hashchange', () => {
    void sharedLayout(state).then((layout) => layout && state.change(() => layout));
  });
  const later = signal<LaterParts>();
  const { simulations = [] } = shipped;
  const parts = { state, control: new SimulationControl(state), playback: new Playback(state), simulations, later };
  render(<App {...parts} shipped={layout} />, root);
  followTitle(server);
  const first = await FIRST_CALLS.values;
  if (first) server.showFirst(first, shipped.variables);
  await state.attempt(async () => {
    // Asked for when the values have come, unless the layout needs it, as it would take much of a slow line from them.
    const { PANEL_KINDS, TreeState, ...components } = await load();
    const tree = new TreeState(server);
    followCatalog(server, tree);
    state.takeKinds([...PANEL_KINDS, ...custom]);
    later.value = { tree, ...components };
  });
}

/** The socket that is open already, the first time. */
function firstSocket(): (url: string) => SocketLike {
  let first: WebSocket | undefined = FIRST_CALLS.socket;
  return (url) => {
    const socket = first && first.readyState <= WebSocket.OPEN ? first : new WebSocket(url);
    first = undefined;
    return socket as SocketLike;
  };
}

/** Undefined when the server lets this page in, or does not answer: then the connection waits for it. */
function refusalOf(status: number | undefined, token: string | undefined): string | undefined {
  if (status !== 401 && status !== 403) return undefined;
  return token === undefined ? 'This server asks for a token.' : 'This server does not know the token.';
}

const customKinds = ({ panels }: Shipped, token: string | undefined): PanelKind[] =>
  panels.map(({ name, address }) => customKind(name, withToken(address, token)));

/**
 * An address with the token, because modules and downloads cannot be asked for with a header. It is relative, so that
 * it works behind a prefix.
 */
function withToken(address: string, token: string | undefined): string {
  const url = new URL(address, document.baseURI);
  if (token !== undefined) url.searchParams.set('token', token);
  return url.href;
}

/** @param load what reads a file of Trick, which then is waited for. */
async function shippedLayout(state: PageState, json: unknown, load: () => Promise<Later>): Promise<Layout | undefined> {
  try {
    const { xml, name } = json as { readonly xml?: string; readonly name?: string };
    if (xml === undefined) return layoutOf(json);
    const { layoutOfText } = await load();
    return await layoutOfText(state, xml, name ?? '');
  } catch (error) {
    state.say(`the simulation ships a layout that cannot be shown: ${(error as Error).message}`, 'error');
    return undefined;
  }
}

/** A layout for a simulation that ships none. */
function ownLayout(
  server: LiveServer,
  { variables, hasPoses, hasGround, hasStudy = false }: Shipped,
): Layout | undefined {
  const isPlayed = server.status.peek()?.playback !== undefined;
  // A plot of a variable of one run is one of all runs.
  const [run] = /^run\d+\./.exec(variables[0]?.alias ?? '') ?? [];
  const shown = isPlayed && run ? variables.filter(({ alias }) => alias.startsWith(run)) : variables;
  if (shown.length === 0) return hasStudy ? withStudy(EMPTY_LAYOUT) : undefined;
  const pictures = [...(hasPoses ? ['scene'] : []), ...(hasGround ? ['ground-track'] : [])];
  const layout = firstLayout(shown, roomNow(isPlayed), { plot: isPlayed ? 'run-plot' : 'strip-chart', pictures });
  return hasStudy ? withStudy(layout) : layout;
}

const withStudy = (layout: Layout): Layout =>
  addPanel(layout, { type: 'study', settings: {}, size: { columns: 9, rows: 18 } }).layout;

/** The room that the window has for panels, beside the bars and the variables. */
const roomNow = (isPlayed: boolean): Room => ({
  rows: Math.floor((innerHeight - BARS_PIXELS - (isPlayed ? PLAYBACK_PIXELS : 0)) / ROW_PIXELS),
  widthPixels: innerWidth - TREE_PIXELS,
});

/** Takes the layout out of the address, so that a reload shows what people have made of it since. */
async function sharedLayout(state: PageState): Promise<Layout | undefined> {
  const { hash, pathname, search } = location;
  try {
    const json = await jsonOfHash(hash);
    if (json === undefined) return undefined;
    history.replaceState(null, '', pathname + search);
    return layoutOf(json);
  } catch (error) {
    state.say((error as Error).message, 'error');
    return undefined;
  }
}

const after = (millis: number, call: () => void): (() => void) => {
  const timer = setTimeout(call, millis);
  return () => clearTimeout(timer);
};

const paint = (isDark: boolean): void => {
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
};

function followTheme(state: PageState): void {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const look = (): void => {
    state.setPreference(dark.matches);
  };
  dark.addEventListener('change', look);
  look();
}

/** Loads the variables again when they have come or gone, and after a lost connection. */
function followCatalog(server: LiveServer, tree: TreeState): void {
  let shown: number | undefined;
  effect(() => {
    const version = server.status.value?.catalog_version;
    if (version === undefined || version === shown) return;
    shown = version;
    void tree.reload();
  });
}

function followTitle(server: LiveServer): void {
  effect(() => {
    const { name, mode } = server.status.value ?? {};
    if (name !== undefined) document.title = mode === 'run' ? `${name} · varwire` : `${name} (${mode}) · varwire`;
  });
}
