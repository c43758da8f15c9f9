// The last minutes of plotted variables: begun when a client asks for them, ended some time after the last one has gone.
import { Reason } from '../frame/header.js';
import type { Frame } from '../frame/reader.js';
import { MOST_SLOTS } from '../frame/ring.js';
import type { Account } from '../scheduling/account.js';
import { untilBegun } from '../session/client-frames.js';
import { frameCadence, tickMillisOf } from '../session/frame-cadence.js';
import { Reference } from '../session/reference.js';
import type { SessionRegistry } from '../session/registry.js';
import { type Points, Pyramid } from './pyramid.js';

/** The most series that are kept. Series that were only asked for give way to those that are plotted. */
const MOST_SERIES = 800;
/** How long a series is kept after the last client has let it go or asked for it. */
const LINGER_MILLIS = 300_000;
/** The cycle of a series without subscriptions, and the longest cycle of one with subscriptions. */
const ASKED_CYCLE_MILLIS = 10;
const LONGEST_CYCLE_MILLIS = 1000;
export const DEFAULT_HISTORY_SECONDS = 600;
/** A tick length that no simulation has: that of a series without samples. */
const NOT_KNOWN = -1;

/** There is no room for more variables, or a variable is not one number; the message is one sentence. */
export class HistoryError extends Error {
  override readonly name = 'HistoryError';
}

const NO_CYCLE = -1;

/** One variable's past, in its own units. */
interface Series {
  readonly reference: Reference;
  readonly pyramid: Pyramid;
  /** The cycles that subscriptions want, in milliseconds. */
  readonly cycles: number[];
  /** Ticks between samples, for ticks of this length. */
  everyTicks: number;
  tickMillis: number;
  /** Number of whole cycles before the last sample, or none when a sample is due at any frame. */
  lastCycle: number;
  lastWantedMillis: number;
  /** How often time had jumped at the last sample. */
  jumps: number;
}

export class History {
  private readonly all = new Map<string, Series>();
  private readonly account: Account;
  private unfollow: (() => void) | undefined;
  private cancelExpiry: (() => void) | undefined;
  private taken: number | undefined;
  /** Numbers of frames whose samples are not taken yet. */
  private readonly waiting: number[] = [];

  /** @param keptSeconds how much of the past is answered, in seconds of the simulation's clock. */
  constructor(
    private readonly registry: SessionRegistry,
    readonly keptSeconds = DEFAULT_HISTORY_SECONDS,
  ) {
    this.account = registry.ledger.open('history');
  }

  /** Time of the latest frame that samples were taken of, by the simulation's clock: now, or a few ticks ago. */
  get takenSeconds(): number {
    return this.taken ?? this.registry.source.frame.header.clockSeconds;
  }

  /** How many variables are kept. */
  get size(): number {
    return this.all.size;
  }

  /**
   * Keeps the single numbers among these until the returned function is called, and a while longer. Throws an
   * OverBoundError or a HistoryError, and keeps nothing.
   */
  keep(account: Account, references: readonly Reference[], cycleMillis: number): () => void {
    const paths = [...new Set(references.filter(isNumber).map(({ path }) => path))];
    account.take('historySeries', paths.length);
    const cycle = Math.min(cycleMillis, LONGEST_CYCLE_MILLIS);
    try {
      this.makeRoom(paths);
    } catch (error) {
      account.give('historySeries', paths.length);
      throw error;
    }
    for (const path of paths) {
      const series = this.of(path);
      series.cycles.push(cycle);
      series.tickMillis = NOT_KNOWN;
    }
    return () => {
      account.give('historySeries', paths.length);
      for (const path of paths) this.letGo(path, cycle);
    };
  }

  /**
   * The points that are kept of a variable, in its own units, and keeps it for a while. Throws a HistoryError, an
   * UnknownVariableError or a WriteOnlyError.
   */
  points(reference: Reference, from: number, to: number, most: number): Points & { readonly since: number | null } {
    if (!isNumber(reference)) {
      throw new HistoryError(`${reference.alias} is not one number: ask for an element or a member of it`);
    }
    this.makeRoom([reference.path]);
    const { pyramid } = this.of(reference.path);
    const earliest = this.registry.source.frame.header.clockSeconds - this.keptSeconds;
    const since = pyramid.firstTime;
    const points = pyramid.points(Math.max(from, earliest), to, most);
    return { ...points, since: since === undefined ? null : Math.max(since, earliest) };
  }

  /** Time since which all samples of a variable are kept as they came; undefined when none are. */
  wholeSince({ path }: Reference): number | undefined {
    return this.all.get(path)?.pyramid.wholeTime;
  }

  close(): void {
    this.unfollow?.();
    this.cancelExpiry?.();
    this.all.clear();
    this.account.close();
  }

