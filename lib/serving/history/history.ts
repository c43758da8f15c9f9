// The past of what is plotted, from its first plotting on, in bounded memory; and of what is named, from the start.
import { Reason } from '../../model/frame/header.js';
import type { Frame } from '../../model/frame/reader.js';
import { MOST_SLOTS } from '../../model/frame/ring.js';
import type { Extent, PastPoints } from '../../model/points/points.js';
import { isCharacters } from '../../model/state/type.js';
import { childrenOf, type Variable } from '../../model/state/variable.js';
import type { RecordedPast } from '../../source/source.js';
import type { Account } from '../scheduling/account.js';
import { untilBegun } from '../session/client-frames.js';
import { tickMillisOf } from '../session/frame-cadence.js';
import { findVariable, Reference } from '../session/reference.js';
import type { SessionRegistry } from '../session/registry.js';
import { filled } from './derived-past.js';
import type { Pyramid } from './pyramid.js';
import { Series, Wanted } from './series.js';

/** The most series that are kept; those that somebody plots, or that are named, stay. */
const MOST_SERIES = 800;
/** A series has the whole past in so much memory, also of years. */
const LEAST_SERIES_BYTES = 160_000;
/** How long a series that was only asked for is kept after that. */
const LINGER_MILLIS = 300_000;
/** The longest cycle of a series with subscriptions. */
const LONGEST_CYCLE_MILLIS = 1000;
const DEFAULT_SECONDS = 600;
const DEFAULT_BYTES = 256e6;
/** Memory is counted after so many frames, and made free for those that come until the next time. */
const COUNTED_FRAMES = 64;
const FREED_SHARE = 1 / 16;

/** There is no room for more variables, or a variable is not one number or text; the message is one sentence. */
export class HistoryError extends Error {
  override readonly name = 'HistoryError';
}

export interface HistoryOptions {
  /** How long all samples are kept as they came, in seconds of the simulation's clock; 0 keeps no past. Default 600. */
  readonly historySeconds?: number;
  /** Memory of all that is kept. Default 256 MB. */
  readonly historyBytes?: number;
  /** Variables whose past is kept from the start, besides those that the simulation names. */
  readonly keep?: readonly string[];
}

/** The past that a server keeps; undefined for none. Throws a HistoryError when it keeps none of what `keep` names. */
export function openHistory(registry: SessionRegistry, options: HistoryOptions): History | undefined {
  const [named] = options.keep ?? [];
  if (options.historySeconds === 0 && named !== undefined)
    throw new HistoryError(`the past of ${named} cannot be kept: the history is off`);
  if (options.historySeconds === 0) return undefined;
  const history = new History(registry, options);
  history.keepAlways([...(registry.source.info.keep ?? []), ...(options.keep ?? [])]);
  return history;
}

export class History {
  private readonly keptSeconds: number;
  private readonly mostBytes: number;
  private readonly mostSeries: number;
  private readonly all = new Map<string, Series>();
  private readonly account: Account;
  private unfollow: (() => void) | undefined;
  private cancelExpiry: (() => void) | undefined;
  private taken: number | undefined;
  private uncounted = 0;
  /** Numbers of frames whose samples are not taken yet. */
  private readonly waiting: number[] = [];

  constructor(
    private readonly registry: SessionRegistry,
    { historySeconds = DEFAULT_SECONDS, historyBytes = DEFAULT_BYTES }: HistoryOptions = {},
  ) {
    this.keptSeconds = historySeconds;
    this.mostBytes = historyBytes;
    this.mostSeries = Math.min(MOST_SERIES, Math.floor(historyBytes / LEAST_SERIES_BYTES));
    this.account = registry.ledger.open('history');
  }

  /** How long every value is kept; of what is in files, all are. */
  get wholeSeconds(): number {
    return Math.max(this.keptSeconds, this.recorded?.seconds ?? 0);
  }

  /** What lies in files, and is not kept here. */
  private get recorded(): RecordedPast | undefined {
    return this.registry.source.recorded;
  }

  /** Time of the latest frame that samples were taken of, by the simulation's clock: now, or a few ticks ago. */
  get takenSeconds(): number {
    return this.taken ?? this.registry.source.frame.header.clockSeconds;
  }

  get names(): readonly string[] {
    return [...this.all.keys()];
  }

  /** Memory of all that is kept. */
  get bytes(): number {
    return [...this.all.values()].reduce((sum, { pyramid, texts }) => sum + pyramid.bytes + texts.bytes, 0);
  }

