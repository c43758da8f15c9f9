// The owner's end of a feed: its state, its frames, and the requests that it accepts.

import { type FrameHeader, Mode, Reason } from '../model/frame/header.js';
import type { PageMap } from '../model/frame/page-map.js';
import { Catalog } from '../model/state/catalog.js';
import type { Memory } from '../model/state/memory.js';
import type { PoseDescription } from '../model/state/pose.js';
import type { Value } from '../model/state/read.js';
import { type ObjectHandle, type ObjectOptions, State } from '../model/state/state.js';
import { thrownText } from '../model/state/thrown.js';
import { describeType } from '../model/state/type.js';
import { lay, type Overlay, type Shows, show } from '../simulation/executive/overlay.js';
import { Pacer } from '../simulation/executive/pacer.js';
import { type Layout, Publisher } from '../simulation/executive/publisher.js';
import { type Request, RequestError, type Write } from '../simulation/executive/request.js';
import type { SimClock } from '../simulation/executive/simulation.js';
import { refused, WritePlan } from '../simulation/executive/write.js';
import { type Abilities, NO_ABILITIES } from './abilities.js';
import { AnswerPace } from './answer-pace.js';
import { FeedObjectTree } from './feed-objects.js';
import { FeedPlayback, type Playback } from './feed-playback.js';
import { MessageRoom } from './message-room.js';
import type { FromSimulation, ToSimulation } from './protocol.js';
import type { PlaybackState, SimMessage, SourceInfo } from './source.js';

const TICS_PER_SECOND = 1_000_000;
/** The length of a freeze frame that clients see; a frozen feed makes no frames. */
const FREEZE_FRAME_TICS = TICS_PER_SECOND;

/** Options of `feed`. */
export interface FeedOptions {
  readonly name: string;
  /** What it is, for sentences to clients: `a recording`. Default `a feed`. */
  readonly what?: string;
  /** Seconds of the feed's own time from one frame to the next, as far as that is known. */
  readonly frameSeconds: number;
  readonly clock?: SimClock;
  /** Directory and file that clients see. Default: the working directory and the program's name. */
  readonly directory?: string;
  readonly file?: string;
  /**
   * Accepts clients' writes. Called with values that fit, in the variables' own units. If it throws, all of them are
   * refused with its sentence. Default: writes are refused.
   */
  readonly write?: (writes: readonly Write[]) => void;
  /** Lets clients run and freeze it, change its rate and seek. Default: they are refused. */
  readonly playback?: Playback;
  /** Poses of the simulation that the data are of: shown where the feed has their variables. */
  readonly poses?: readonly PoseDescription[];
  /** Where the models and textures of the poses lie. */
  readonly folder?: string;
}

/** Where a simulation elsewhere is. */
export interface MomentElsewhere {
  readonly mode: Mode;
  readonly frameCount: number;
  readonly freezeFrameCount: number;
  readonly timeSeconds: number;
  readonly frameSeconds: number;
}

/** Where the values of a feed come from, when requests are carried out there: each resolves when the feed has what it did. */
export interface Elsewhere {
  readonly abilities: Partial<Abilities>;
  /** Frames carry pages of this size, those that readers need; `look` resolves when they have come. Default: all is there. */
  readonly pageBytes?: number;
  look?(): Promise<void>;
  /** As `look`, of what changes something; the answer may have a value. Undefined for what a feed does itself. */
  carryOut(request: Request): Promise<Value | undefined> | undefined;
}

/** Values that an owner puts into the memory when frames are to carry them. */
export interface FilledPages {
  /** Puts there what these pages have now; undefined for all. Throws an Error with one sentence where it cannot. */
  fill(wanted: PageMap | undefined): void;
  /** Those of the pages that it could not fill. */
  missing(wanted: PageMap): PageMap;
}

export class FeedHost {
  private readonly state = new State();
  private readonly objects = new FeedObjectTree(this.state);
  private readonly publisher: Publisher;
  /** Measures the speed of the feed's time; it paces nothing. */
  private readonly pacer = new Pacer(TICS_PER_SECOND, false);
  private readonly frameTics: number;
  /** Requests that take long wait for each other, and nothing else waits for them: the owner works on this thread. */
  private readonly pace: AnswerPace;
  private readonly room: MessageRoom;
  private shows: Shows = {};
  private readonly played: FeedPlayback | undefined;
  private jumps = 0;
  private isFinished = false;
  /** Of a simulation elsewhere. */
  private moment: MomentElsewhere | undefined;
  private ticks = 0;
  /** Pages of which there are no values now. */
  private missing: PageMap | undefined;
  /** Whether the last frame tells how fast the feed's time runs. */
  private isPaceKnown = false;
  private frames = 0;
  private timeTics = 0;
  private isClosed = false;
  private knownCatalog: Catalog | undefined;