  /** The series of a path, made when it is not there. */
  private of(path: string): Series {
    const { source, clock } = this.registry;
    const known = this.all.get(path);
    const series = known ?? {
      reference: new Reference(source, path),
      pyramid: new Pyramid(),
      cycles: [],
      everyTicks: 1,
      tickMillis: NOT_KNOWN,
      lastCycle: NO_CYCLE,
      lastWantedMillis: 0,
      jumps: source.frame.header.jumps,
    };
    series.lastWantedMillis = clock.nowMillis();
    if (known) return known;
    this.all.set(path, series);
    this.unfollow ??= source.onFrame((frame) => this.take(frame));
    this.expireLater();
    this.taken ??= source.frame.header.clockSeconds;
    if (source.frame.header.number > 0 && source.frame.showsAll([series.reference])) sample(series, source.frame);
    return series;
  }

  /** Forgets series that nobody plots, the longest unwanted first. Throws a HistoryError when that is not enough. */
  private makeRoom(paths: readonly string[]): void {
    const isNew = (path: string): boolean => !this.all.has(path);
    const missing = this.all.size + paths.filter(isNew).length - MOST_SERIES;
    if (missing <= 0) return;
    const unplotted = [...this.all].filter(([path, { cycles }]) => cycles.length === 0 && !paths.includes(path));
    if (unplotted.length < missing)
      throw new HistoryError(`the past of ${MOST_SERIES} variables is kept already; unsubscribe from some of them`);
    unplotted.sort(([, one], [, other]) => one.lastWantedMillis - other.lastWantedMillis);
    for (const [path] of unplotted.slice(0, missing)) this.all.delete(path);
  }

  private letGo(path: string, cycle: number): void {
    const series = this.all.get(path);
    if (!series) return;
    series.cycles.splice(series.cycles.indexOf(cycle), 1);
    series.tickMillis = NOT_KNOWN;
    series.lastWantedMillis = this.registry.clock.nowMillis();
  }

  private expireLater(): void {
    this.cancelExpiry ??= this.registry.clock.after(LINGER_MILLIS / 5, () => {
      this.cancelExpiry = undefined;
      this.expire();
    });
  }

  private expire(): void {
    const nowMillis = this.registry.clock.nowMillis();
    for (const [path, { cycles, lastWantedMillis }] of this.all)
      if (cycles.length === 0 && nowMillis - lastWantedMillis >= LINGER_MILLIS) this.all.delete(path);
    if (this.all.size > 0) this.expireLater();
    else {
      this.unfollow?.();
      this.unfollow = undefined;
      this.taken = undefined;
    }
  }

  /** Takes the samples of a frame, and of the frames that wait before it, when the server's own work gets its turn. */
  private take(frame: Frame): Promise<void> | undefined {
    if (frame.header.reason === Reason.scheduled) return undefined;
    const count = this.waiting.push(frame.header.number);
    // The ring has none of the others any more.
    if (count > MOST_SLOTS) this.waiting.shift();
    if (count > 1) return undefined;
    const taken = this.registry.turns.dueSteps(this.account, () => this.sampleNext());
    return taken && untilBegun([taken]);
  }

  private sampleNext(): boolean {
    const { source } = this.registry;
    const number = this.waiting.shift() as number;
    const frame = number === source.frame.header.number ? source.frame : source.past(number);
    try {
      if (frame) this.sampleAll(frame);
    } catch (error) {
      this.waiting.length = 0;
      throw error;
    }
    return this.waiting.length > 0;
  }

  private sampleAll(frame: Frame): void {
    const tickMillis = tickMillisOf(frame.header);
    this.taken = frame.header.clockSeconds;
    for (const series of this.all.values()) {
      if (!isDue(series, frame, tickMillis)) continue;
      if (frame.showsAll([series.reference])) sample(series, frame);
      // The next frame that has the value is taken instead.
      else series.lastCycle = NO_CYCLE;
    }
  }
}

const isNumber = ({ current }: Reference): boolean =>
  current !== undefined && ['number', 'bits', 'enumeration'].includes(current.type.kind);

/** Whether a cycle begins with the frame, or time stands still, as in a freeze, or has jumped, as with a checkpoint. */
function isDue(series: Series, { header }: Frame, tickMillis: number): boolean {
  if (series.tickMillis !== tickMillis) {
    const wanted = series.cycles.length === 0 ? ASKED_CYCLE_MILLIS : Math.min(...series.cycles);
    series.everyTicks = frameCadence(wanted, tickMillis).everyTicks;
    series.tickMillis = tickMillis;
  }
  const cycle = Math.floor(header.tick / series.everyTicks);
  const isElsewhere = header.jumps !== series.jumps || header.clockSeconds <= (series.pyramid.lastTime ?? 0);
  const isDue = cycle !== series.lastCycle || isElsewhere;
  series.lastCycle = cycle;
  return isDue;
}

function sample(series: Series, frame: Frame): void {
  const { reference, pyramid } = series;
  const value = reference.read(frame);
  const { clockSeconds, jumps } = frame.header;
  if (jumps !== series.jumps) pyramid.addJump(clockSeconds, tickMillisOf(frame.header) / 1000);
  series.jumps = jumps;
  if (typeof value === 'number') pyramid.add(clockSeconds, value);
  else if (typeof value === 'bigint' || typeof value === 'boolean') pyramid.add(clockSeconds, Number(value));
  else pyramid.addGap(clockSeconds);
}
