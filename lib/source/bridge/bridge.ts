// A Trick simulation elsewhere as a source: one client there, whatever number is served here.
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { Mode } from '../../model/frame/header.js';
import { PageMap } from '../../model/frame/page-map.js';
import type { Value } from '../../model/state/read.js';
import type { Overlay } from '../../simulation/executive/overlay.js';
import { type Request, RequestError, type Write } from '../../simulation/executive/request.js';
import { FeedHost, type MomentElsewhere } from '../feed-host.js';
import { RemoteSource } from '../remote-source.js';
import type { SimMessage } from '../source.js';
import { Asked, frameMultiple, MOST_ASKED, PAGE_BYTES } from './asked.js';
import { Awaited } from './awaited.js';
import { carryOut, isLast } from './controls.js';
import { ExactTimes } from './exact-times.js';
import { COUNTERS, isOlder, momentOf } from './moment.js';
import { type Placed, placed, store } from './placed.js';
import { settingsOf } from './settings.js';
import { type Survey, survey } from './survey.js';
import type { TrickEnd, TrickEndList } from './trick-end.js';

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
/** What nobody reads any longer is asked for until then: who has read once often reads again. */
const LINGER_MILLIS = 2000;

/** What servers say of a simulation by themselves. */
const OWN_MESSAGES = /^Freeze (ON|OFF)\b/;

const NOTHING = new Asked([], 0, new PageMap(new Uint8Array(), PAGE_BYTES));
const START: MomentElsewhere = {
  mode: Mode.initialization,
  frameCount: 0,
  freezeFrameCount: 0,
  timeSeconds: 0,
  frameSeconds: 1,
};

/** What an update shows. */
interface Shown {
  readonly moment: MomentElsewhere;
  /** Whether the simulation has gone back to an earlier frame. */
  readonly isBack: boolean;
}

