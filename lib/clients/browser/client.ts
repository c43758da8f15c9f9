// The client: calls, and watches of variables, over one WebSocket that heals itself.
import { binaryMessage } from './binary-message.js';
import { type Answer, Calls } from './calls.js';
import { Link, type LinkState, type SocketLike, TIMERS, type Timers } from './link.js';
import type { Methods, ParamsOf } from './methods.js';
import { type JsonMessage, SubscriptionGroup, type Wanted, type Watcher } from './subscription-group.js';
import { isPacked, type Json, type Sample, type VariableFacts } from './values.js';

/** How a client connects. */
export interface ConnectOptions {
  /** Sent with the connection as `?token=`. */
  readonly token?: string | undefined;
  /** Opens a WebSocket where there is no global one, as in Node 20: `(url) => new WebSocket(url)` of the package ws. */
  readonly open?: (url: string) => SocketLike;
  /** A test's clock. */
  readonly timers?: Timers;
}

/** What a watch asks for besides its variables. */
export interface WatchOptions {
  /** Least simulation time between samples, in milliseconds; 0 is every tick. Default: 100. */
  readonly cycleMillis?: number;
  /** Wanted units (UDUNITS) of each alias, in order; undefined for the variable's own. */
  readonly units?: readonly (string | undefined)[];
  /** Asks the server to keep the past of these variables, for var/history. */
  readonly keepsHistory?: boolean;
  /** Told about a variable that cannot be watched, with one sentence; its values are null. */
  readonly onRefused?: (alias: string, sentence: string) => void;
}

/** Gets the parameters of a notification. */
export type NotificationListener = (params: unknown) => void;

const DEFAULT_CYCLE_MILLIS = 100;

/** One watch, which may move to another group when it is begun anew. */
interface Watch {
  readonly aliases: readonly string[];
  readonly options: WatchOptions;
  readonly listener: (sample: Sample) => void;
  group?: SubscriptionGroup;
  watcher?: Watcher;
  isOver: boolean;
}

/** Calls, and watches of variables, over one WebSocket that is opened again after a cut; `connect` makes one. */
export class VarwireClient {
  private readonly link: Link;
  private readonly calls: Calls;
  private readonly watches = new Set<Watch>();
  private readonly groups = new Map<string, SubscriptionGroup[]>();
  private readonly byId = new Map<string, SubscriptionGroup>();
  private readonly known = new Map<string, Promise<VariableFacts>>();
  private readonly stateListeners = new Set<(state: LinkState) => void>();
  private readonly listeners = new Map<string, Set<NotificationListener>>();
  private hasConnected = false;

  constructor(url: string, { token, open, timers = TIMERS }: ConnectOptions = {}) {
    const address = socketAddress(url, token);
    this.calls = new Calls((text) => this.link.send(text));
    const events = {
      state: (state: LinkState) => this.changed(state),
      message: (data: string | ArrayBuffer) => this.take(data),
      quiet: () => void this.calls.call('var/exists', { alias: 'time' }).catch(() => {}),
    };
    this.link = new Link(() => (open ? open(address) : (new WebSocket(address) as SocketLike)), events, timers);
  }

  get state(): LinkState {
    return this.link.state;
  }

  /** Calls `listener` at every change of `state`; the answer ends that. */
  onState(listener: (state: LinkState) => void): () => void {
    this.stateListeners.add(listener);
    return () => void this.stateListeners.delete(listener);
  }

  /** Calls `listener` with the parameters of every notification of this method; the answer ends that. */
  onNotification(method: string, listener: NotificationListener): () => void {
    const all = this.listeners.get(method) ?? new Set();
    this.listeners.set(method, all.add(listener));
    return () => void all.delete(listener);
  }

  /**
   * Calls a method; see GET /openrpc.json. Waits while there is no connection. Rejects with a CallError that has the
   * server's sentence, or with ConnectionLost when the connection breaks before the answer.
   */
  call<Name extends keyof Methods>(method: Name, ...params: ParamsOf<Name>): Promise<Methods[Name]['result']>;
  /** A method that an embedding program has added, or whose name is known at run time only. */
  call<Result = unknown, Name extends string = string>(
    method: Name extends keyof Methods ? never : Name,
    params?: object,
  ): Promise<Result>;
  call(method: string, params: object = {}): Promise<unknown> {
    return this.calls.call(method, params);
  }

  /** What a variable is. Asked once, until `refresh`; rejects for an unknown one. */
  describe(alias: string): Promise<VariableFacts> {
    const known = this.known.get(alias);
    if (known) return known;
    const asked = this.calls.call('var/describe', { alias }) as Promise<VariableFacts>;
    this.known.set(alias, asked);
    asked.catch(() => this.known.delete(alias));
    return asked;
  }

  /** Takes what is known of variables already, so that `describe` does not ask, until `refresh`. */
  learn(all: readonly VariableFacts[]): void {
    // The members of a structure may be left out.
    for (const facts of all) if (facts.kind !== 'struct') this.known.set(facts.alias, Promise.resolve(facts));
  }

  /** Changes a variable; resolves when a frame shows it. Rejects with the reason when the simulation refuses. */
  async set(alias: string, value: Json, units?: string): Promise<void> {
    await this.call('var/set', { alias, value, wait: true, ...(units !== undefined && { units }) });
  }

