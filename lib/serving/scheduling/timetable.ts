// Cadence by wall time: entries with the same cycle are called together, on a grid that does not drift.
import type { Account } from './account.js';
import type { Clock } from './clock.js';
import { type Due, DueHeap } from './due-heap.js';
import { SkippedCycles } from './skipped-cycles.js';
import type { Turns } from './turns.js';

/** Calls with the same cycle that are due at the same moments. */
interface Round extends Due {
  /** Infinity for a first call, which has a round of its own. */
  readonly cycleMillis: number;
  readonly phaseMillis: number;
  readonly entries: Set<Entry>;
}

interface Entry {
  readonly cycleMillis: number;
  readonly call: () => void;
  /** Calls when its turn has come. */
  readonly inTurn: () => void;
  /** The account of the client. A call without one runs on time, whatever other work waits. */
  readonly account: Account | undefined;
  /** What it makes together with others: equal messages, of one encoding. */
  readonly groupOf: (() => unknown) | undefined;
  round: Round;
  /** After the first call, rounds before this moment are left out. */
  notBeforeMillis: number;
  /** The call is due and waits for its turn. */
  isWaiting: boolean;
  isRemoved: boolean;
}

/** The shortest cycle; shorter requests get this one. */
const SHORTEST_MILLIS = 1;
/** A timer may fire this early; the round still counts as due. */
const EARLY_MILLIS = 0.5;
/** Phases of one cycle are multiples of this, because each separate wake-up costs time. */
const PHASE_MILLIS = 10;
/** Node's longest timer delay; a timer that finds nothing due is set again. */
const LONGEST_TIMER_MILLIS = 2 ** 31 - 1;

export class Timetable {
  private readonly due = new DueHeap<Round>();
  /** Rounds by cycle, then by phase. */
  private readonly rounds = new Map<number, Map<number, Round>>();
  private entryCount = 0;
  private cancelTimer: (() => void) | undefined;
  private timerMillis = Number.POSITIVE_INFINITY;
  private lastOrder = 0;
  private isClosed = false;

  constructor(
    private readonly clock: Clock,
    private readonly turns: Turns,
    private readonly skipping = new SkippedCycles(clock),
  ) {}

  get size(): number {
    return this.entryCount;
  }

  /** How many calls were left out because they were due again before their turn came. */
  get skipped(): number {
    return this.skipping.total;
  }

  /** Counts what others have left out of one client's messages because they were due again before its turn came. */
  countSkipped(count: number): void {
    this.skipping.add(count);
  }

  /**
   * Calls at once in the next turn, or after a delay, then every cycle until the returned function is called. Calls
   * with the same cycle share a grid, so the second call comes up to 5 ms, and at most half a cycle, before or after
   * its time; from then on cycles are exact. A late timer skips what it missed. Calls that take long wait for each
   * other in turns; one that is due again before its turn has come is skipped once. Throws a RangeError for a cycle
   * that is not finite.
   * @param groupOf what the call makes together with others of its cycle: their time is divided among their clients.
   */
  every(
    cycleSeconds: number,
    call: () => void,
    delaySeconds = 0,
    account?: Account,
    groupOf?: () => unknown,
  ): () => void {
    if (Number.isNaN(cycleSeconds)) throw new RangeError('a cycle is a number of seconds, not NaN');
    const cycleMillis = Math.max(SHORTEST_MILLIS, cycleSeconds * 1000);
    const first = this.createRound(Number.POSITIVE_INFINITY, 0, this.clock.nowMillis() + delaySeconds * 1000);
    const entry: Entry = {
      cycleMillis,
      call,
      inTurn: () => {
        entry.isWaiting = false;
        if (!entry.isRemoved) call();
      },
      account,
      groupOf,
      round: first,
      notBeforeMillis: Number.NEGATIVE_INFINITY,
      isWaiting: false,
      isRemoved: false,
    };
    first.entries.add(entry);
    this.entryCount++;
    this.arm();
    return () => this.remove(entry);
  }

  /** Closes the timetable as the server ends: nothing is called any more, also not what is added later. */
  close(): void {
    this.isClosed = true;
    this.disarm();
  }

  private readonly run = (): void => {
    this.forgetTimer();
    const failures: unknown[] = [];
    this.turns.inARow(() => this.callDue(failures));
    this.arm();
    for (const failure of failures) this.turns.failed(failure);
  };

