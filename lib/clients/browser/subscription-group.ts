// All watches with one cycle and one form of messages: they share one subscription, which grows and shrinks with them.
import { type BinaryMessage, type LayoutRow, valueReader } from './binary-message.js';
import { type Json, type Sample, type VariableFacts, valueOfJson, type WatchedValue } from './values.js';

/** A variable in requested units. */
export interface Wanted {
  readonly alias: string;
  readonly units: string | undefined;
  readonly facts: VariableFacts;
}

export interface Watcher {
  /** In the order of the values; undefined for a variable that cannot be watched. */
  readonly wanted: readonly (Wanted | undefined)[];
  take(sample: Sample): void;
  refused(alias: string, sentence: string): void;
}

export interface GroupFacts {
  readonly cycleMillis: number;
  readonly isPacked: boolean;
  /** Whether the server is asked to keep the past of these variables. */
  readonly keepsHistory: boolean;
}

/** What `var/subscribe` answers. */
interface Subscribed {
  readonly subscription_id: string;
  readonly layout?: readonly LayoutRow[];
  readonly missing?: Readonly<Record<string, string>>;
}

/** The parameters of a `var` notification. */
export interface JsonMessage {
  readonly subscription_id: string;
  readonly frame?: number;
  readonly sim_time: { readonly sec_si: number; readonly jumps?: number };
  readonly values: Readonly<Record<string, Json>>;
  readonly dropped?: number;
}

type Call = (method: string, params: object, answered?: (result: unknown) => void) => Promise<unknown>;

/** One subscription of the server, and how its messages are read. */
interface Running {
  readonly id: string;
  readonly wanted: ReadonlyMap<string, Wanted>;
  /** Whether it has all variables of a watcher. */
  readonly served: WeakMap<Watcher, boolean>;
  readonly values: ReadonlyMap<string, LatestValue>;
}

/** A message of the subscription, packed or not. */
type Message = Pick<BinaryMessage, 'view'> | Pick<JsonMessage, 'values'>;

/** One variable's value in the latest message, read once, when the first watcher asks for it. */
class LatestValue {
  private message: Message | undefined;
  private value: WatchedValue = null;

  constructor(private readonly read: (message: Message) => WatchedValue) {}

  of(message: Message): WatchedValue {
    if (message !== this.message) this.value = this.read(message);
    this.message = message;
    return this.value;
  }
}

interface Latest {
  readonly sample: Omit<Sample, 'values'>;
  readonly message: Message;
}

/** Packed messages count the jumps of time modulo this, so JSON messages do too. */
const MOST_JUMPS = 2 ** 16;

export class SubscriptionGroup {
  private readonly watchers = new Set<Watcher>();
  private running: Running | undefined;
  private latest: Latest | undefined;
  private isChanging = false;
  private isStale = false;

  constructor(
    readonly facts: GroupFacts,
    /** The units of an alias are the same for all watchers of a group. */
    private readonly units: Map<string, string | undefined>,
    private readonly call: Call,
    private readonly ran: (id: string, group: SubscriptionGroup | undefined) => void,
  ) {}

  get isEmpty(): boolean {
    return this.watchers.size === 0;
  }

  /** False when a variable is watched here in other units. */
  hasRoomFor(wanted: readonly (Wanted | undefined)[]): boolean {
    return wanted.every((one) => !one || !this.units.has(one.alias) || this.units.get(one.alias) === one.units);
  }

  add(watcher: Watcher): void {
    this.watchers.add(watcher);
    for (const one of watcher.wanted) if (one) this.units.set(one.alias, one.units);
    const { latest } = this;
    // Also what is read already may be on its way out of the subscription.
    this.changeSoon();
    if (latest && this.running && this.reads(watcher)) watcher.take(sampleFor(watcher, latest, this.running));
  }

  /** Removes a watcher; the last one that goes ends the subscription. */
  remove(watcher: Watcher): void {
    if (this.watchers.delete(watcher)) this.changeSoon();
  }

  /** Forgets the subscription, because the server that knew it is gone. */
  forget(): void {
    if (this.running) this.ran(this.running.id, undefined);
    this.running = undefined;
    this.latest = undefined;
  }

  takeJson(message: JsonMessage): void {
    const { frame = Number.NaN, sim_time, dropped = 0 } = message;
    const jumps = (sim_time.jumps ?? 0) % MOST_JUMPS;
    this.deliver({ sample: { frame, seconds: sim_time.sec_si, dropped, jumps }, message });
  }

