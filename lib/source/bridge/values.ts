// What a bridge shows of its simulation: values and time, as updates and answers bring them.
import { isDeepStrictEqual } from 'node:util';
import { Mode } from '../../model/frame/header.js';
import type { Catalog } from '../../model/state/catalog.js';
import { RequestError } from '../../simulation/executive/request.js';
import type { FeedHost, MomentElsewhere } from '../feed-host.js';
import { type Asked, MOST_ASKED } from './asked.js';
import { Asking } from './asking.js';
import { REST_MILLIS, readAtRest } from './at-rest.js';
import { Awaited } from './awaited.js';
import { elementsHeld } from './containers.js';
import { ExactTimes } from './exact-times.js';
import { COUNTERS, isOlder, momentOf } from './moment.js';
import { type Placed, store } from './placed.js';
import { ShownObjects } from './shown.js';
import { type Survey, survey } from './survey.js';
import type { TrickEnd, TrickEndList, TrickEndUpdate } from './trick-end.js';

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

export class BridgedValues {
  /** The times of frames that clients want. */
  readonly exact = new ExactTimes();
  private readonly awaited = new Awaited<Shown>();
  private readonly shown: ShownObjects;
  private readonly asking: Asking;
  /** What the values in the memory are of. */
  private inMemory: Asked;
  /** Whether pointers and containers may be longer or shorter than they are shown. */
  private isMeasureDue = false;
  private at = START;
  /** Updates up to this moment are older than what is shown. */
  private floor: MomentElsewhere | undefined;
  /** The frame at which a simulation that runs was found to be at rest. */
  private restsAt: number | undefined;
  /** What was shown when updates were missed. */
  private missedAt: MomentElsewhere | undefined;
  private end: TrickEnd | undefined;
  private list: TrickEndList | undefined;

  /**
   * @param readCycles seconds from one value to the next that somebody reads.
   * @param heard called when the simulation has sent or answered something.
   */
  constructor(
    private readonly host: FeedHost,
    found: Survey,
    private readonly readCycles: () => Iterable<number>,
    private readonly heard: () => void,
  ) {
    this.shown = new ShownObjects(host, found);
    this.asking = new Asking(this.shown, this);
    this.inMemory = this.asking.asked;
  }

  get moment(): MomentElsewhere {
    return this.at;
  }

  get catalog(): Catalog {
    return this.host.held.catalog;
  }

  get wanted() {
    return this.host.wanted;
  }

  /** Which frames have the exact times that clients want, only the simulation knows: it sends each of them. */
  get cycles(): Iterable<number> {
    return this.exact.isEmpty ? this.readCycles() : [0];
  }

  /** Takes the values of a connection from now on. Resolves when the simulation sends what readers hold. */
  async begin(end: TrickEnd, list: TrickEndList): Promise<void> {
    this.end = end;
    this.list = list;
    this.floor = undefined;
    this.restsAt = undefined;
    this.asking.forget();
    await this.asking.ask(list, true);
  }

  /** There is no connection, for a reason. */
  lose(reason: string): void {
    this.end = undefined;
    this.list = undefined;
    this.awaited.fail(reason);
  }

  /** Shows what there is, in a simulation that stands still. */
  stand(): void {
    this.at = { ...this.at, mode: Mode.freeze };
    this.republish();
  }

  /** Resolves at the first update. Rejects with a RequestError when none comes in time. */
  next(): Promise<void> {
    return this.awaited.until(() => true);
  }

  /** Whether a simulation that is there again has what was shown of it. */
  async isSame(end: TrickEnd): Promise<boolean> {
    const { text } = await end.describe();
    // A text may have become longer than a message: Trick leaves it out, and what comes is not what was asked for.
    const { names } = this.asking.asked;
    return text === this.shown.survey.text && (await end.readable(names)).size === names.length;
  }

  /** Has other objects, which are shown when their values have come. */
  replace(found: Survey): void {
    this.shown.replace(found);
    this.asking.forget();
    this.inMemory = this.asking.asked;
  }

  /** Throws an Error for an update whose values are not of one moment. */
  take({ names, values, timeSeconds }: TrickEndUpdate): void {
    // One that was on its way is of the list before.
    if (!this.asking.isOf(names)) return;
    const moment = momentOf(values);
    if (Math.abs(moment.timeSeconds - timeSeconds) > 1e-6 * Math.max(1, timeSeconds))
      throw new Error(`its values are of two moments, ${moment.timeSeconds} and ${timeSeconds} s`);
    this.heard();
    const isBack = moment.frameCount < this.at.frameCount;
    if (isBack) this.floor = undefined;
    if (isOlder(moment, this.floor)) return;
    this.show(moment, names, values);
    this.awaited.came({ moment, isBack });
    // Memory that a pointer led to is gone, or is another after a checkpoint was loaded.
    this.isMeasureDue ||= isBack || values.includes(undefined);
  }