  private callDue(failures: unknown[]): void {
    const limit = this.clock.nowMillis() + EARLY_MILLIS;
    for (let round = this.due.first; round && round.dueMillis <= limit; round = this.due.first) {
      // Moved on before the calls, so that a call may cancel any entry.
      this.moveOn(round, limit);
      for (const entry of round.entries) {
        // A first call is never too soon for the round that its entry has just joined.
        const isTooSoon = entry.round === round && entry.notBeforeMillis > limit;
        if (isTooSoon) continue;
        try {
          this.callInTurn(entry);
        } catch (error) {
          failures.push(error);
        }
      }
    }
  }

  private callInTurn(entry: Entry): void {
    const { account } = entry;
    if (!account) this.turns.uncounted(entry.call);
    else if (entry.isWaiting) this.skipping.add(1);
    else {
      entry.isWaiting = true;
      this.turns.begin(account, entry.inTurn, entry.groupOf?.());
    }
  }

  /** Sets the next due time of a round; entries that had their first call join the round of their cycle. */
  private moveOn(round: Round, limit: number): void {
    if (round.cycleMillis !== Number.POSITIVE_INFINITY) {
      round.dueMillis = nextDue(round, limit);
      this.due.reorder(round);
      return;
    }
    this.due.remove(round);
    for (const entry of round.entries) {
      if (entry.cycleMillis !== Number.POSITIVE_INFINITY) this.join(entry, round.dueMillis, limit);
    }
  }

  private join(entry: Entry, firstMillis: number, limit: number): void {
    const { cycleMillis } = entry;
    const beatMillis = Math.min(cycleMillis, PHASE_MILLIS);
    const phaseMillis = (Math.round((firstMillis % cycleMillis) / beatMillis) * beatMillis) % cycleMillis;
    entry.notBeforeMillis = firstMillis + cycleMillis - beatMillis / 2;
    entry.round = this.roundOf(cycleMillis, phaseMillis, limit);
    entry.round.entries.add(entry);
  }

  private roundOf(cycleMillis: number, phaseMillis: number, limit: number): Round {
    const ofCycle = this.rounds.get(cycleMillis) ?? new Map<number, Round>();
    this.rounds.set(cycleMillis, ofCycle);
    const known = ofCycle.get(phaseMillis);
    if (known) return known;
    const round = this.createRound(cycleMillis, phaseMillis, nextDue({ cycleMillis, phaseMillis }, limit));
    ofCycle.set(phaseMillis, round);
    return round;
  }

  private createRound(cycleMillis: number, phaseMillis: number, dueMillis: number): Round {
    const round = {
      cycleMillis,
      phaseMillis,
      dueMillis,
      place: -1,
      order: this.lastOrder++,
      entries: new Set<Entry>(),
    };
    this.due.add(round);
    return round;
  }

  private remove(entry: Entry): void {
    entry.isRemoved = true;
    const { round } = entry;
    if (!round.entries.delete(entry)) return;
    this.entryCount--;
    if (round.entries.size > 0) return;
    this.due.remove(round);
    const ofCycle = this.rounds.get(round.cycleMillis);
    if (ofCycle?.delete(round.phaseMillis) && ofCycle.size === 0) this.rounds.delete(round.cycleMillis);
    if (this.entryCount === 0) this.disarm();
  }

  private arm(): void {
    if (this.isClosed) return;
    const dueMillis = this.due.first?.dueMillis ?? Number.POSITIVE_INFINITY;
    if (dueMillis >= this.timerMillis) return;
    this.disarm();
    this.timerMillis = dueMillis;
    const delayMillis = Math.max(0, dueMillis - this.clock.nowMillis());
    this.cancelTimer = this.clock.after(Math.min(LONGEST_TIMER_MILLIS, delayMillis), this.run);
  }

  private disarm(): void {
    this.cancelTimer?.();
    this.forgetTimer();
  }

  /** The timer has been called or cancelled. */
  private forgetTimer(): void {
    this.cancelTimer = undefined;
    this.timerMillis = Number.POSITIVE_INFINITY;
  }
}

/** The first moment of a grid after now. */
function nextDue({ cycleMillis, phaseMillis }: Pick<Round, 'cycleMillis' | 'phaseMillis'>, now: number): number {
  const turns = Math.floor((now - phaseMillis) / cycleMillis) + 1;
  const due = phaseMillis + turns * cycleMillis;
  // Rounding may give now itself.
  return due > now ? due : due + cycleMillis;
}
