// The points of columns of one recording: of few rows by reading them, of many by what one pass over the file has found.
import type { PastPoints } from '../../model/points/points.js';
import { thinned } from '../../model/points/thinning.js';
import type { Column } from '../../simulation/recording/row.js';
import { addPoint, Extremes, type RowPoints } from './extremes.js';
import { type Recording, type RowBlock, valuesOf } from './recording.js';
import { Stretches } from './stretches.js';

const MOST_BUCKETS = 2 ** 16;
const LEAST_BUCKET_ROWS = 16;
/** Memory of what passes have found; what was not looked at for longest gives way. */
const MOST_BYTES = 96e6;
/** How long a pass goes on before others get their turn. */
const PIECE_MILLIS = 20;
/** Buckets of rows that are read for one answer. */
const BUCKETS_READ = 8192;
/** Different texts in an answer, and rows that are looked at for it. */
const [MOST_TEXTS, TEXT_ROWS] = [1000, 20_000];

/** Rows in which time goes on. */
interface Span {
  readonly from: number;
  readonly to: number;
}

export class RecordingPoints {
  private readonly known = new Map<Column, Extremes>();
  private readonly wanted = new Set<Column>();
  private pass: Promise<void> | undefined;
  private stretches = new Stretches();
  private isClosed = false;

  constructor(readonly recording: Recording) {
    const { overview, columns } = recording;
    if (!overview) return;
    this.stretches = overview.stretches;
    for (const [index, extremes] of overview.extremes) this.known.set(columns[index] as Column, extremes);
  }

  /** Resolves when all rows have been looked through for these columns. Rejects when the file cannot be read. */
  async prepare(columns: readonly Column[]): Promise<void> {
    const { recording } = this;
    recording.refresh();
    if (recording.rows < this.stretches.rows) this.forget();
    for (const column of columns) this.wanted.add(column);
    while (!this.isClosed && columns.some((column) => this.wanted.has(column))) {
      this.pass ??= this.lookThrough([...this.wanted]).finally(() => {
        this.pass = undefined;
      });
      await this.pass;
    }
  }

  /** As `RecordedPast.points`. */
  points(column: Column, from: number, to: number, most: number): PastPoints {
    const spans = this.spansOf(from, to);
    if (column.type.kind === 'text') return this.texts(column, spans, most);
    const rows = rowsIn(spans);
    const known = this.known.get(column);
    const into: RowPoints = { times: [], values: [] };
    const areEnough = known !== undefined && rows / known.bucketRows >= most;
    const bucketRows = Math.ceil(rows / Math.max(BUCKETS_READ, most));
    if (!areEnough && rows * this.recording.rowBytes <= this.recording.quickBytes) {
      for (const span of spans) this.read(column, span, bucketRows, into);
      return this.thinned(into, spans, bucketRows, most);
    }
    const read = known?.rows ?? 0;
    for (const span of spans) {
      this.addRow(column, span.from, into);
      if (known) this.addKnown(column, known, { from: span.from, to: Math.min(span.to, read) }, into);
      this.sample(column, { from: Math.max(span.from, read), to: span.to }, Math.ceil(rows / most), into);
      this.addRow(column, span.to - 1, into);
    }
    const isSampled = spans.some((span) => span.to > read);
    return { ...this.thinned(into, spans, known?.bucketRows ?? bucketRows, most), ...(isSampled && { isSampled }) };
  }

  close(): void {
    this.isClosed = true;
    this.recording.close();
  }

  private forget(): void {
    this.known.clear();
    this.stretches = new Stretches();
  }

  /** Reads all rows that are not known, once for all of these columns. */
  private async lookThrough(columns: readonly Column[]): Promise<void> {
    try {
      const rows = this.recording.rows;
      const all = columns
        .filter(({ type }) => type.kind !== 'text')
        .map((column) => [column, this.of(column)] as const);
      const from = Math.min(this.stretches.rows, ...all.map(([, extremes]) => extremes.rows));
      let began = performance.now();
      for (const block of this.recording.scan(from, rows)) {
        const times = this.timesOf(block);
        for (const [column, extremes] of all) {
          const first = extremes.rows - block.from;
          if (first < block.count) extremes.take(times, valuesOf(this.recording, column, block), first, block.count);
        }
        if (performance.now() - began < PIECE_MILLIS) continue;
        await new Promise((resolve) => setImmediate(resolve));
        if (this.isClosed) return;
        began = performance.now();
      }
    } finally {
      for (const column of columns) this.wanted.delete(column);
      this.makeRoom();
    }
  }

