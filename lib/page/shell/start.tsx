// Starts the page: the token, one connection, the layout, and then the page itself.
import { effect } from '@preact/signals';
import { render } from 'preact';
import { connect } from '../../browser/index.js';
import { LiveServer } from '../data/live-server.js';
import type { ListedVariable } from '../data/server.js';
import { jsonOfHash } from '../layout/address.js';
import { firstLayout, type Room } from '../layout/first-layout.js';
import { ROW_PIXELS } from '../layout/grid.js';
import { type Layout, layoutOf } from '../layout/layout.js';
import type { PanelKind } from '../panels/panel.js';
import { SimulationControl } from '../state/control.js';
import { PageState } from '../state/page-state.js';
import { Playback } from '../state/playback.js';
import { Kept } from '../state/storage.js';
import { TRICKS_OWN, TreeState } from '../tree/tree-state.js';
import { App } from './app.js';
import { customKind } from './custom-panel.js';
import { TokenForm } from './token-form.js';

const TOKEN_KEY = 'varwire token';
const FIRST_VARIABLES = 100;
/** The header and the tabs. */
const BARS_PIXELS = 102;
const PLAYBACK_PIXELS = 49;
const TREE_PIXELS = 320;

export async function start(root: HTMLElement, kinds: readonly PanelKind[]): Promise<void> {
  const token = takeToken();
  const [refusal, shipped] = await Promise.all([refusalOf(token), askShipped(token)]);
  if (refusal !== undefined) {
    const keep = (given: string): void => {
      sessionStorage.setItem(TOKEN_KEY, given);
      location.reload();
    };
    render(<TokenForm sentence={refusal} onToken={keep} />, root);
    return;
  }
  const client = connect('./', { token });
  const server = new LiveServer(client, {
    nextPicture: (call) => void requestAnimationFrame(call),
    after,
    linkTo: (path) => withToken(path, token),
    reload: () => location.reload(),
  });
  addEventListener('online', () => client.hurry());
  document.addEventListener('visibilitychange', () => client.hurry());
  const state = new PageState(server, [...kinds, ...customKinds(shipped, token)], {
    hasToken: token !== undefined,
    paint,
    after,
  });
  const tree = new TreeState(server);
  followTheme(state);
  await server.greeted;
  const layout = shipped.layout === null ? await ownLayout(server) : shippedLayout(state, shipped.layout);
  const shared = await sharedLayout(state);
  const { simulation } = server.session.peek() ?? { simulation: '' };
  state.begin(new Kept(localStorage, simulation, sessionStorage), layout, shared);
  // A phone has no room for both.
  if (innerWidth < 720) state.isTreeShown.value = false;
  followCatalog(server, tree);
  addEventListener('hashchange', () => {
    void sharedLayout(state).then((layout) => layout && state.change(() => layout));
  });
  const parts = { state, tree, control: new SimulationControl(state), playback: new Playback(state) };
  render(<App {...parts} shipped={layout} />, root);
}

/** Takes the token out of the address, so that it is not shared or shown; a reload keeps it. */
function takeToken(): string | undefined {
  const address = new URL(location.href);
  const given = address.searchParams.get('token');
  if (given !== null) {
    sessionStorage.setItem(TOKEN_KEY, given);
    address.searchParams.delete('token');
    history.replaceState(null, '', address);
  }
  return sessionStorage.getItem(TOKEN_KEY) ?? undefined;
}

const headersOf = (token: string | undefined): Record<string, string> =>
  token === undefined ? {} : { authorization: `Bearer ${token}` };

/**
 * Asks by a request, because a WebSocket cannot say why it was refused. Undefined when the server lets this page in.
 */
async function refusalOf(token: string | undefined): Promise<string | undefined> {
  try {
    const { status } = await fetch('openrpc.json', { method: 'HEAD', headers: headersOf(token) });
    if (status !== 401 && status !== 403) return undefined;
    return token === undefined ? 'This server asks for a token.' : 'This server does not know the token.';
  } catch {
    // Without a server, the connection waits for one.
    return undefined;
  }
}

/** What the simulation ships (`--layout FILE`, `--panel FILE`). */
interface Shipped {
  readonly layout: unknown;
  readonly panels: readonly { readonly name: string; readonly address: string }[];
}

async function askShipped(token: string | undefined): Promise<Shipped> {
  const none = { layout: null, panels: [] };
  try {
    const answer = await fetch('page.json', { headers: headersOf(token) });
    return answer.ok ? ((await answer.json()) as Shipped) : none;
  } catch {
    return none;
  }
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

function shippedLayout(state: PageState, json: unknown): Layout | undefined {
  try {
    return layoutOf(json);
  } catch (error) {
    state.say(`the simulation ships a layout that cannot be shown: ${(error as Error).message}`, 'error');
    return undefined;
  }
}

/** Makes a layout for a simulation that ships none. */
async function ownLayout(server: LiveServer): Promise<Layout | undefined> {
  try {
    const first = { limit: FIRST_VARIABLES, without: TRICKS_OWN };
    const variables = await server.call<readonly ListedVariable[]>('var/list', first);
    return firstLayout(variables, roomNow(server.status.peek()?.playback !== undefined));
  } catch {
    return undefined;
  }
}

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
  effect(() => {
    const { name, mode } = server.status.value ?? {};
    if (name !== undefined) document.title = mode === 'run' ? `${name} · varwire` : `${name} (${mode}) · varwire`;
  });
}
