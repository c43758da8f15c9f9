// What the bounds of the transport held back: counted always, said at most once a second.

const SAY_EVERY_MILLIS = 1000;

/** The bounds, as /metrics names them. */
export const BOUNDS = ['connections', 'connections_by_address', 'request_bodies', 'silent_peers', 'datagrams'] as const;
export type Bound = (typeof BOUNDS)[number];

export class HeldBack {
  private readonly counts = new Map<Bound, number>();
  private saidMillis = Number.NEGATIVE_INFINITY;

  /** @param say hears one sentence for the log, the first of each second. */
  constructor(
    private readonly say: (sentence: string) => void = () => {},
    private readonly nowMillis: () => number = () => performance.now(),
  ) {}

  count(bound: Bound): number {
    return this.counts.get(bound) ?? 0;
  }

  /** Somebody met a bound; without a sentence it is only counted. */
  note(bound: Bound, sentence?: string): void {
    this.counts.set(bound, this.count(bound) + 1);
    const nowMillis = this.nowMillis();
    if (sentence === undefined || nowMillis - this.saidMillis < SAY_EVERY_MILLIS) return;
    this.saidMillis = nowMillis;
    this.say(sentence);
  }
}