  constructor(
    private readonly options: FeedOptions,
    private readonly nowMillis: () => number,
    private readonly send: (message: FromSimulation) => void,
    private readonly elsewhere?: Elsewhere,
    private readonly filled?: FilledPages,
    pageBytes = elsewhere?.pageBytes,
  ) {
    this.pace = new AnswerPace(setImmediate, nowMillis);
    this.room = new MessageRoom(nowMillis, (message) => send({ kind: 'message', message }));
    this.played = options.playback && new FeedPlayback(options.playback);
    this.frameTics = Math.round(options.frameSeconds * TICS_PER_SECOND);
    const layout = (layout: Layout): void => send({ kind: 'layout', layout });
    const events = { layout, poke: () => send({ kind: 'poke' }) };
    this.publisher = new Publisher(this.state, events, undefined, undefined, pageBytes);
  }

  object(name: string, options?: ObjectOptions): ObjectHandle {
    return this.objects.object(name, options);
  }

  removeObject(name: string): void {
    this.objects.removeObject(name);
  }

  /** Makes objects when it has started, whose structures are known when `make` returns. */
  later<Made>(make: () => Made): Made {
    return this.objects.later(make);
  }

  /** Adds the overlays to the built state, and publishes the first frame. */
  start(overlays: readonly Overlay[]): void {
    this.objects.build();
    for (const pose of this.options.poses ?? []) if (this.hasVariablesOf(pose)) this.state.poses.add(pose);
    const info = this.infoOf(this.options);
    const { directory, file, runDirectory } = info;
    const facts = { directory, program: file, inputFile: file, runDirectory };
    this.shows = lay(overlays, { state: this.state, clockwork: this.clockwork(), facts });
    this.show(Reason.tick);
    const own = { write: this.options.write !== undefined, playback: this.played !== undefined };
    this.send({ kind: 'ready', info, abilities: { ...NO_ABILITIES, ...own, ...this.elsewhere?.abilities } });
  }

  private hasVariablesOf({ parent, position, attitude }: PoseDescription): boolean {
    const { catalog, state } = this;
    const has = (path: string, type: string): boolean => {
      const found = catalog.find(path);
      return found !== undefined && describeType(found.type) === type;
    };
    const isPlaced = has(position, 'double[3]') && (attitude === null || has(attitude, 'double[4]'));
    return isPlaced && (parent === null || state.poses.has(parent));
  }

  /** What the objects are made of now: an owner may store values in their memory. */
  get held(): { readonly catalog: Catalog; readonly memory: Memory } {
    return { catalog: this.catalog, memory: this.state.arena.memory };
  }

  /** The pages that readers ask for. */
  get wanted(): PageMap | undefined {
    return this.publisher.wanted;
  }

  /**
   * Shows where a simulation elsewhere is, with the values that are in the memory but for some pages.
   * @param isExact whether clients want a frame at this time.
   */
  publishMoment(moment: MomentElsewhere, missing: PageMap, isExact = (_timeTics: number) => false): boolean {
    const { frameCount, mode } = this.moment ?? { frameCount: 0, mode: undefined };
    // Ticks never go back; a simulation that has been started again counts its frames anew.
    const ticks = moment.frameCount < frameCount ? 1 : moment.frameCount - frameCount;
    this.ticks += ticks;
    this.moment = moment;
    this.missing = missing;
    const isNew = ticks > 0 || mode !== moment.mode;
    const isShown = this.publish(moment.timeSeconds, isNew ? Reason.tick : Reason.request);
    if (isShown && isNew && moment.mode === Mode.run && isExact(this.timeTics)) this.show(Reason.scheduled);
    return isShown;
  }

  publish(timeSeconds: number, reason: Reason = Reason.tick): boolean {
    const timeTics = Math.round(timeSeconds * TICS_PER_SECOND);
    if (!(timeTics >= 0 && Number.isSafeInteger(timeTics)))
      throw new RangeError(`a feed's time is in seconds from 0 up, not ${timeSeconds}`);
    if (this.isOver) return false;
    const isBack = timeTics < this.timeTics && !this.played?.isReversed;
    if (this.played?.hasSought() || isBack) this.jumps++;
    this.timeTics = timeTics;
    if (this.isPaceKnown) this.pacer.ended(this.nowMillis(), timeTics);
    else this.pacer.restart(this.nowMillis(), timeTics);
    this.isPaceKnown = true;
    this.frames++;
    // A client that goes to another time while the feed stands still sees that time at once, on any cycle.
    this.show(this.mode === Mode.freeze ? Reason.freeze : reason);
    return true;
  }

  say(text: string, level: SimMessage['level'], timeSeconds = this.timeSeconds): void {
    this.room.say({ level, text, timeSeconds });
  }

  finish(reason: string): void {
    if (this.isOver) return;
    this.isFinished = true;
    try {
      this.show(Reason.request);
    } finally {
      this.room.end();
      this.send({ kind: 'ended', reason, exitCode: 0 });
    }
  }

  /** Shows that a playback stands still. */
  freeze(): void {
    if (!this.played) throw new Error('a feed without playback never freezes');
    if (this.isOver || this.mode === Mode.freeze) return;
    this.played.mode = Mode.freeze;
    // Also for clients that were not shown the last tick.
    this.show(Reason.freeze);
  }

  get playback(): PlaybackState | undefined {
    return this.played?.state;
  }