export class BridgeSource extends RemoteSource {
  private readonly host: FeedHost;
  private readonly closed = new AbortController();
  private readonly awaited = new Awaited<Shown>();
  private readonly exact = new ExactTimes();
  private trick: TrickEnd | undefined;
  private list: TrickEndList | undefined;
  private shown: Survey;
  private places: Placed[] = [];
  /** What the simulation sends by itself, and in every how many frames. */
  private asked = NOTHING;
  private names: readonly string[] = [];
  /** What the values in the memory are of. */
  private inMemory = NOTHING;
  private multiple = 1;
  private askedMillis = 0;
  /** What it has been told to send by itself, until it has taken it. */
  private asking: Promise<void> | undefined;
  private at = START;
  /** Updates up to this moment are older than what is shown. */
  private floor: MomentElsewhere | undefined;
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
      await source.awaited.until(() => true);
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
        abilities: { write: !isReadOnly, control: !isReadOnly, checkpoint: !isReadOnly, schedule: true },
        pageBytes: PAGE_BYTES,
        look: () => this.look(),
        carryOut: (request) => this.carryOut(request),
      },
    );
    link.host = this.host;
    this.shown = found;
    this.build(found);
    this.host.start(overlays);
    void this.follow(end);
  }

  get lastHeardMillis(): number | undefined {
    return this.loss === '' ? undefined : this.heardMillis;
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
      const { text } = await end.describe();
      // A text may have become longer than a message: Trick leaves it out, and what comes is not what was asked for.
      const { names } = this.asked;
      if (text === this.shown.text && (await end.readable(names)).size === names.length) return end;
      const found = await survey(end);
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
    const list = await end.list();
    this.list = list;
    this.floor = undefined;
    this.asked = NOTHING;
    let reason = 'the connection was closed';
    const lose = (error: Error): void => {
      reason = error.message;
      end.close();
    };
    const timer = setInterval(() => void end.get(COUNTERS).catch(lose), ASK_EVERY_MILLIS);
    try {
      await this.ask(list, true);
      await this.hear(end);
      // A simulation that stands still may send nothing by itself.
      void this.settled(end).catch(() => undefined);
      for await (const { names, values, timeSeconds } of list) {
        if (this.closed.signal.aborted) return;
        // An update that was on its way is of the list before.
        if (names === this.names) this.update(values, timeSeconds);
        if (!this.asking) this.ask(list).catch(lose);
      }
    } finally {
      clearInterval(timer);
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

  /** Asks for what readers hold now, one change after the other. */
  private async ask(list: TrickEndList, isAnew = false): Promise<void> {
    while (this.asking) await this.asking.catch(() => undefined);
    const next = this.next(isAnew);
    if (!next) return;
    const multiple = frameMultiple(this.cycles, this.at.frameSeconds, next.names.length + COUNTERS.length);
    this.asking = this.change(list, next, multiple).finally(() => {
      this.asking = undefined;
    });
    await this.asking;
  }

  private async change(list: TrickEndList, next: Asked, multiple: number): Promise<void> {
    this.names = await list.ask([...COUNTERS, ...next.names], multiple);
    this.asked = next;
    this.multiple = multiple;
    this.askedMillis = performance.now();
  }

  /** What is to be asked for; undefined for what is asked for already. */
  private next(isAnew: boolean): Asked | undefined {
    const { wanted, held } = this.host;
    if (!wanted) return undefined;
    const { asked } = this;
    const cycle = frameMultiple(this.cycles, this.at.frameSeconds, asked.names.length + COUNTERS.length);
    if (!isAnew && cycle === this.multiple && wanted.equals(asked.wanted)) return undefined;
    const next = new Asked(this.places, held.catalog.arenaBytes, wanted.copyOfMarks());
    const isLess = cycle >= this.multiple && asked.includes(next);
    return isAnew || !isLess || performance.now() - this.askedMillis > LINGER_MILLIS ? next : undefined;
  }

  private update(values: readonly unknown[], timeSeconds: number): void {
    const moment = momentOf(values);
    if (Math.abs(moment.timeSeconds - timeSeconds) > 1e-6 * Math.max(1, timeSeconds))
      throw new Error(`its values are of two moments, ${moment.timeSeconds} and ${timeSeconds} s`);
    this.heard();
    const isBack = moment.frameCount < this.at.frameCount;
    if (isBack) this.floor = undefined;
    if (isOlder(moment, this.floor)) return;
    this.show(moment, this.names, values);
    this.awaited.came({ moment, isBack });
  }

  /** @param values those of the names, of which the counters are first. */
  private show(moment: MomentElsewhere, names: readonly string[], values: readonly unknown[]): void {
    const { memory } = this.host.held;
    for (let index = COUNTERS.length; index < values.length; index++) {
      const place = this.asked.place(names[index] as string);
      const value = values[index];
      if (place && value !== undefined) store(place, memory, value);
    }
    this.at = moment;
    this.inMemory = this.asked;
    this.host.publishMoment(moment, this.asked.missing, (timeTics) => this.exact.has(timeTics));
  }

  /** Resolves when frames have what readers hold by now. Rejects with a RequestError. */
  private async look(): Promise<void> {
    if (!this.host.wanted?.meets(this.inMemory.missing)) return;
    // Others than those that are missing are shown.
    if (this.loss !== '') this.host.publishMoment(this.at, this.inMemory.missing);
    const end = this.connected();
    if (this.list) await this.ask(this.list);
    if (this.asked.tooMany > 0) throw new RequestError(`more than ${MOST_ASKED} values are read through this bridge`);
    if (this.at.mode !== Mode.run) return this.settled(end);
    // It is of this list, or of a later one with what readers hold by then.
    await this.awaited.until(() => true);
  }

  private lost(reason: string): void {
    this.trick = undefined;
    this.list = undefined;
    if (this.closed.signal.aborted) return;
    const isNew = this.loss === '';
    this.loss = `disconnected from the simulation at ${this.facts.address}: ${reason}`;
    this.receive({ kind: 'fault', reason: this.loss });
    this.awaited.fail(this.loss);
    if (!isNew) return;
    this.host.say(this.loss, 'error');
    this.at = { ...this.at, mode: Mode.freeze };
    this.host.publishMoment(this.at, this.inMemory.missing);
  }

  private heard(): void {
    this.heardMillis = Date.now();
    this.pauseMillis = FIRST_PAUSE_MILLIS;
    if (this.loss === '') return;
    this.loss = '';
    this.receive({ kind: 'fault', reason: undefined });
    this.host.say(`connected again to the simulation at ${this.facts.address}`, 'warning');
  }

  private leave(): void {
    this.closed.abort();
    this.trick?.close();
    this.awaited.fail('the bridge is closed');
  }

  /** Which frames have the exact times that clients want, only the simulation knows: it sends each of them. */
  private get cycles(): Iterable<number> {
    return this.exact.isEmpty ? this.readCycles : [0];
  }

  /** Undefined for what the bridge does itself. */
  private carryOut(request: Request): Promise<Value | undefined> | undefined {
    switch (request.kind) {
      case 'write':
        return this.pass((end) => this.write(end, request.writes));
      case 'control':
        return this.pass((end) => carryOut(end, request.control), isLast(request.control));
      case 'checkpoint':
        return this.checkpoint(request);
      case 'load-checkpoint':
        return this.pass((end) => end.load(request.file));
      case 'schedule':
        this.exact.hold(request.periodTics, request.hold);
        return Promise.resolve(undefined);
      case 'job':
        throw new RequestError('a bridge does not reach the jobs of its simulation');
      default:
        return undefined;
    }
  }

  /** Resolves when frames show what has been done. Rejects with one sentence. */
  private async pass(act: (end: TrickEnd) => Promise<unknown>, isLast = false): Promise<undefined> {
    const end = this.connected();
    try {
      await act(end);
    } catch (error) {
      const isThere = await end.get(COUNTERS).catch(() => undefined);
      if (!isLast || isThere) throw error;
    }
    if (!isLast) await this.settled(end);
  }

  private async write(end: TrickEnd, writes: readonly Write[]): Promise<void> {
    for (const { path, value } of settingsOf(this.host.held.catalog, writes)) await end.set(path, value);
  }

  private async checkpoint({ file, objects, isText }: Extract<Request, { kind: 'checkpoint' }>): Promise<Value> {
    if (objects || isText) throw new RequestError('a bridge has the whole simulation written, to a file of its own');
    const name = file === '' ? `chkpnt_${this.at.timeSeconds.toFixed(6)}` : file;
    const seconds = this.at.timeSeconds;
    await this.pass((end) => end.checkpoint(name));
    return { file: name, seconds };
  }

  private connected(): TrickEnd {
    if (!this.trick || this.loss !== '') throw new RequestError(this.loss);
    return this.trick;
  }

  /** Resolves when what the simulation has done up to now is shown. */
  private async settled(end: TrickEnd): Promise<void> {
    const { mode, frameCount } = momentOf(await end.get(COUNTERS));
    if (mode === Mode.run) return this.awaited.until(({ moment, isBack }) => isShownAfter(frameCount, moment, isBack));
    // A simulation that stands still has few frames, and changes only by what is asked of it.
    const names = [...COUNTERS, ...this.asked.names];
    const values = await end.get(names);
    const moment = momentOf(values);
    this.floor = moment;
    this.heard();
    this.show(moment, names, values);
    this.awaited.came({ moment, isBack: false });
  }
}

const isShownAfter = (frameCount: number, moment: MomentElsewhere, isBack: boolean): boolean =>
  isBack || moment.frameCount > frameCount || moment.mode !== Mode.run;