  /**
   * Calls `listener` with every sample of some variables, until the answer is called. Watches of the same cycle share
   * one subscription, and go on after a cut. Throws a RangeError for an alias that stands in the list twice.
   */
  watch(aliases: readonly string[], listener: (sample: Sample) => void, options: WatchOptions = {}): () => void {
    const twice = aliases.find((alias, k) => aliases.indexOf(alias) !== k);
    if (twice !== undefined) throw new RangeError(`watch: ${twice} stands in the list twice`);
    const watch: Watch = { aliases, options, listener, isOver: false };
    this.watches.add(watch);
    void this.begin(watch);
    return () => {
      watch.isOver = true;
      this.watches.delete(watch);
      this.leave(watch);
    };
  }

  /** Asks again what the watched variables are, after the catalog has changed. */
  refresh(): void {
    this.known.clear();
    for (const watch of this.watches) void this.begin(watch);
  }

  /** Tries to connect at once after a loss, instead of at the next time: a browser tab is shown again. */
  hurry(): void {
    this.link.hurry();
  }

  /** Ends all watches and the connection. */
  close(): void {
    for (const watch of this.watches) watch.isOver = true;
    this.watches.clear();
    this.calls.close();
    this.link.close();
  }

  private async begin(watch: Watch): Promise<void> {
    const { aliases, options } = watch;
    const { cycleMillis = DEFAULT_CYCLE_MILLIS, keepsHistory = false, units = [] } = options;
    const found = await Promise.all(aliases.map((alias, k) => this.wantedOf(alias, units[k], options)));
    if (watch.isOver) return;
    const wanted = found.map((one) => (typeof one === 'object' ? one : undefined));
    // After a loss of the connection all of them are begun again.
    if (found.includes('lost')) return;
    if (isSame(watch.watcher?.wanted, wanted)) return;
    const watcher: Watcher = {
      wanted,
      take: watch.listener,
      refused: (alias, sentence) => options.onRefused?.(alias, sentence),
    };
    const isAllPacked = wanted.every((one) => !one || isPacked(one.facts));
    const group = this.groupFor({ cycleMillis, isPacked: isAllPacked, keepsHistory }, wanted);
    const { group: oldGroup, watcher: oldWatcher } = watch;
    Object.assign(watch, { group, watcher });
    if (wanted.some((one) => one)) group.add(watcher);
    if (oldWatcher) oldGroup?.remove(oldWatcher);
  }

  private async wantedOf(
    alias: string,
    units: string | undefined,
    options: WatchOptions,
  ): Promise<Wanted | 'refused' | 'lost'> {
    try {
      const asked = units === undefined ? undefined : this.call('var/units', { alias, to: units });
      const [facts] = await Promise.all([this.describe(alias), asked]);
      return { alias, units, facts };
    } catch (error) {
      if ((error as Error).name === 'ConnectionLost') return 'lost';
      options.onRefused?.(alias, (error as Error).message);
      return 'refused';
    }
  }

  private groupFor(facts: SubscriptionGroup['facts'], wanted: readonly (Wanted | undefined)[]): SubscriptionGroup {
    const key = `${facts.cycleMillis} ${facts.isPacked} ${facts.keepsHistory}`;
    const groups = this.groups.get(key) ?? [];
    const existing = groups.find((group) => group.hasRoomFor(wanted));
    if (existing) return existing;
    const group = new SubscriptionGroup(
      facts,
      new Map(),
      (method, params, answered) => this.calls.call(method, params, answered),
      (id, owner) => void (owner ? this.byId.set(id, owner) : this.byId.delete(id)),
    );
    this.groups.set(key, [...groups, group]);
    return group;
  }

  private leave({ group, watcher }: Watch): void {
    if (watcher) group?.remove(watcher);
  }

  private changed(state: LinkState): void {
    if (state === 'connected') {
      this.calls.opened();
      if (this.hasConnected) this.resume();
      this.hasConnected = true;
    } else {
      this.calls.lost();
      this.known.clear();
      for (const group of this.allGroups()) group.forget();
    }
    for (const listener of [...this.stateListeners]) listener(state);
  }

  /** The server may be another one now, so everything is asked again. */
  private resume(): void {
    for (const watch of this.watches) {
      this.leave(watch);
      delete watch.watcher;
      void this.begin(watch);
    }
  }

  private allGroups(): SubscriptionGroup[] {
    return [...this.groups.values()].flat();
  }

  private take(data: string | ArrayBuffer): void {
    if (typeof data !== 'string') {
      const message = binaryMessage(data);
      if (message) this.byId.get(message.id)?.takePacked(message);
      return;
    }
    const message = JSON.parse(data) as Answer & { readonly method?: string; readonly params?: unknown };
    if (message.method === undefined) this.calls.take(message);
    else if (message.method === 'var') this.takeVar(message.params as JsonMessage);
    else for (const listener of this.listeners.get(message.method) ?? []) listener(message.params);
  }

  private takeVar(params: JsonMessage): void {
    this.byId.get(params.subscription_id)?.takeJson(params);
  }
}

/** Whether a watch already has what it wants; facts of the same layout count as the same. */
function isSame(one: readonly (Wanted | undefined)[] | undefined, other: readonly (Wanted | undefined)[]): boolean {
  const textOf = (all: readonly (Wanted | undefined)[]): string => JSON.stringify(all.map((wanted) => wanted?.facts));
  return one !== undefined && textOf(one) === textOf(other);
}

/** `http://host:7000/sim/`, `ws://host/ws` or `./`, as the address of a WebSocket. */
export function socketAddress(given: string, token: string | undefined): string {
  const base = typeof document === 'undefined' ? undefined : document.baseURI;
  const url = new URL(given, base);
  url.protocol = url.protocol.replace('http', 'ws');
  if (url.pathname.endsWith('/')) url.pathname += 'ws';
  url.hash = '';
  url.search = '';
  if (token !== undefined) url.searchParams.set('token', token);
  return url.href;
}