  takePacked(message: BinaryMessage): void {
    const { frame, seconds, dropped, jumps } = message;
    this.deliver({ sample: { frame, seconds, dropped, jumps }, message });
  }

  private deliver(latest: Latest): void {
    this.latest = latest;
    for (const watcher of this.watchers)
      if (this.reads(watcher)) watcher.take(sampleFor(watcher, latest, this.running));
  }

  /** Whether a watcher's variables are in the running subscription; those of a new watcher come with the next one. */
  private reads(watcher: Watcher): boolean {
    const { running } = this;
    if (!running) return watcher.wanted.every((one) => !one);
    const known = running.served.get(watcher);
    if (known !== undefined) return known;
    const isServed = watcher.wanted.every((one) => !one || has(running, one));
    running.served.set(watcher, isServed);
    return isServed;
  }

  /** Changes the subscription once for all watches that begin in the same turn. */
  private changeSoon(): void {
    if (this.isChanging) {
      this.isStale = true;
      return;
    }
    this.isChanging = true;
    queueMicrotask(() => void this.changeAll());
  }

  private async changeAll(): Promise<void> {
    do {
      this.isStale = false;
      await this.change();
    } while (this.isStale);
    this.isChanging = false;
  }

  /** Subscribes to all that is wanted now; the old subscription ends when the new one is there, so nothing is missed. */
  private async change(): Promise<void> {
    const wanted = this.wantedNow();
    const old = this.running;
    if (old && old.wanted.size === wanted.size && [...wanted.values()].every((one) => has(old, one))) return;
    if (wanted.size > 0) await this.subscribe(wanted);
    else this.forget();
    if (old && old !== this.running) {
      this.ran(old.id, undefined);
      // A lost connection has ended it already.
      await this.call('var/unsubscribe', { subscription_id: old.id }).catch(() => {});
    }
  }

  private wantedNow(): Map<string, Wanted> {
    const all = [...this.watchers].flatMap(({ wanted }) => wanted);
    this.units.clear();
    for (const one of all) if (one) this.units.set(one.alias, one.units);
    return new Map(all.flatMap((one) => (one ? [[one.alias, one] as const] : [])));
  }

  private async subscribe(wanted: ReadonlyMap<string, Wanted>): Promise<void> {
    const { cycleMillis, isPacked, keepsHistory } = this.facts;
    const units = Object.fromEntries(
      [...wanted.values()].flatMap((one) => (one.units ? [[one.alias, one.units]] : [])),
    );
    const params = {
      aliases: [...wanted.keys()],
      cycle_ms: cycleMillis,
      format: isPacked ? 'binary' : 'json',
      lenient: true,
      ...(keepsHistory && { history: true }),
      ...(Object.keys(units).length > 0 && { units }),
    };
    try {
      const began = (answer: unknown): void => this.began(answer as Subscribed, wanted);
      await this.call('var/subscribe', params, began);
    } catch (error) {
      if (error instanceof Error && error.name === 'ConnectionLost') return;
      for (const alias of wanted.keys()) this.refuse(alias, (error as Error).message);
    }
  }

  private began(
    { subscription_id: id, layout = [], missing = {} }: Subscribed,
    wanted: ReadonlyMap<string, Wanted>,
  ): void {
    const rows = new Map(layout.map((row) => [row.alias, row]));
    this.running = {
      id,
      wanted,
      served: new WeakMap(),
      values: new Map([...wanted.values()].map((one) => [one.alias, latestValue(one, rows.get(one.alias))])),
    };
    this.ran(id, this);
    for (const [alias, sentence] of Object.entries(missing)) this.refuse(alias, sentence);
  }

  private refuse(alias: string, sentence: string): void {
    for (const watcher of this.watchers) {
      if (watcher.wanted.some((one) => one?.alias === alias)) watcher.refused(alias, sentence);
    }
  }
}

/** Whether a subscription has a variable in these units. */
function has({ wanted }: Running, { alias, units }: Wanted): boolean {
  const found = wanted.get(alias);
  return found !== undefined && found.units === units;
}

function latestValue({ alias, facts }: Wanted, row: LayoutRow | undefined): LatestValue {
  const unpacked = row && valueReader(row, facts.dim.length === 0);
  return new LatestValue((message) => {
    if ('values' in message) return valueOfJson(message.values[alias] ?? null, facts);
    return unpacked?.(message.view) ?? null;
  });
}

const sampleFor = ({ wanted }: Watcher, { sample, message }: Latest, running: Running | undefined): Sample => ({
  ...sample,
  values: wanted.map((one) => (one ? (running?.values.get(one.alias)?.of(message) ?? null) : null)),
});
