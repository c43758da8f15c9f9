// A source that is not a simulation: a CSV file of telemetry, each row served at its own time, which clients can play.
//   node build/sims/telemetry.js flight.csv
import { pathToFileURL } from 'node:url';
import { type Feed, feed, type Playback, serveSource } from 'varwire';
import { readTable } from './telemetry-file.js';

/** Names that begin with trick_ are those of Trick's own variables, which every source has. */
const OWN_OBJECT = /^(?!trick_)(\w+)\.(.+)$/;

/** When more rows than this are due at once, only the latest of them are shown. */
const MOST_AT_ONCE = 100;
const LONGEST_SLEEP_MILLIS = 60_000;

/**
 * All columns of the file but its time as variables: by their own names where these have dots, as in recordings, else as
 * `telemetry.<name>`. `replay` runs it, and resolves when it has come to its end for the first time; then it stands
 * still, and clients may go back.
 */
export function telemetry(file: string): { readonly source: Feed; readonly replay: () => Promise<void> } {
  const { times: shown, columns } = readTable(file);
  // The time of a feed begins at 0; that of a countdown does not.
  const origin = Math.min(0, shown[0] ?? 0);
  const times = shown.map((seconds) => seconds - origin);
  const setters: ((row: number) => void)[] = [];

  function show(row: number): boolean {
    for (const set of setters) set(row);
    return source.publish(times[row] ?? 0);
  }
  const playback = new Replay(times, show, () => source.freeze());

  const steps = times.map((seconds, index) => seconds - (times[index - 1] ?? seconds));
  const frameSeconds = steps.find((step) => step > 0) ?? 1;
  const clock = { label: 'time', seconds: (seconds: number) => seconds + origin };
  const options = { name: 'telemetry', what: 'a file of telemetry', frameSeconds, file, playback };
  const source = feed(origin < 0 ? { ...options, clock } : options, (objects) => {
    for (const { path, declared, cells } of columns) {
      const [, object = 'telemetry', component = path] = OWN_OBJECT.exec(path) ?? [];
      const view: { value: unknown } | unknown[] = objects.object(object).component(component, declared);
      setters.push((row) => {
        if ('value' in view) view.value = cells[row];
        else Object.assign(view, cells[row]);
      });
    }
  });
  return { source, replay: () => playback.start() };
}

/** Shows rows when they are due, and lets clients play them. */
class Replay implements Playback {
  private shown = -1;
  private rate = 1;
  private timer: NodeJS.Timeout | undefined;
  private ended = (): void => {};

  /**
   * @param times of the rows, in seconds.
   * @param show shows a row; false when nobody is served any more.
   * @param atEnd called when the last row is shown.
   */
  constructor(
    private readonly times: readonly number[],
    private readonly show: (row: number) => boolean,
    private readonly atEnd: () => void,
  ) {}

  get firstSeconds(): number {
    return this.secondsOf(0);
  }

  get lastSeconds(): number {
    return this.secondsOf(this.last);
  }

  /** Begins with the first row. Resolves when the last one is shown, or when nobody is served any more. */
  start(): Promise<void> {
    return new Promise((resolve) => {
      this.ended = resolve;
      this.goOn();
    });
  }

  run(rate: number): void {
    this.rate = rate;
    if (this.shown === this.last) this.showRow(0);
    this.goOn();
  }

  freeze(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  seek(seconds: number): void {
    this.showRow(this.rowAt(seconds));
    if (this.timer) this.goOn();
  }

  private get last(): number {
    return this.times.length - 1;
  }

  private secondsOf(row: number): number {
    return this.times[row] ?? 0;
  }

  private showRow(row: number): boolean {
    this.shown = row;
    return this.show(row);
  }

  /** The last row that is not later, found by bisection because every client may seek. */
  private rowAt(seconds: number): number {
    let [low, high] = [0, this.last];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.secondsOf(middle) <= seconds) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Shows each row when it is due, beginning with the one after the row that is shown. */
  private goOn(): void {
    clearTimeout(this.timer);
    const from = this.secondsOf(Math.max(this.shown, 0));
    const startMillis = performance.now();
    const showDue = (): void => {
      const seconds = from + ((performance.now() - startMillis) / 1000) * this.rate;
      if (!this.showUpTo(seconds)) {
        this.ended();
        return;
      }
      if (this.shown === this.last) {
        this.timer = undefined;
        this.atEnd();
        this.ended();
        return;
      }
      const sleepMillis = (1000 * (this.secondsOf(this.shown + 1) - seconds)) / this.rate;
      this.timer = setTimeout(showDue, Math.min(sleepMillis, LONGEST_SLEEP_MILLIS));
    };
    showDue();
  }

  /** False when nobody is served any more. */
  private showUpTo(seconds: number): boolean {
    let due = this.shown;
    while (due < this.last && this.secondsOf(due + 1) <= seconds) due++;
    for (let row = Math.max(this.shown + 1, due - MOST_AT_ONCE + 1); row <= due; row++)
      if (!this.showRow(row)) return false;
    return true;
  }
}

const [, program = '', file] = process.argv;
if (file !== undefined && import.meta.url === pathToFileURL(program).href) {
  const { source, replay } = telemetry(file);
  const { port } = await serveSource(source, { port: 7000 });
  console.log(`${file} is served on port ${port}: http://127.0.0.1:${port}/`);
  await replay();
}