  /** What is known of a column, which becomes the one that was looked at last. */
  private of(column: Column): Extremes {
    const rows = Math.max(LEAST_BUCKET_ROWS, Math.ceil(this.recording.rows / MOST_BUCKETS));
    const extremes = this.known.get(column) ?? new Extremes(rows, MOST_BUCKETS);
    this.known.delete(column);
    this.known.set(column, extremes);
    return extremes;
  }

  private makeRoom(): void {
    let bytes = [...this.known.values()].reduce((sum, extremes) => sum + extremes.bytes, 0);
    for (const [column, extremes] of this.known) {
      if (bytes <= MOST_BYTES) return;
      if (this.wanted.has(column)) continue;
      bytes -= extremes.bytes;
      this.known.delete(column);
    }
  }

  /** The times of a block; new ones show where time goes back. */
  private timesOf(block: RowBlock): Float64Array {
    const times = valuesOf(this.recording, this.recording.time, block);
    this.stretches.take(times, Math.max(0, this.stretches.rows - block.from), block.count);
    return times;
  }

  private spansOf(from: number, to: number): Span[] {
    const { rows } = this.recording;
    const { starts } = this.stretches;
    return starts
      .map((first, index) => {
        const end = starts[index + 1] ?? rows;
        return {
          from: this.recording.firstRow(first, end, (seconds) => seconds >= from),
          to: this.recording.firstRow(first, end, (seconds) => seconds > to),
        };
      })
      .filter((span) => span.from < span.to);
  }

  private read(column: Column, { from, to }: Span, bucketRows: number, into: RowPoints): void {
    const extremes = new Extremes(bucketRows, Number.POSITIVE_INFINITY);
    for (const block of this.recording.scan(from, to)) {
      const times = valuesOf(this.recording, this.recording.time, block);
      const values = valuesOf(this.recording, column, block);
      extremes.take(times, values, Math.max(0, from - block.from), Math.min(block.count, to - block.from));
    }
    extremes.addTo(into, 0, to - from);
  }

  /** The rows of whole buckets by what is known of them, those at both ends by reading them. */
  private addKnown(column: Column, known: Extremes, { from, to }: Span, into: RowPoints): void {
    const { bucketRows } = known;
    const first = Math.min(to, Math.ceil(from / bucketRows) * bucketRows);
    const end = Math.max(first, Math.floor(to / bucketRows) * bucketRows);
    if (from < first) this.read(column, { from, to: first }, bucketRows, into);
    known.addTo(into, first, end);
    if (end < to) this.read(column, { from: end, to }, bucketRows, into);
  }

  private sample(column: Column, { from, to }: Span, step: number, into: RowPoints): void {
    for (let row = from; row < to; row += step) this.addRow(column, this.recording.handy(row), into);
  }

  private addRow(column: Column, row: number, into: RowPoints): void {
    const { recording } = this;
    addPoint(into, Number(recording.peek(recording.time, row)), Number(recording.peek(column, row)));
  }

  private thinned(points: RowPoints, spans: readonly Span[], bucketRows: number, most: number): PastPoints {
    const { times, values } = inOrder(points);
    const seconds = (times.at(-1) ?? 0) - (times[0] ?? 0);
    const stretchSeconds = bucketRows > 1 ? (bucketRows * seconds) / rowsIn(spans) : 0;
    return thinned({ times, values, stretchSeconds }, most);
  }

  /** Each time at which a text changes. */
  private texts(column: Column, spans: readonly Span[], most: number): PastPoints {
    const { recording } = this;
    const step = Math.ceil(rowsIn(spans) / TEXT_ROWS);
    const numbers = new Map<string, number>();
    const points: RowPoints = { times: [], values: [] };
    for (const { from, to } of spans)
      for (let row = from; row < to; row += step) {
        const text = `${recording.peek(column, row) ?? ''}`;
        if (!numbers.has(text) && numbers.size < MOST_TEXTS) numbers.set(text, numbers.size);
        const value = numbers.get(text) ?? Number.NaN;
        if (value !== points.values.at(-1) || row + step >= to)
          addPoint(points, Number(recording.peek(recording.time, row)), value);
      }
    const { times, values, stretchSeconds } = thinned({ ...inOrder(points), stretchSeconds: 0 }, most);
    return { times, values, stretchSeconds, texts: [...numbers.keys()], ...(step > 1 && { isSampled: true }) };
  }
}

const rowsIn = (spans: readonly Span[]): number => spans.reduce((sum, { from, to }) => sum + to - from, 0);

/** By time, where it goes back. */
function inOrder(points: RowPoints): RowPoints {
  const { times, values } = points;
  if (times.every((time, index) => index === 0 || time >= (times[index - 1] as number))) return points;
  const order = [...times.keys()].sort((one, other) => (times[one] as number) - (times[other] as number));
  return { times: order.map((index) => times[index] as number), values: order.map((index) => values[index] as number) };
}
