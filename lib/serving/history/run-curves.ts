// Curves over the whole time of runs: a variable or an expression, shifted and scaled, or less that of another run.
import type { Variable } from '../../model/state/variable.js';
import { exactConverter } from '../../model/units/index.js';
import { type Compiled, compile, type FormulaRow } from '../../source/derived/compile.js';
import { isExpression } from '../../source/derived/signals.js';
import type { Source } from '../../source/source.js';
import { unitOf } from '../session/own-units.js';
import { findBeside, Reference } from '../session/reference.js';
import { type History, HistoryError, isText } from './history.js';
import { Pyramid } from './pyramid.js';
import { RowReader } from './row-reader.js';

/** What is drawn of one run. */
export interface CurveTerm {
  /** The object of the run; empty for a source that is one run. */
  readonly run: string;
  /** A path below the run, or an expression of such paths. */
  readonly name: string;
  readonly units?: string | undefined;
  /** What the values are in, where that is not what the source says. */
  readonly fromUnits?: string | undefined;
  /** The value that is drawn is the value in these units, times scale, plus bias. */
  readonly scale: number;
  readonly bias: number;
  /** By how much later it is drawn. */
  readonly shiftSeconds: number;
}

export interface CurveWish extends CurveTerm {
  /** This is taken off, at the times of the first. */
  readonly minus?: CurveTerm | undefined;
}

export interface CurvePoints {
  readonly times: readonly number[];
  readonly values: readonly (number | null)[];
  readonly units: string;
  /** Whether a value holds until the next one. */
  readonly isHeld: boolean;
  /** How far it reaches; undefined without rows. */
  readonly from: number | undefined;
  readonly to: number | undefined;
  /** As of PastPoints. */
  readonly stretchSeconds: number;
  readonly isSampled?: boolean | undefined;
}

/** Computed curves that are kept, and the memory of each. */
const MOST_COMPUTED = 48;
const COMPUTED_BYTES = 2_000_000;
/** So many rows are computed again for a stretch in which a kept curve is thinned. */
const MOST_AGAIN = 20_000;
/** Rows between two turns. */
const ROWS_AT_ONCE = 256;

type Turn = () => Promise<void>;

/** A term that is understood. */
interface Term {
  readonly wish: CurveTerm;
  readonly compiled: Compiled;
  /** A single variable, which needs nothing computed. */
  readonly variable: Variable | undefined;
  readonly units: string;
  readonly convert: (value: number) => number;
}

interface Computed {
  readonly pyramid: Pyramid;
  done: Promise<void>;
  /** Up to which time of its first variable it is computed. */
  upTo: number;
}

export class RunCurves {
  private readonly computed = new Map<string, Computed>();
  private catalogVersion: number;

  constructor(
    private readonly source: Source,
    private readonly history: History,
  ) {
    this.catalogVersion = source.catalog.version;
  }

  /** Has the files of all that these need read together. What is wrong with one of them, `points` tells. */
  async prepare(wishes: readonly CurveWish[]): Promise<void> {
    const variables = wishes.flatMap((wish) => {
      try {
        return [this.termOf(wish), ...(wish.minus ? [this.termOf(wish.minus)] : [])].flatMap(
          (term) => term.compiled.inputs,
        );
      } catch {
        return [];
      }
    });
    const recorded = variables.filter(({ path }) => this.history.isRecorded(path));
    await this.history.settled(recorded).catch(() => undefined);
  }

  /**
   * At most about `most` points of a stretch of time. Rejects with an UnknownVariableError, an ExpressionError, a UnitsError
   * or a HistoryError.
   */
  async points(wish: CurveWish, from: number, to: number, most: number, turn: Turn): Promise<CurvePoints> {
    const term = this.termOf(wish);
    const minus = wish.minus && this.termOf(wish.minus, term.units);
    await this.ask([...term.compiled.inputs, ...(minus?.compiled.inputs ?? [])]);
    if (term.variable && !minus) return this.plain(term, term.variable, from, to, most);
    const kept = await this.keptOf(wish, term, minus, turn);
    const found = kept.points(from, to, most);
    const { extent } = kept;
    const answer = { ...found, units: term.units, isHeld: false, from: extent?.from, to: extent?.to };
    // A stretch that is shorter than those that are thinned may have no point of theirs.
    const isWhole = extent === undefined || extent.wholeFrom <= Math.max(from, extent.from);
    if (isWhole || found.times.length >= most / 2) return answer;
    const again = await this.exact(term, minus, from, to, most, turn);
    return again ? { ...answer, ...again } : answer;
  }

