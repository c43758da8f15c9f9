// A Trick simulation elsewhere as a source: one client there, whatever number is served here.
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import type { Overlay } from '../../simulation/executive/overlay.js';
import { type Request, RequestError } from '../../simulation/executive/request.js';
import { FeedHost } from '../feed-host.js';
import { RemoteSource } from '../remote-source.js';
import type { EventsElsewhere, SimMessage } from '../source.js';
import { PAGE_BYTES } from './asked.js';
import type { Bridged } from './bridged.js';
import { eventsOf } from './events.js';
import { LinkShown } from './link-shown.js';
import { Recent } from './recent.js';
import { carryOut } from './requests.js';
import type { SettingElsewhere } from './settings.js';
import { type Survey, survey } from './survey.js';
import type { TrickEnd } from './trick-end.js';
import { BridgedValues } from './values.js';
import { Writes } from './writes.js';

/** What a bridge is told of the simulation that it leads to. */
export interface BridgeFacts {
  /** Where it is, for sentences: `localhost:7000`. */
  readonly address: string;
  readonly name: string;
  /** Refuses writes and control. */
  readonly isReadOnly: boolean;
  /** Connects; rejects with one sentence. */
  readonly connect: () => Promise<TrickEnd>;
}

const FIRST_PAUSE_MILLIS = 100;
const LONGEST_PAUSE_MILLIS = 5000;
/** A simulation that does not answer is gone, whether its connection has ended or not. */
const ASK_EVERY_MILLIS = 5000;
/** Containers that somebody reads are read so often. */
const CONTAINERS_EVERY_MILLIS = 1000;
/** Where containers have outgrown their places, or pointers have become null, all are measured again, not more often. */
const MEASURE_EVERY_MILLIS = 5000;

const abilitiesOf = (isAllowed: boolean) => ({
  write: isAllowed,
  control: isAllowed,
  call: isAllowed,
  checkpoint: isAllowed,
  switchRecordings: isAllowed,
});

/** What servers say of a simulation by themselves. */
const OWN_MESSAGES = /^Freeze (ON|OFF)\b/;

export class BridgeSource extends RemoteSource {
  private readonly host: FeedHost;
  private readonly closed = new AbortController();
  private readonly values: BridgedValues;
  private readonly bridged: Bridged;
  private readonly linkShown: LinkShown;
  readonly callsUnlisted = true;
  readonly events: EventsElsewhere;
  private trick: TrickEnd | undefined;
  /** Why there is no connection; empty while there is one. */
  private loss = '';
  private heardMillis = Date.now();
  /** Before it connects again. */
  private pauseMillis = FIRST_PAUSE_MILLIS;

  /** Connects and shows the simulation's values. Rejects with one sentence. */
  static async open(facts: BridgeFacts, overlays: readonly Overlay[]): Promise<BridgeSource> {
    const end = await facts.connect();
    let source: BridgeSource | undefined;
    try {
      source = new BridgeSource(facts, overlays, end, await survey(end));
      await source.values.next();
      return source;
    } catch (error) {
      end.close();
      await source?.close();
      throw error;
    }
  }

  private constructor(
    private readonly facts: BridgeFacts,
    overlays: readonly Overlay[],
    end: TrickEnd,
    found: Survey,
  ) {
    const link: { host?: FeedHost; source?: BridgeSource } = {};
    super(
      (message) => link.host?.receive(message),
      async () => link.source?.leave(),
      true,
    );
    link.source = this;
    const { name, address, isReadOnly } = facts;
    this.host = new FeedHost(
      { name, what: `a bridge to ${address}`, frameSeconds: found.frameSeconds },
      () => performance.now(),
      (message) => this.receive(message),
      {
        abilities: { ...abilitiesOf(!isReadOnly), schedule: true },
        pageBytes: PAGE_BYTES,
        look: () => this.values.look(() => this.connected()),
        carryOut: (request) => this.carryOut(request),
      },
    );
    link.host = this.host;
    this.linkShown = new LinkShown(this.host);
    this.values = new BridgedValues(
      this.host,
      found,
      () => this.readCycles,
      () => this.heard(),
    );
    const { values } = this;
    this.bridged = {
      get catalog() {
        return values.catalog;
      },
      get moment() {
        return values.moment;
      },
      recordings: new Recent(),
      writes: new Writes((settings) => this.setAll(settings)),
      connected: () => this.connected(),
      settled: (end) => values.settled(end),
    };
    this.events = eventsOf(this.bridged);
    this.host.start(overlays);
    void this.follow(end);
  }