  extent(name: string): Extent | undefined {
    return this.inFiles(name)?.extent(name) ?? this.all.get(name)?.pyramid.extent;
  }

  /** What has the past of a path in its files: what is played, or a recording beside a simulation. */
  private inFiles(path: string): RecordedPast | undefined {
    const { references } = this.registry.source;
    return [this.recorded, references?.recorded].find((past) => past?.has(path));
  }

  /** Whether the past of a path is a file, whose end is no time of the source. */
  isRecorded(path: string): boolean {
    return this.inFiles(path) !== undefined;
  }

  /**
   * At most `most` points of a stretch of time, both ends included: all values, or the least and the greatest of each part of
   * the stretch, at their times. Resolves with undefined for what has no past; rejects with a RequestError for a file that
   * cannot be read.
   */
  async points(name: string, from: number, to: number, most: number): Promise<PastPoints | undefined> {
    const file = this.inFiles(name);
    if (file) return file.points(name, from, to, most);
    const series = this.all.get(name);
    return series && { ...series.pyramid.points(from, to, most), texts: series.texts.all };
  }

  /**
   * Keeps the numbers among these variables, or in them, with what the ring has of them. Throws an UnknownVariableError, a
   * WriteOnlyError, or a HistoryError for what has none and when there is no room.
   */
  keepAlways(names: readonly string[]): void {
    const paths: string[] = [];
    for (const name of names) {
      const numbers = [...numbersIn(findVariable(this.registry.source, name))].map(({ path }) => path);
      if (numbers.length === 0) throw new HistoryError(`${name} has no number whose past could be kept`);
      paths.push(...numbers.filter((path) => !this.isRecorded(path)));
    }
    if (paths.length === 0) return;
    this.makeRoom(paths);
    const all = [...new Set(paths)].map((path) => this.of(path, []));
    for (const frame of this.ringed()) for (const series of all) series.takeFirst(frame);
    for (const series of all) series.name();
  }

  /** The frames so far that the ring has: a simulation runs before its server has begun to listen. Borrowed each until the next. */
  private *ringed(): Generator<Frame> {
    const { source } = this.registry;
    const { number: latest } = source.frame.header;
    for (let number = Math.max(1, latest - MOST_SLOTS); number < latest; number++) {
      const frame = source.past(number);
      if (frame && frame.header.reason !== Reason.scheduled) yield frame;
    }
    yield source.frame;
  }

  /**
   * Keeps the single numbers and texts among these until the returned function is called, and on, as long as there is room. Throws an
   * OverBoundError or a HistoryError, and keeps nothing.
   */
  keep(account: Account, references: readonly Reference[], cycleMillis: number): () => void {
    const kept = references.filter((each) => isKept(each) && !this.isRecorded(each.path));
    const paths = [...new Set(kept.map(({ path }) => path))];
    account.take('historySeries', paths.length);
    const cycle = Math.min(cycleMillis, LONGEST_CYCLE_MILLIS);
    try {
      this.makeRoom(paths);
    } catch (error) {
      account.give('historySeries', paths.length);
      throw error;
    }
    const all = paths.map((path) => this.of(path));
    for (const series of all) series.begin(cycle);
    return () => {
      account.give('historySeries', paths.length);
      for (const series of all) {
        series.end(cycle);
        series.lastWantedMillis = this.registry.clock.nowMillis();
      }
    };
  }

  /** Keeps a variable for a while, if nobody plots it. Throws a HistoryError. */
  ask(reference: Reference): void {
    if (!isKept(reference)) {
      throw new HistoryError(`${reference.alias} is not one number or text: ask for an element or a member of it`);
    }
    if (this.isRecorded(reference.path)) return;
    this.makeRoom([reference.path]);
    this.of(reference.path);
  }

  close(): void {
    this.unfollow?.();
    this.cancelExpiry?.();
    for (const path of this.all.keys()) this.forget(path);
    this.account.close();
  }

  private forget(path: string): void {
    this.all.get(path)?.forget();
    this.all.delete(path);
  }

