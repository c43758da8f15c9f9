// How fast clients may make long texts and lists: everybody waits while the collector copies those that are in use, and
// while the system takes back those that are thrown away, 0.15 ms a megabyte. docs/performance.md has what it buys.
import type { Clock } from './clock.js';

const BYTES_A_SECOND = 48 * 1024 * 1024;
const BYTES_AT_ONCE = 64 * 1024 * 1024;
/** However many clients make them, none rests longer for a piece of its work. */
const LONGEST_REST_MILLIS = 1000;
/** A client that makes no more than this never rests, whatever others make. */
const OWN_BYTES_A_SECOND = 2 * 1024 * 1024;
const OWN_BYTES_AT_ONCE = 8 * 1024 * 1024;
/** Nor do the clients of one address together with so many such parts. */
const PARTS_OF_ADDRESS = 4;
/** What a piece of work makes, roughly. */
const PIECE_BYTES = 512 * 1024;

/** Who makes bytes: a client, or all of an address that came lately. */
export interface Maker {
  /** The clients of its address; undefined where those are the maker. */
  readonly neighbours?: object;
}

/** How many bytes may be made now; negative while too many were made. */
class Allowance {
  private left: number;

  constructor(
    private readonly perSecond: number,
    private readonly atOnce: number,
    private readonly least: number,
    private sinceMillis: number,
  ) {
    this.left = atOnce;
  }

  /** Takes bytes, and returns what would be left if it could be less than the least. */
  take(bytes: number, nowMillis: number): number {
    const earned = ((nowMillis - this.sinceMillis) * this.perSecond) / 1000;
    const left = Math.min(this.atOnce, this.left + earned) - bytes;
    this.left = Math.max(this.least, left);
    this.sinceMillis = nowMillis;
    return left;
  }
}

export class MemoryPace {
  private readonly all: Allowance;
  private readonly own = new WeakMap<object, Allowance>();
  private readonly resters = new Set<() => void>();

  constructor(private readonly clock: Clock) {
    const least = (-BYTES_A_SECOND * LONGEST_REST_MILLIS) / 1000;
    this.all = new Allowance(BYTES_A_SECOND, BYTES_AT_ONCE, least, clock.nowMillis());
  }

  /** How many clients rest. */
  get resting(): number {
    return this.resters.size;
  }

  /** Counts bytes that a client has made; returns when it may go on, which may be now. */
  spend(client: Maker, bytes: number): number {
    const nowMillis = this.clock.nowMillis();
    const left = this.all.take(bytes, nowMillis);
    const hasOwn = this.ownLeft(client, bytes, nowMillis) >= 0;
    const restMillis = Math.min(LONGEST_REST_MILLIS, (-1000 * left) / BYTES_A_SECOND);
    return hasOwn ? nowMillis : nowMillis + Math.max(0, restMillis);
  }

  /** Takes bytes from the own part of a client and from those of its address; returns what the smaller has left. */
  private ownLeft(client: Maker, bytes: number, nowMillis: number): number {
    const left = this.partOf(client, 1, nowMillis).take(bytes, nowMillis);
    if (!client.neighbours) return left;
    return Math.min(left, this.partOf(client.neighbours, PARTS_OF_ADDRESS, nowMillis).take(bytes, nowMillis));
  }

  private partOf(who: object, parts: number, nowMillis: number): Allowance {
    const made = this.own.get(who);
    if (made) return made;
    const part = new Allowance(parts * OWN_BYTES_A_SECOND, parts * OWN_BYTES_AT_ONCE, 0, nowMillis);
    this.own.set(who, part);
    return part;
  }

  isOver(untilMillis: number): boolean {
    return this.millisUntil(untilMillis) <= 0;
  }

  /** Whether clients have made too much lately, and this one has nothing left of its own part. */
  isBehind(client: Maker): boolean {
    const nowMillis = this.clock.nowMillis();
    return this.all.take(0, nowMillis) < 0 && this.ownLeft(client, 0, nowMillis) < PIECE_BYTES;
  }

  /** How long a client still rests; negative when that is over. */
  millisUntil(untilMillis: number): number {
    return untilMillis - this.clock.nowMillis();
  }

  /** Calls when a client has rested. */
  rest(untilMillis: number, goOn: () => void): void {
    this.restFor(this.millisUntil(untilMillis), goOn);
  }

  restFor(millis: number, goOn: () => void): void {
    const cancel = this.clock.after(millis, () => {
      this.resters.delete(cancel);
      goOn();
    });
    this.resters.add(cancel);
  }

  /** Forgets who rests, as the server ends. */
  close(): void {
    for (const cancel of this.resters) cancel();
    this.resters.clear();
  }
}
