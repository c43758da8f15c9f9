// A Trick simulation elsewhere as a source: one client there, whatever number is served here.
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { Mode } from '../../model/frame/header.js';
import type { Overlay } from '../../simulation/executive/overlay.js';
import { type Control, RequestError, type ServerControl, type Write } from '../../simulation/executive/request.js';
import { FeedHost } from '../feed-host.js';
import { RemoteSource } from '../remote-source.js';
import { type Placed, placed, store } from './placed.js';
import { settingsOf } from './settings.js';
import { type Survey, survey } from './survey.js';
import type { TrickEnd } from './trick-end.js';

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

/** Trick's own variables that tell of which moment values are. */
const COUNTERS = ['mode', 'frame_count', 'freeze_frame_count', 'time_tics', 'time_tic_value'].map(
  (name) => `trick_sys.sched.${name}`,
);
const FIRST_PAUSE_MILLIS = 100;
const LONGEST_PAUSE_MILLIS = 5000;
/** A simulation that runs shows what it has taken in its next frame. */
const PATIENCE_MILLIS = 5000;
/** A simulation that does not answer is gone, whether its connection has ended or not. */
const ASK_EVERY_MILLIS = 5000;
/** Of all values that are asked for, in a second. */
const MOST_VALUES_PER_SECOND = 40_000;
const MOST_UPDATES_PER_SECOND = 100;

const BEFORE_ALL = -1;

interface Moment {
  readonly mode: Mode;
  readonly frame: number;
  readonly freezeFrame: number;
  readonly seconds: number;
}

interface Waiter {
  /** Frames after this one show what is waited for. */
  readonly frame: number;
  readonly settle: (error?: Error) => void;
}

export class BridgeSource extends RemoteSource {
  private readonly host: FeedHost;
  private readonly closed = new AbortController();
  private readonly waiters = new Set<Waiter>();
  private trick: TrickEnd | undefined;
  private shown: Survey;
  private places: Placed[] = [];
  private at: Moment = { mode: Mode.initialization, frame: 0, freezeFrame: 0, seconds: 0 };
  /** Updates up to this moment are older than what is shown. */
  private floor: Moment | undefined;
  /** Why there is no connection; empty while there is one. */
  private loss = '';
  /** Before it connects again. */
  private pauseMillis = FIRST_PAUSE_MILLIS;

