// Counts what the limits of the transport held back, which it logs at most once a second, and what HTTP refused.

const SAY_EVERY_MILLIS = 1000;

const BOUNDS = [
  'connections',
  'connections_by_address',
  'request_bodies',
  'far_ahead',
  'handshakes',
  'unfinished_messages',
  'silent_peers',
  'message_bytes',
  'datagrams',
  'unread',
] as const;
/** The limits by their names in /metrics. */
export type BoundName = (typeof BOUNDS)[number];

export class HeldBack {
  private readonly noted = new Map<BoundName, number>(BOUNDS.map((bound) => [bound, 0]));
  private readonly statuses = new Map<number, number>();
  private saidMillis = Number.NEGATIVE_INFINITY;

  /** @param say logs a sentence; called for the first one of each second. */
  constructor(
    private readonly say: (sentence: string) => void = () => {},
    private readonly nowMillis: () => number = () => performance.now(),
  ) {}

  /** How often each limit was met. */
  get counts(): ReadonlyMap<string, number> {
    return this.noted;
  }

  /** How often a request was refused, by the status of its answer. */
  get refusals(): ReadonlyMap<number, number> {
    return this.statuses;
  }

  count(bound: BoundName): number {
    return this.noted.get(bound) ?? 0;
  }

  /** Counts that a limit was met; with a sentence it is also logged. */
  note(bound: BoundName, sentence?: string): void {
    this.noted.set(bound, this.count(bound) + 1);
    const nowMillis = this.nowMillis();
    if (sentence === undefined || nowMillis - this.saidMillis < SAY_EVERY_MILLIS) return;
    this.saidMillis = nowMillis;
    this.say(sentence);
  }

  /** Counts an answer that is a refusal: one of a status of 400 or more. */
  answered(status: number): void {
    if (status >= 400) this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
  }
}
