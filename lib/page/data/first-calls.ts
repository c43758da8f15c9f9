// What every page asks first, begun by a small script before the page's own has come: on a slow line that takes seconds.
import { socketAddress } from '../../clients/browser/client.js';
import type { Json, VariableFacts } from '../../clients/browser/index.js';

export const TOKEN_KEY = 'varwire token';

/** As JSON-RPC calls, in this order. */
const CALLS = [{ method: 'session/me' }, { method: 'sim/status' }];
/** What is asked for beforehand: a screen of values, and of no longer arrays. */
const [MOST_VALUES, MOST_ELEMENTS] = [30, 4];

/** What the simulation ships (`--layout FILE`, `--panel FILE`). */
export interface Shipped {
  readonly layout: unknown;
  readonly panels: readonly { readonly name: string; readonly address: string }[];
  /** The first ones of a simulation that ships no layout. */
  readonly variables: readonly VariableFacts[];
  /** Whether it declares something in space, and a body that this flies over. */
  readonly hasPoses?: boolean;
  readonly hasGround?: boolean;
  /** Whether it is a recording of many runs, with their results. */
  readonly hasStudy?: boolean;
  /** Where each of several simulations has its page, and all of them together; left out for one. */
  readonly simulations?: readonly SimulationPlace[];
}

export interface SimulationPlace {
  readonly name: string;
  /** Relative to this page. */
  readonly address: string;
  readonly isShown: boolean;
}

/** What `var/get` answers. */
export interface FirstValues {
  readonly frame: number;
  readonly sim_time: { readonly sec_si: number };
  readonly values: Readonly<Record<string, Json>>;
}

interface Answer {
  readonly result?: unknown;
}

export interface FirstCalls {
  readonly token: string | undefined;
  readonly socket: WebSocket;
  /** Its status tells a refusal, which a WebSocket cannot; undefined without a server. */
  readonly status: Promise<number | undefined>;
  /** The results of `session/me` and `sim/status`. */
  readonly met: Promise<readonly unknown[]>;
  readonly shipped: Promise<Shipped>;
  /** Of the shipped variables. */
  readonly values: Promise<FirstValues | undefined>;
}

function beginFirstCalls(): FirstCalls {
  const token = takeToken();
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const ask = (path: string, options?: object): Promise<Response | undefined> =>
    fetch(path, { ...options, headers }).catch(() => undefined);
  const call = (calls: readonly object[]): Promise<Response | undefined> =>
    ask('jsonrpc', { method: 'POST', body: JSON.stringify(calls.map((one, id) => ({ jsonrpc: '2.0', id, ...one }))) });
  const resultsOf = async (asked: Promise<Response | undefined>): Promise<readonly unknown[]> =>
    ((await jsonOf(await asked)) as readonly Answer[] | undefined)?.map(({ result }) => result) ?? [];
  // First, on the connection that is open already.
  const shipped = ask('page.json').then(
    async (response) =>
      ((await jsonOf(response)) as Shipped | undefined) ?? { layout: null, panels: [], variables: [] },
  );
  const met = call(CALLS);
  return {
    token,
    socket: new WebSocket(socketAddress('./', token)),
    status: met.then((response) => response?.status),
    met: resultsOf(met),
    shipped,
    values: shipped.then(async ({ variables }) => {
      const aliases = variables
        .filter(isShort)
        .slice(0, MOST_VALUES)
        .map(({ alias }) => alias);
      if (aliases.length === 0) return undefined;
      const [values] = await resultsOf(call([{ method: 'var/get', params: { aliases, lenient: true } }]));
      return values as FirstValues | undefined;
    }),
  };
}

const jsonOf = async (response: Response | undefined): Promise<unknown> => (response?.ok ? response.json() : undefined);

const isShort = ({ dim, kind, access }: VariableFacts): boolean =>
  access !== 'write-only' &&
  kind !== 'struct' &&
  dim.every((extent) => extent > 0) &&
  dim.reduce((product, extent) => product * extent, 1) <= MOST_ELEMENTS;

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

const begun = globalThis as { firstCalls?: FirstCalls };

/** Begun by whichever script comes first. */
export const FIRST_CALLS: FirstCalls = begun.firstCalls ?? beginFirstCalls();
begun.firstCalls = FIRST_CALLS;
