// Whether other programs compute on this machine, so that what is measured is not the server alone.
import { existsSync, readFileSync } from 'node:fs';

const SAMPLE_MILLIS = 20;
const FILE = '/proc/loadavg';
/** On average: the one that looks always runs, and a server that nobody attacks does for a moment while it starts. */
const MOST_RUNNABLE = 2;

/** Counts what is runnable until it is stopped. */
export class Busy {
  private readonly timer: NodeJS.Timeout;
  private samples = 0;
  private sum = 0;

  /** @param text what the system says of its load, as in Linux's /proc/loadavg. */
  constructor(private readonly text: () => string = loadText) {
    this.timer = setInterval(() => this.sample(), SAMPLE_MILLIS);
  }

  sample(): void {
    const runnable = / (\d+)\/\d+ /.exec(this.text())?.[1];
    if (runnable === undefined) return;
    this.samples++;
    this.sum += Number(runnable);
  }

  /** Returns whether others have computed for about half of the time; false where the system does not say. */
  stop(): boolean {
    clearInterval(this.timer);
    return this.samples > 0 && this.sum >= MOST_RUNNABLE * this.samples;
  }
}

const loadText = (): string => (existsSync(FILE) ? readFileSync(FILE, 'latin1') : '');