  private termOf(wish: CurveTerm, alike?: string): Term {
    const { run, name, units, fromUnits, scale, bias } = wish;
    const find = (path: string): Variable => findBeside(this.source, run === '' ? path : `${run}.${path}`);
    const isComputed = isExpression(name);
    const compiled = compile(isComputed ? name.slice(1) : name, find);
    const own =
      fromUnits ??
      (compiled.inputs.length === 1 && !isComputed ? unitOf(compiled.inputs[0] as Variable) : compiled.units);
    const wanted = units ?? (alike !== undefined && !isPlain(own) && !isPlain(alike) ? alike : own);
    const { convert } = exactConverter(own, wanted);
    return {
      wish,
      compiled,
      variable: isComputed ? undefined : compiled.inputs[0],
      units: wanted,
      convert: (value) => convert(value) * scale + bias,
    };
  }

  /** Asks for the past of these, and waits until there is all that is known. */
  private async ask(variables: readonly Variable[]): Promise<void> {
    const text = variables.find(isText);
    if (text) throw new HistoryError(`${text.path} is a text`);
    for (const { path } of variables)
      if (!this.history.isRecorded(path)) this.history.ask(new Reference(this.source, path));
    await this.history.settled(variables);
  }

  private async plain(term: Term, variable: Variable, from: number, to: number, most: number): Promise<CurvePoints> {
    const { path } = variable;
    const { shiftSeconds } = term.wish;
    const found = await this.history.points(path, from - shiftSeconds, to - shiftSeconds, most);
    const extent = this.history.extent(path);
    return {
      times: shiftSeconds === 0 ? (found?.times ?? []) : (found?.times ?? []).map((time) => time + shiftSeconds),
      values: (found?.values ?? []).map((value) => (value === null ? null : term.convert(value))),
      units: term.units,
      isHeld: isHeld(variable),
      from: extent && extent.from + shiftSeconds,
      to: extent && extent.to + shiftSeconds,
      stretchSeconds: found?.stretchSeconds ?? 0,
      isSampled: found?.isSampled,
    };
  }

  /** The curve as far as there are rows now; several who ask for it wait for one computation. */
  private async keptOf(wish: CurveWish, term: Term, minus: Term | undefined, turn: Turn): Promise<Pyramid> {
    const { version } = this.source.catalog;
    if (version !== this.catalogVersion) this.computed.clear();
    this.catalogVersion = version;
    const key = JSON.stringify(wish);
    const now = this.history.extent((term.compiled.inputs[0] as Variable).path)?.to ?? Number.NEGATIVE_INFINITY;
    const known = this.computed.get(key);
    // Functions over rows know those before only while they go on; so a curve that has grown is computed again.
    if (known !== undefined && known.upTo >= now && (await isDone(known))) return known.pyramid;
    const kept = this.begun(term, minus, now, turn);
    this.computed.delete(key);
    this.computed.set(key, kept);
    for (const oldest of this.computed.keys()) if (this.computed.size > MOST_COMPUTED) this.computed.delete(oldest);
    await kept.done;
    return kept.pyramid;
  }

  private begun(term: Term, minus: Term | undefined, upTo: number, turn: Turn): Computed {
    const pyramid = new Pyramid();
    let rows = 0;
    const add = (seconds: number, value: number): void => {
      pyramid.add(seconds, value);
      if (++rows % MOST_AGAIN === 0) pyramid.shrink(COMPUTED_BYTES);
    };
    const [from, to] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
    return { pyramid, upTo, done: this.compute(term, minus, from, to, add, turn) };
  }