  receive(message: ToSimulation): void {
    if (message.kind === 'close') this.isClosed = true;
    // Answered after `submit` has returned, like answers from another thread.
    else if (message.kind === 'request') {
      const { id, request } = message;
      queueMicrotask(() => this.pace.pass(() => this.answer(id, request)));
    }
  }

  private get isOver(): boolean {
    return this.isClosed || this.isFinished;
  }

  private get mode(): Mode {
    return this.isFinished ? Mode.exit : (this.moment?.mode ?? this.played?.mode ?? Mode.run);
  }

  private get softwareFrameTics(): number {
    return this.moment ? Math.round(this.moment.frameSeconds * TICS_PER_SECOND) : this.frameTics;
  }

  private get timeSeconds(): number {
    return this.timeTics / TICS_PER_SECOND;
  }

  private get catalog(): Catalog {
    if (this.knownCatalog?.version !== this.state.version) this.knownCatalog = new Catalog(this.state.describe());
    return this.knownCatalog as Catalog;
  }

  private answer(id: number, request: Request): void {
    if (this.isOver) return;
    const before = this.mode;
    const shown = (value?: Value): void => {
      this.show(this.mode === Mode.freeze && before !== Mode.freeze ? Reason.freeze : Reason.request);
      const frame = this.publisher.frameNumber;
      this.send({ kind: 'outcome', id, outcome: { frame, ...(value !== undefined && { value }) } });
    };
    const failed = (error: unknown): void => this.send({ kind: 'outcome', id, outcome: { error: thrownText(error) } });
    try {
      const later = this.passOn(request);
      if (later) later.then(shown).catch(failed);
      else {
        refused(() => this.apply(request));
        shown();
      }
    } catch (error) {
      failed(error);
    }
  }

  /** Undefined for what is done here. */
  private passOn(request: Request): Promise<Value | undefined> | undefined {
    if (request.kind === 'look') return this.elsewhere?.look?.().then(() => undefined);
    return this.elsewhere?.carryOut(request);
  }

  private apply(request: Request): void {
    switch (request.kind) {
      case 'write':
        new WritePlan({ state: this.state, catalog: this.catalog }, request).apply(this.options.write);
        break;
      case 'show':
        for (const steps = show(this.shows, request.overlay, request.value); !steps.next().done; );
        break;
      case 'look':
        this.filled?.fill(this.wanted);
        break;
      case 'control':
        this.isPaceKnown = false;
        this.played?.apply(request.control);
        break;
      default:
        throw new RequestError(`a feed has no request ${request.kind}`);
    }
  }

  private show(reason: Reason): void {
    this.state.pullMirrors();
    const { clock } = this.options;
    const { frameCount = this.frames, freezeFrameCount = 0 } = this.moment ?? {};
    const header: FrameHeader = {
      ...this.publisher.next(),
      reason,
      mode: this.mode,
      tick: this.moment ? this.ticks : this.frames,
      timeTics: this.timeTics,
      ticsPerSecond: TICS_PER_SECOND,
      frameCount,
      freezeFrameCount,
      freezeTimeTics: 0,
      softwareFrameTics: this.softwareFrameTics,
      clockSeconds: clock ? clock.seconds(this.timeSeconds) : this.timeSeconds,
      wallMillis: Date.now(),
      overruns: 0,
      freezeFrameTics: FREEZE_FRAME_TICS,
      terminateTics: Number.POSITIVE_INFINITY,
      // What is fed comes at its own pace.
      clockRatio: this.played?.rate ?? 1,
      jumps: this.jumps,
    };
    this.fill();
    this.publisher.publish(header, this.missing);
  }

  private fill(): void {
    const { filled, wanted } = this;
    if (!filled) return;
    this.missing = undefined;
    try {
      filled.fill(this.isFinished ? undefined : wanted);
    } catch {
      this.missing = wanted && filled.missing(wanted);
    }
  }

  private clockwork() {
    const host = this;
    return {
      ticsPerSecond: TICS_PER_SECOND,
      get softwareFrameTics() {
        return host.softwareFrameTics;
      },
      freezeFrameTics: FREEZE_FRAME_TICS,
      terminateTics: Number.POSITIVE_INFINITY,
      get freezeFrameCount() {
        return host.moment?.freezeFrameCount ?? 0;
      },
      overrunCount: 0,
      isRealTime: this.played !== undefined || this.elsewhere !== undefined,
      isDebugPauseOn: false,
      get mode() {
        return host.mode;
      },
      get timeTics() {
        return host.timeTics;
      },
      get frameCount() {
        return host.moment?.frameCount ?? host.frames;
      },
      get actualRatio() {
        return host.pacer.actualRatio;
      },
    };
  }

  private infoOf({ name, what = 'a feed', clock, directory, file, folder }: FeedOptions): SourceInfo {
    return {
      name,
      what,
      clockLabel: clock?.label ?? 'sim_elapsed',
      directory: directory ?? process.cwd(),
      file: file ?? process.argv[1] ?? 'node',
      runDirectory: '.',
      ...(folder !== undefined && { folder }),
    };
  }
}
