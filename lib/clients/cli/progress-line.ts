// How far a Monte Carlo has come: one line that is written over on a terminal, else a line at each tenth.
import type { Progress } from '../../index.js';

const BAR = 20;
/** A terminal is not written more often than a person can read. */
const REDRAW_MILLIS = 100;

interface Out {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

export interface ProgressLine {
  readonly show: (progress: Progress) => void;
  readonly end: () => void;
}

export function progressLine(out: Out, nowMillis: () => number = () => performance.now()): ProgressLine {
  let [tenth, drawnMillis, isOpen] = [0, Number.NEGATIVE_INFINITY, false];
  const show = (progress: Progress): void => {
    const { done, runs } = progress;
    if (out.isTTY) {
      if (done < runs && nowMillis() < drawnMillis + REDRAW_MILLIS) return;
      drawnMillis = nowMillis();
      isOpen = true;
      out.write(`\r${barOf(done / runs)} ${sentenceOf(progress)}\x1b[K`);
    } else if (Math.floor((10 * done) / runs) > tenth) {
      tenth = Math.floor((10 * done) / runs);
      out.write(`${sentenceOf(progress)}\n`);
    }
  };
  const end = (): void => {
    if (isOpen) out.write('\n');
    isOpen = false;
  };
  return { show, end };
}

const barOf = (part: number): string => `[${'#'.repeat(Math.floor(part * BAR)).padEnd(BAR, '.')}]`;

function sentenceOf({ done, runs, failed, runsPerSecond, remainingSeconds }: Progress): string {
  const parts = [`${done} of ${runs} runs`, `${+runsPerSecond.toPrecision(3)} a second`];
  if (failed > 0) parts.push(`${failed} failed`);
  if (done < runs) parts.push(`${Math.ceil(remainingSeconds)} s left`);
  return parts.join(', ');
}