  get lastHeardMillis(): number | undefined {
    return this.loss === '' ? undefined : this.heardMillis;
  }

  /** Takes updates for as long as the source lives, and connects again after each loss. */
  private async follow(first: TrickEnd): Promise<void> {
    let end: TrickEnd | undefined = first;
    while (!this.closed.signal.aborted) {
      try {
        end ??= await this.comeBack();
        this.trick = end;
        if (!this.closed.signal.aborted) await this.take(end);
      } catch (error) {
        this.lost((error as Error).message);
      }
      end?.close();
      end = undefined;
      await pause(this.pauseMillis, undefined, { signal: this.closed.signal }).catch(() => undefined);
      this.pauseMillis = Math.min(2 * this.pauseMillis, LONGEST_PAUSE_MILLIS);
    }
  }

  private async comeBack(): Promise<TrickEnd> {
    const end = await this.facts.connect();
    try {
      if (!(await this.values.isSame(end))) this.values.replace(await survey(end));
      return end;
    } catch (error) {
      end.close();
      throw error;
    }
  }

  /** Takes updates until the connection is lost, and then throws an Error. */
  private async take(end: TrickEnd): Promise<void> {
    const list = await end.list();
    let reason = 'the connection was closed';
    const lose = (error: Error): void => {
      reason = error.message;
      end.close();
    };
    const ended = new AbortController();
    const timer = setInterval(() => void this.values.check(end).catch(lose), ASK_EVERY_MILLIS);
    try {
      await this.values.begin(end, list);
      await this.hear(end);
      void this.tend(ended.signal).catch(lose);
      // A simulation that stands still may send nothing by itself.
      void this.values.settled(end).catch(() => undefined);
      for await (const update of list) {
        if (this.closed.signal.aborted) return;
        this.values.take(update);
        this.values.follow().catch(lose);
      }
    } finally {
      clearInterval(timer);
      ended.abort();
    }
    throw new Error(reason);
  }

  private hear(end: TrickEnd): Promise<void> {
    const say = ({ text, level, timeSeconds }: SimMessage): void => {
      if (!OWN_MESSAGES.test(text)) this.host.say(text, level, timeSeconds);
    };
    const lost = ({ message }: Error): void =>
      this.host.say(`messages of the simulation do not come: ${message}`, 'warning');
    return end.hear(say, lost).catch(lost);
  }

  /** Looks after what the simulation does not send by itself, until a connection ends. */
  private async tend(ended: AbortSignal): Promise<void> {
    let measuredMillis = Number.NEGATIVE_INFINITY;
    for (;;) {
      await pause(CONTAINERS_EVERY_MILLIS, undefined, { ref: false });
      if (ended.aborted) return;
      await this.values.read();
      const isSoon = performance.now() - measuredMillis < MEASURE_EVERY_MILLIS;
      if (!isSoon && (await this.values.measure())) measuredMillis = performance.now();
    }
  }

  private lost(reason: string): void {
    this.trick = undefined;
    if (this.closed.signal.aborted) return;
    const isNew = this.loss === '';
    const { address } = this.facts;
    // Errors of a connection begin with where it leads.
    const why = reason.startsWith(`${address}: `) ? reason : `${address}: ${reason}`;
    this.loss = `disconnected from the simulation at ${why}`;
    this.receive({ kind: 'fault', reason: this.loss });
    this.values.lose(this.loss);
    if (!isNew) return;
    this.host.say(this.loss, 'error');
    this.linkShown.lost(this.heardMillis, () => this.values.stand());
  }

  private heard(): void {
    this.heardMillis = Date.now();
    this.pauseMillis = FIRST_PAUSE_MILLIS;
    if (this.loss === '') return;
    this.loss = '';
    this.linkShown.found();
    this.receive({ kind: 'fault', reason: undefined });
    this.host.say(`connected again to the simulation at ${this.facts.address}`, 'warning');
  }

  private leave(): void {
    this.closed.abort();
    this.linkShown.found();
    this.trick?.close();
    this.values.lose('the bridge is closed');
  }

  private async setAll(settings: readonly SettingElsewhere[]): Promise<readonly (Error | undefined)[]> {
    const end = this.connected();
    const errors = await end.setAll(settings);
    await this.values.settled(end);
    return errors;
  }

  private carryOut(request: Request) {
    if (request.kind !== 'schedule') return carryOut(this.bridged, request);
    this.values.exact.hold(request.periodTics, request.hold);
    return Promise.resolve(undefined);
  }

  private connected(): TrickEnd {
    if (!this.trick || this.loss !== '') throw new RequestError(this.loss);
    return this.trick;
  }
}