  /** Asks for what readers hold now, if that has changed. */
  async follow(): Promise<void> {
    if (this.list && !this.asking.isChanging) await this.asking.ask(this.list);
  }

  /** Resolves when frames have what readers hold by now. Rejects with a RequestError. */
  async look(connected: () => TrickEnd): Promise<void> {
    if (!this.host.wanted?.meets(this.inMemory.missing)) return;
    // Others than those that are missing are shown.
    if (!this.end) this.republish();
    const end = connected();
    if (this.list) await this.asking.ask(this.list);
    if (this.asking.asked.tooMany > 0)
      throw new RequestError(`more than ${MOST_ASKED} values are read through this bridge`);
    const { mode, frameCount, frameSeconds } = this.at;
    // An update is of this list, or of a later one with what readers hold by then.
    const mayCome = mode === Mode.run && frameCount !== this.restsAt;
    if (mayCome && (await this.awaited.within(restMillis(frameSeconds), () => true))) return;
    return this.settled(end);
  }

  /** Asks whether the simulation is there. Rejects with an Error when it goes on, and its updates have not come twice. */
  async check(end: TrickEnd): Promise<void> {
    const { mode, frameCount } = momentOf(await end.get(COUNTERS));
    const isMissed = mode === Mode.run && Math.abs(frameCount - this.at.frameCount) > 2 * this.asking.frameMultiple;
    if (isMissed && this.missedAt === this.at) throw new Error('it goes on, and sends no values');
    this.missedAt = isMissed ? this.at : undefined;
  }

  /** Resolves when what the simulation has done up to now is shown. */
  async settled(end: TrickEnd): Promise<void> {
    await this.read();
    const { mode, frameCount, frameSeconds } = momentOf(await end.get(COUNTERS));
    const isRun = mode === Mode.run;
    const isShown = ({ moment, isBack }: Shown): boolean => isShownAfter(frameCount, moment, isBack);
    const mayCome = isRun && frameCount !== this.restsAt;
    if (mayCome && (await this.awaited.within(restMillis(frameSeconds), isShown))) return;
    // A simulation that stands still has few frames, and changes only by what is asked of it.
    const { asked } = this.asking;
    const names = [...COUNTERS, ...asked.names];
    const values = isRun ? await readAtRest(end, names) : await end.get(names);
    // What has been asked for meanwhile has answers of its own.
    if (asked !== this.asking.asked) return this.settled(end);
    if (!values) return this.awaited.until(isShown);
    const moment = momentOf(values);
    this.restsAt = isRun ? moment.frameCount : undefined;
    this.floor = moment;
    this.heard();
    this.show(moment, names, values);
    this.awaited.came({ moment, isBack: false });
  }

  /** Reads containers, which the simulation does not send by itself. By default those that readers hold. */
  async read(containers: readonly Placed[] = this.asking.asked.containers): Promise<void> {
    const { places } = this.shown;
    if (!this.end || containers.length === 0) return;
    const held = await elementsHeld(this.end, containers);
    if (places !== this.shown.places) return;
    held.store(this.host.held.memory);
    this.isMeasureDue ||= held.isOutgrown;
  }

  /** Shows pointers and containers as long as they are now, if they may have changed. Resolves to whether they may. */
  async measure(): Promise<boolean> {
    const { end, list } = this;
    if (!end || !list || !this.isMeasureDue) return false;
    this.isMeasureDue = false;
    const before = this.shown.survey;
    const found = await survey(end, before);
    if (this.list !== list || isDeepStrictEqual(found.lengths, before.lengths)) return true;
    this.replace(found);
    this.republish();
    await this.asking.ask(list, true);
    return true;
  }

  /** @param values those of the names, of which the counters are first. */
  private show(moment: MomentElsewhere, names: readonly string[], values: readonly unknown[]): void {
    const { memory } = this.host.held;
    for (let index = COUNTERS.length; index < values.length; index++) {
      const place = this.asking.asked.place(names[index] as string);
      const value = values[index];
      if (place && value !== undefined) store(place, memory, value);
    }
    this.at = moment;
    this.inMemory = this.asking.asked;
    this.host.publishMoment(moment, this.inMemory.missing, (timeTics) => this.exact.has(timeTics));
  }

  private republish(): void {
    this.host.publishMoment(this.at, this.inMemory.missing);
  }
}

/** Longer for long frames, and short enough for an answer. */
const restMillis = (frameSeconds: number): number =>
  Math.min(Math.max(REST_MILLIS, 2000 * frameSeconds), 4 * REST_MILLIS);

const isShownAfter = (frameCount: number, moment: MomentElsewhere, isBack: boolean): boolean =>
  isBack || moment.frameCount > frameCount || moment.mode !== Mode.run;
