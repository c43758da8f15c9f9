// A source that is not a simulation: a CSV file of telemetry, each row served at its own time, which clients can play.
//   node build/sims/telemetry.js flight.csv
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { double, type Feed, feed, type Playback, serveSource } from 'varwire';

/** A column's name and units, as in `height [m]`. */
const COLUMN = /^\s*(\w+)\s*(?:\[(.*)\])?\s*$/;
/** Of rows that are due at the same time, the latest are shown. */
const MOST_AT_ONCE = 100;
const LONGEST_SLEEP_MILLIS = 60_000;

/**
 * All columns of the file but the first, which is time in seconds, as variables `telemetry.<name>`. `replay` runs it, and
 * resolves when it has come to its end for the first time; then it stands still, and clients may go back.
 */
export function telemetry(file: string): { readonly source: Feed; readonly replay: () => Promise<void> } {
  const [titles = '', ...lines] = readFileSync(file, 'utf8').trim().split('\n');
  const rows = lines.map((line) => line.split(',').map(Number));
  if (rows.length === 0) throw new Error(`${file} has no rows below its titles`);
  const secondsOf = (row: number): number => rows[row]?.[0] ?? 0;
  const last = rows.length - 1;
  let ended = (): void => {};
  const hasEnded = new Promise<void>((resolve) => {
    ended = resolve;
  });
  let shown = -1;
  let rate = 1;
  let timer: NodeJS.Timeout | undefined;

  /** False when nobody is served any more. */
  function show(row: number): boolean {
    const [seconds = 0, ...values] = rows[row] ?? [];
    for (const [index, cell] of cells.entries()) cell.value = values[index] ?? Number.NaN;
    shown = row;
    return source.publish(seconds);
  }

  /** The last row that is not later; found by halves, since every client may seek. */
  function rowAt(seconds: number): number {
    let [low, high] = [0, last];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (secondsOf(middle) <= seconds) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Shows each row when it is due, beginning with the one after that which is shown. */
  function goOn(): void {
    clearTimeout(timer);
    const from = secondsOf(Math.max(shown, 0));
    const startMillis = performance.now();
    const showDue = (): void => {
      const seconds = from + ((performance.now() - startMillis) / 1000) * rate;
      let due = shown;
      while (due < last && secondsOf(due + 1) <= seconds) due++;
      for (let row = Math.max(shown + 1, due - MOST_AT_ONCE + 1); row <= due; row++) {
        if (!show(row)) {
          ended();
          return;
        }
      }
      if (shown === last) {
        atEnd();
        return;
      }
      const sleepMillis = (1000 * (secondsOf(shown + 1) - seconds)) / rate;
      timer = setTimeout(showDue, Math.min(sleepMillis, LONGEST_SLEEP_MILLIS));
    };
    showDue();
  }

  function atEnd(): void {
    timer = undefined;
    source.freeze();
    ended();
  }

  const playback: Playback = {
    firstSeconds: secondsOf(0),
    lastSeconds: secondsOf(last),
    run(wanted) {
      rate = wanted;
      if (shown === last) show(0);
      goOn();
    },
    freeze() {
      clearTimeout(timer);
      timer = undefined;
    },
    seek(seconds) {
      show(rowAt(seconds));
      if (timer) goOn();
    },
  };

  const cells: { value: number }[] = [];
  const frameSeconds = rows.length > 1 ? secondsOf(1) - secondsOf(0) : 1;
  const source = feed({ name: 'telemetry', what: 'a file of telemetry', frameSeconds, file, playback }, (objects) => {
    const object = objects.object('telemetry');
    for (const title of titles.split(',').slice(1)) {
      const [, name = '', units = '1'] = COLUMN.exec(title) ?? [];
      cells.push(object.component(name, double({ units })));
    }
  });

  const replay = (): Promise<void> => {
    goOn();
    return hasEnded;
  };
  return { source, replay };
}

const [, program = '', file] = process.argv;
if (file !== undefined && import.meta.url === pathToFileURL(program).href) {
  const { source, replay } = telemetry(file);
  const { port } = await serveSource(source, { port: 7000 });
  console.log(`${file} is served on port ${port}: http://127.0.0.1:${port}/`);
  await replay();
}
