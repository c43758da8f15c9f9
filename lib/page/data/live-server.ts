// The server over one client of varwire/browser: its state as signals, and readings that components share.
import { batch, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { Sample, VarwireClient } from '../../clients/browser/index.js';
import { valueOfJson } from '../../clients/browser/values.js';
import type { FirstValues } from './first-calls.js';
import type { Json, LinkState, Reading, Server, Session, SimStatus, VariableFacts, WatchOptions } from './server.js';

const STATUS_MILLIS = 500;
/** Without an answer for this long, what is shown counts as old: a server that hangs is seen within 2 s. */
const STALE_MILLIS = 1500;
/** How long a reading without readers stays watched: a component that is drawn again watches again. */
const LINGER_MILLIS = 1000;

/** Methods after which the status is asked for at once, to show what they have changed. */
const STEERING: ReadonlySet<string> = new Set(['sim/control', 'sim/seek', 'sim/load-checkpoint']);

/** What the browser gives: a test has its own. */
export interface Surroundings {
  /** Calls once before the next picture. */
  nextPicture(call: () => void): void;
  after(millis: number, call: () => void): () => void;
  /** See `Server.linkTo`. */
  linkTo(path: string): string;
  /** Called when another server answers, so that nothing of the old one is shown. */
  reload(): void;
}

interface ReadingOptions {
  readonly units?: string;
  readonly cycleMillis?: number;
}

const USUAL_MILLIS = 100;
const keyOf = (alias: string, units = '', cycleMillis = USUAL_MILLIS): string => `${cycleMillis} ${units} ${alias}`;

interface SharedReading {
  readonly value: Signal<Reading | undefined>;
  readonly refusal: Signal<string | undefined>;
}

export class LiveServer implements Server {
  readonly state = signal<LinkState>('connecting');
  readonly status = signal<SimStatus | undefined>(undefined);
  readonly time = signal<number | undefined>(undefined);
  readonly session = signal<Session | undefined>(undefined);
  readonly isStale = signal(true);
  readonly mayChange = signal(false);
  /** Resolves with the first answer of the server. */
  readonly greeted: Promise<void>;
  private isGreeted = (): void => {};
  private readonly readings = new Map<string, SharedReading>();
  private readonly fresh = new Map<Signal<Reading | undefined>, Reading>();
  private latestTime: number | undefined;
  private isPictureAsked = false;
  private methods = new Set<string>();
  private stopStatus = (): void => {};
  private isBegun = false;
  private stopStale = (): void => {};

  constructor(
    private readonly client: VarwireClient,
    private readonly surroundings: Surroundings,
  ) {
    this.greeted = new Promise((resolve) => {
      this.isGreeted = resolve;
    });
    client.onState((state) => this.changed(state));
  }

  may(ability: string): boolean {
    return this.mayChange.value && this.session.value?.abilities[ability] === true;
  }

  has(method: string): boolean {
    return this.methods.has(method);
  }

  async call<Result>(method: string, params: object = {}): Promise<Result> {
    const result = await this.client.call<Result>(method, params);
    if (STEERING.has(method)) await this.askStatus().catch(() => {});
    return result;
  }

  linkTo(path: string): string {
    return this.surroundings.linkTo(path);
  }

  onNotification(method: string, listener: (params: unknown) => void): () => void {
    return this.client.onNotification(method, listener);
  }

  facts(alias: string): Promise<VariableFacts> {
    return this.client.describe(alias);
  }

  watch(aliases: readonly string[], options: WatchOptions, listener: (sample: Sample) => void): () => void {
    const take = (sample: Sample): void => {
      this.latestTime = sample.seconds;
      this.askPicture();
      listener(sample);
    };
    return this.client.watch(aliases, take, options);
  }

  reading(alias: string, options: ReadingOptions = {}): ReadonlySignal<Reading | undefined> {
    return this.shared(alias, options).value;
  }

  refusal(alias: string, options: { units?: string } = {}): ReadonlySignal<string | undefined> {
    return this.shared(alias, options).refusal;
  }

  async set(alias: string, value: Json, units?: string): Promise<void> {
    await this.client.set(alias, value, units);
  }

  private shared(alias: string, { units, cycleMillis = USUAL_MILLIS }: ReadingOptions): SharedReading {
    const key = keyOf(alias, units, cycleMillis);
    const known = this.readings.get(key);
    if (known) return known;
    let stop: (() => void) | undefined;
    let readers = 0;
    // A component that asks why a variable is refused waits for the variable too, which a later catalog may have.
    const watched = (): void => {
      readers++;
      stop ??= this.watchOne(alias, units, cycleMillis, value, refusal);
    };
    const unwatched = (): void => {
      readers--;
      this.surroundings.after(LINGER_MILLIS, () => {
        if (readers > 0) return;
        stop?.();
        stop = undefined;
        this.readings.delete(key);
      });
    };
    const both = { watched, unwatched };
    const value: Signal<Reading | undefined> = signal(undefined as Reading | undefined, both);
    const refusal: Signal<string | undefined> = signal(undefined as string | undefined, both);
    const made = { value, refusal };
    this.readings.set(key, made);
    return made;
  }

  private watchOne(
    alias: string,
    units: string | undefined,
    cycleMillis: number,
    value: Signal<Reading | undefined>,
    refusal: Signal<string | undefined>,
  ): () => void {
    const onRefused = (_: string, sentence: string): void => {
      refusal.value = sentence;
    };
    return this.watch([alias], { cycleMillis, units: [units], onRefused }, ({ seconds, frame, values: [read] }) => {
      if (refusal.peek() !== undefined) refusal.value = undefined;
      this.fresh.set(value, { seconds, frame, value: read ?? null });
    });
  }

  private askPicture(): void {
    if (this.isPictureAsked) return;
    this.isPictureAsked = true;
    this.surroundings.nextPicture(() => this.show());
  }

  private show(): void {
    this.isPictureAsked = false;
    batch(() => {
      for (const [shown, reading] of this.fresh) shown.value = reading;
      this.time.value = this.latestTime;
    });
    this.fresh.clear();
  }

  private changed(state: LinkState): void {
    this.state.value = state;
    if (state === 'connected') {
      // What was answered by a request just now is as good as a greeting, which would keep the first values waiting.
      if (this.isBegun) this.surroundings.after(STATUS_MILLIS, () => void this.greet());
      else void this.greet();
      this.isBegun = false;
    } else {
      this.stopStatus();
      this.isStale.value = true;
    }
  }

  /** Takes what a request was answered before there was a connection. */
  begin(session: Session, status: SimStatus): void {
    this.isBegun = true;
    this.met(session, status);
  }

  /** Shows values that came before those of a subscription, of variables in their own units. */
  showFirst({ frame, sim_time, values }: FirstValues, variables: readonly VariableFacts[]): void {
    batch(() => {
      for (const facts of variables) {
        const reading = this.readings.get(keyOf(facts.alias))?.value;
        const json = values[facts.alias];
        if (!reading || reading.peek() !== undefined || json === undefined) continue;
        reading.value = { seconds: sim_time.sec_si, frame, value: valueOfJson(json, facts) };
      }
    });
  }

  /** Takes who answers, and how the simulation is. */
  private met(session: Session, status: SimStatus): void {
    this.methods = new Set(session.methods);
    batch(() => {
      this.session.value = session;
      this.mayChange.value = session.may_change;
    });
    this.takeStatus(status);
    this.isGreeted();
  }

  /** Asks who answers; after a restart of the server the page loads again. */
  private async greet(): Promise<void> {
    try {
      const [session, status] = await Promise.all([
        this.call<Session>('session/me'),
        this.call<SimStatus>('sim/status'),
      ]);
      const before = this.session.peek();
      if (before && isOther(before, session)) this.surroundings.reload();
      else if (this.state.peek() === 'connected') this.met(session, status);
    } catch {
      // The connection broke again; the next one greets again.
    }
  }

  private async askStatus(): Promise<void> {
    const status = await this.call<SimStatus>('sim/status');
    if (this.state.peek() === 'connected') this.takeStatus(status);
  }

  private takeStatus(status: SimStatus): void {
    const before = this.status.peek();
    if (before && before.catalog_version !== status.catalog_version) this.client.refresh();
    this.latestTime = status.sim_time.sec_si;
    batch(() => {
      this.status.value = status;
      this.isStale.value = false;
    });
    this.askPicture();
    this.stopStale();
    this.stopStale = this.surroundings.after(STALE_MILLIS, () => {
      this.isStale.value = true;
    });
    this.stopStatus();
    this.stopStatus = this.surroundings.after(STATUS_MILLIS, () => void this.askStatus().catch(() => {}));
  }
}

const isOther = (one: Session, other: Session): boolean =>
  one.started !== other.started || one.version !== other.version || one.simulation !== other.simulation;