  /** Every row of a stretch; undefined where there are too many, and where a row needs those before the stretch. */
  private async exact(
    term: Term,
    minus: Term | undefined,
    from: number,
    to: number,
    most: number,
    turn: Turn,
  ): Promise<Pick<CurvePoints, 'times' | 'values' | 'stretchSeconds'> | undefined> {
    if ([term, minus].some((each) => (each?.compiled.overRows.length ?? 0) > 0)) return undefined;
    const { path } = term.compiled.inputs[0] as Variable;
    const { shiftSeconds } = term.wish;
    const rows = await this.history.points(path, from - shiftSeconds, to - shiftSeconds, MOST_AGAIN);
    if (!rows || rows.stretchSeconds > 0) return undefined;
    const pyramid = new Pyramid();
    await this.compute(term, minus, from, to, (seconds, value) => pyramid.add(seconds, value), turn);
    return pyramid.points(from, to, most);
  }

  private async compute(
    term: Term,
    minus: Term | undefined,
    from: number,
    to: number,
    take: (seconds: number, value: number) => void,
    turn: Turn,
  ): Promise<void> {
    const rows = this.readersOf(term, from);
    const others = minus && this.readersOf(minus, from);
    const [first] = term.compiled.inputs;
    if (!first) return;
    const main = this.readerOf(first, term.wish, from, to);
    rows.delete(first.path);
    const [beside, besideOther] = [[...rows.values()], [...(others?.values() ?? [])]];
    rows.set(first.path, main);
    const { shiftSeconds } = term.wish;
    const otherShift = minus?.wish.shiftSeconds ?? 0;
    for (const each of [term, minus]) for (const over of each?.compiled.overRows ?? []) over.reset();
    while (!main.isOver) {
      const before = await main.readOn();
      const times = main.times.slice(before);
      for (const [index, seconds] of times.entries()) {
        if (index % ROWS_AT_ONCE === 0) await turn();
        const time = seconds + shiftSeconds;
        if (areBefore(beside, seconds)) await readTo(beside, seconds, turn);
        if (areBefore(besideOther, time - otherShift)) await readTo(besideOther, time - otherShift, turn);
        const value = valueAt(term, rows, seconds);
        take(time, minus && others ? value - valueAt(minus, others, time - otherShift) : value);
      }
    }
  }

  /** They have no end, as the last value lies between a row in the stretch and one after it. */
  private readersOf({ compiled, wish }: Term, from: number): Map<string, RowReader> {
    return new Map(
      compiled.inputs.map((input) => [input.path, this.readerOf(input, wish, from, Number.POSITIVE_INFINITY)]),
    );
  }

  private readerOf(input: Variable, { shiftSeconds }: CurveTerm, from: number, to: number): RowReader {
    return new RowReader(this.history, input, isHeld(input), from - shiftSeconds, to - shiftSeconds);
  }
}

const areBefore = (readers: readonly RowReader[], seconds: number): boolean =>
  readers.some((reader) => reader.isBefore(seconds));

/** Has them read on until there are rows behind a time, or no more. */
async function readTo(readers: readonly RowReader[], seconds: number, turn: Turn): Promise<void> {
  for (const reader of readers)
    while (reader.isBefore(seconds)) {
      await turn();
      await reader.readTowards(seconds);
    }
}

/** False when the client has gone for whom it was computed, or a file could not be read. */
const isDone = ({ done }: Computed): Promise<boolean> =>
  done.then(
    () => true,
    () => false,
  );

/** Integers, truth values and enumerations hold. */
const isHeld = ({ type }: Variable): boolean =>
  !(type.kind === 'number' && (type.name === 'double' || type.name === 'float'));

/** Units that say nothing: any other unit is taken for them. */
const isPlain = (units: string): boolean => units === '1' || units === '';

function valueAt({ compiled, convert }: Term, readers: ReadonlyMap<string, RowReader>, seconds: number): number {
  const row: FormulaRow = { seconds, valueOf: ({ path }) => (readers.get(path) as RowReader).valueAt(seconds) };
  return convert(compiled.compute(row));
}