  /** The series of a path, in its own units, made of these frames when it is not there. */
  private of(path: string, frames: readonly Frame[] = [this.registry.source.frame]): Series {
    const { source, clock } = this.registry;
    const known = this.all.get(path);
    const series = known ?? new Series(new Reference(source, path), this.keptSeconds, source.frame.header.jumps);
    series.lastWantedMillis = clock.nowMillis();
    if (known) return known;
    this.all.set(path, series);
    this.unfollow ??= source.onFrame((frame) => this.take(frame));
    this.expireLater();
    this.taken ??= source.frame.header.clockSeconds;
    series.filling = this.fill(series)?.finally(() => {
      series.filling = undefined;
    });
    if (series.filling) return series;
    for (const frame of frames) series.takeFirst(frame);
    return series;
  }

  /** Fills a series with what is known of the time before; undefined when nothing is. */
  private fill(series: Series): Promise<void> | undefined {
    const { signal, path } = series.reference;
    if (!signal) return this.registry.source.earlier?.(path).then((earlier) => earlier && series.takeEarlier(earlier));
    const inputs = new Map<string, Pyramid>();
    for (const input of signal.inputs) {
      const pyramid = this.all.get(input.path)?.pyramid;
      if (pyramid?.lastTime === undefined) return undefined;
      inputs.set(input.path, pyramid);
    }
    if (!signal.beginFilling()) return undefined;
    const past = { signal, inputs, into: series.pyramid };
    const isWanted = (): boolean => this.all.get(path) === series;
    const { turns } = this.registry;
    return filled(past, isWanted, () => turns.turn(this.account))
      .catch((error: unknown) => turns.failed(error))
      .finally(() => signal.endFilling());
  }

  /** Resolves when the past of these is there, as far as it is known. */
  async settled(references: readonly Pick<Reference, 'path'>[]): Promise<void> {
    const paths = references.map(({ path }) => path);
    const files = new Set(paths.map((path) => this.inFiles(path)));
    await Promise.all([
      ...paths.map((path) => this.all.get(path)?.filling),
      ...[...files].map((file) => file?.prepare(paths.filter((path) => file.has(path)))),
    ]);
  }

  /** Forgets series that nobody plots, first those that nobody has, the longest unwanted first. Throws a HistoryError. */
  private makeRoom(paths: readonly string[]): void {
    const isNew = (path: string): boolean => !this.all.has(path);
    const missing = this.all.size + paths.filter(isNew).length - this.mostSeries;
    if (missing <= 0) return;
    const unplotted = [...this.all].filter(([path, { wanted }]) => wanted < Wanted.plotted && !paths.includes(path));
    if (unplotted.length < missing)
      throw new HistoryError(`the past of ${this.mostSeries} variables is kept already; unsubscribe from some of them`);
    unplotted.sort(([, one], [, other]) => one.wanted - other.wanted || one.lastWantedMillis - other.lastWantedMillis);
    for (const [path] of unplotted.slice(0, missing)) this.forget(path);
  }

  private expireLater(): void {
    this.cancelExpiry ??= this.registry.clock.after(LINGER_MILLIS / 5, () => {
      this.cancelExpiry = undefined;
      this.expire();
    });
  }

  private expire(): void {
    const nowMillis = this.registry.clock.nowMillis();
    for (const [path, { wanted, lastWantedMillis }] of this.all)
      if (wanted === Wanted.asked && nowMillis - lastWantedMillis >= LINGER_MILLIS) this.forget(path);
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
    for (const series of this.all.values()) series.take(frame, tickMillis);
    if (++this.uncounted < COUNTED_FRAMES) return;
    this.uncounted = 0;
    if (this.bytes > (1 - FREED_SHARE) * this.mostBytes) this.shrink((1 - 2 * FREED_SHARE) * this.mostBytes);
  }

  /** Frees memory of the series that have more than the others; those below their equal share keep all. */
  private shrink(bytes: number): void {
    const sorted = [...this.all.values()].map(({ pyramid }) => pyramid).sort((one, other) => one.bytes - other.bytes);
    let left = bytes;
    for (const [index, pyramid] of sorted.entries()) {
      pyramid.shrink(left / (sorted.length - index));
      left -= pyramid.bytes;
    }
  }
}

/** A single one, with or without a fixed size. */
export const isText = ({ type }: Variable): boolean => type.kind === 'text' || isCharacters(type);

const isNumberVariable = ({ type }: Variable): boolean => ['number', 'bits', 'enumeration'].includes(type.kind);

const isKept = ({ current }: Reference): boolean =>
  current !== undefined && (isNumberVariable(current) || isText(current));

function* numbersIn(variable: Variable): Generator<Variable> {
  if (isNumberVariable(variable)) yield variable;
  else for (const child of childrenOf(variable)) yield* numbersIn(child);
}