  /** Connects and shows the simulation's values. Rejects with one sentence. */
  static async open(facts: BridgeFacts, overlays: readonly Overlay[]): Promise<BridgeSource> {
    const end = await facts.connect();
    let source: BridgeSource | undefined;
    try {
      source = new BridgeSource(facts, overlays, end, await survey(end));
      await source.after(BEFORE_ALL);
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
        abilities: { write: !isReadOnly, control: !isReadOnly },
        write: (writes) => this.write(writes),
        control: (control) => this.control(control),
      },
    );
    link.host = this.host;
    this.shown = found;
    this.build(found);
    this.host.start(overlays);
    void this.follow(end);
  }

  /** Adds the objects, and finds where their values go. */
  private build({ components, leftOut }: Survey): void {
    for (const { object, typeName, alias, declared } of components) {
      try {
        this.host.object(object, { typeName }).component(alias, declared);
      } catch (error) {
        setImmediate(() => this.host.say(`${object}.${alias} is not shown: ${(error as Error).message}`, 'warning'));
      }
    }
    const { catalog } = this.host.held;
    this.places = components.flatMap(({ object, alias, parts }) => {
      const base = catalog.find(`${object}.${alias}`)?.offsetBytes;
      return base === undefined ? [] : parts.map((part) => placed(part, base));
    });
    if (leftOut) setImmediate(() => this.host.say(leftOut, 'warning'));
  }

  /** Takes updates for as long as the source lives, and connects again after each loss. */
  private async follow(first: TrickEnd): Promise<void> {
    let end: TrickEnd | undefined = first;
    while (!this.closed.signal.aborted) {
      try {
        end ??= await this.comeBack();
        this.trick = end;
        await this.take(end);
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
      const found = await survey(end);
      if (found.text === this.shown.text) return end;
      for (const object of new Set(this.shown.components.map(({ object }) => object))) this.host.removeObject(object);
      this.shown = found;
      this.build(found);
      return end;
    } catch (error) {
      end.close();
      throw error;
    }
  }

  /** Takes updates until the connection is lost, and then throws an Error. */
  private async take(end: TrickEnd): Promise<void> {
    const names = [...COUNTERS, ...this.places.map(({ path }) => path)];
    const rate = Math.min(MOST_UPDATES_PER_SECOND, MOST_VALUES_PER_SECOND / names.length);
    const multiple = Math.max(1, Math.ceil(1 / (this.shown.frameSeconds * rate) - 1e-9));
    this.floor = undefined;
    let reason = 'the connection was closed';
    const ask = () =>
      end.get(COUNTERS).catch((error: Error) => {
        reason = error.message;
        end.close();
      });
    const timer = setInterval(() => void ask(), ASK_EVERY_MILLIS);
    try {
      for await (const { values } of end.updates(names, multiple)) {
        if (this.closed.signal.aborted) return;
        this.pauseMillis = FIRST_PAUSE_MILLIS;
        this.found();
        this.update(values);
      }
    } finally {
      clearInterval(timer);
    }
    throw new Error(reason);
  }

  private update(values: readonly unknown[]): void {
    const moment = momentOf(values);
    const isBack = moment.frame < this.at.frame;
    if (isBack) this.floor = undefined;
    if (isOlder(moment, this.floor)) return;
    this.show(moment, values);
    for (const waiter of this.waiters)
      if (isBack || moment.frame > waiter.frame || moment.mode !== Mode.run) waiter.settle();
  }

  private show(moment: Moment, values: readonly unknown[]): void {
    const { memory } = this.host.held;
    for (const [index, place] of this.places.entries()) {
      const value = values[COUNTERS.length + index];
      if (value !== undefined) store(place, memory, value);
    }
    this.at = moment;
    this.host.setMode(moment.mode);
    this.host.publish(moment.seconds);
  }

  private lost(reason: string): void {
    this.trick = undefined;
    if (this.closed.signal.aborted) return;
    const isNew = this.loss === '';
    this.loss = `disconnected from the simulation at ${this.facts.address}: ${reason}`;
    this.receive({ kind: 'fault', reason: this.loss });
    for (const waiter of this.waiters) waiter.settle(new RequestError(this.loss));
    if (!isNew) return;
    this.host.say(this.loss, 'error');
    this.host.setMode(Mode.freeze);
    this.host.publish(this.at.seconds);
  }

  private found(): void {
    if (this.loss === '') return;
    this.loss = '';
    this.receive({ kind: 'fault', reason: undefined });
    this.host.say(`connected again to the simulation at ${this.facts.address}`, 'warning');
  }

  private leave(): void {
    this.closed.abort();
    this.trick?.close();
    for (const waiter of this.waiters) waiter.settle(new RequestError('the bridge is closed'));
  }

  private async write(writes: readonly Write[]): Promise<void> {
    const end = this.connected();
    for (const { path, value } of settingsOf(this.host.held.catalog, writes)) await end.set(path, value);
    await this.settled(end);
  }

  private async control(control: Control | ServerControl): Promise<void> {
    const end = this.connected();
    if (control.action === 'run') await end.run();
    else if (control.action === 'step') await end.step(control.frames);
    else if (control.action === 'freeze' && control.atSeconds === undefined) await end.freeze();
    else throw new RequestError('a bridge can only run, freeze and step the simulation, at once');
    await this.settled(end);
  }

  private connected(): TrickEnd {
    if (!this.trick || this.loss !== '') throw new RequestError(this.loss);
    return this.trick;
  }

  /** Resolves when what the simulation has done up to now is shown. */
  private async settled(end: TrickEnd): Promise<void> {
    const { mode, frame } = momentOf(await end.get(COUNTERS));
    if (mode === Mode.run) return this.after(frame);
    // A simulation that stands still has few frames, and changes only by what is asked of it.
    const values = await end.get([...COUNTERS, ...this.places.map(({ path }) => path)]);
    this.floor = momentOf(values);
    this.show(this.floor, values);
  }

  private after(frame: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const late = () => waiter.settle(new RequestError(`no frame has shown it within ${PATIENCE_MILLIS} ms`));
      const timer = setTimeout(late, PATIENCE_MILLIS);
      const waiter: Waiter = {
        frame,
        settle: (error) => {
          clearTimeout(timer);
          this.waiters.delete(waiter);
          if (error) reject(error);
          else resolve();
        },
      };
      this.waiters.add(waiter);
    });
  }
}

const MODES: readonly number[] = [Mode.initialization, Mode.freeze, Mode.step, Mode.run];

function momentOf([mode, frame, freezeFrame, tics, ticsPerSecond]: readonly unknown[]): Moment {
  const seconds = Number(tics) / Number(ticsPerSecond);
  return {
    mode: MODES.includes(Number(mode)) ? (Number(mode) as Mode) : Mode.freeze,
    frame: Number(frame),
    freezeFrame: Number(freezeFrame),
    seconds: Math.max(seconds, 0) || 0,
  };
}

const isOlder = (one: Moment, floor: Moment | undefined): boolean =>
  floor !== undefined &&
  (one.frame < floor.frame || (one.frame === floor.frame && one.freezeFrame <= floor.freezeFrame));
