// Something that few clients of each network do at a time; the others follow in their order.
import type { Clock } from './clock.js';
import type { Counted } from './holdings.js';

/** A client, as its account. */
interface Who {
  readonly network: string;
}

interface Doing {
  count: number;
  /** What lets those begin who wait, in their order. */
  readonly waiting: Set<() => void>;
  /** Calls off that one more begins. */
  callOff: (() => void) | undefined;
}

/** The place of one client; `leave` gives it back, or the place in the queue. */
export interface QueuePlace {
  /** Resolves when it may begin, or has left the queue; undefined when it may at once. */
  readonly turn: Promise<void> | undefined;
  leave(): void;
}

/** One more begins each time that somebody has waited so long: what takes long keeps nobody out for long. */
export interface MoreByTime {
  readonly clock: Pick<Clock, 'after'>;
  readonly millis: number;
}

export class FewAtATime implements Counted {
  private readonly doing = new Map<string, Doing>();
  private waits = 0;

  constructor(
    private readonly most: number,
    private readonly more?: MoreByTime,
  ) {}

  /** How many wait for their turn. */
  get held(): number {
    let held = 0;
    for (const { waiting } of this.doing.values()) held += waiting.size;
    return held;
  }

  /** How often one could not begin at once. */
  get refusals(): number {
    return this.waits;
  }

  enter(who: Who): QueuePlace {
    const doing = this.doing.get(who.network) ?? { count: 0, waiting: new Set(), callOff: undefined };
    this.doing.set(who.network, doing);
    let begin = (): void => undefined;
    let turn: Promise<void> | undefined;
    if (doing.count < this.most) doing.count++;
    else {
      turn = new Promise((resolve) => {
        begin = resolve;
      });
      doing.waiting.add(begin);
      this.waits++;
      this.expect(doing);
    }
    let isThere = true;
    const leave = (): void => {
      if (!isThere) return;
      isThere = false;
      if (doing.waiting.delete(begin)) begin();
      else this.pass(who.network, doing);
    };
    return { turn, leave };
  }

  /** Gives a place to one who waits, unless more than may have begun by time. */
  private pass(network: string, doing: Doing): void {
    doing.count--;
    if (doing.count < this.most) this.letBegin(doing);
    if (doing.count > 0) return;
    doing.callOff?.();
    this.doing.delete(network);
  }

  private letBegin(doing: Doing): void {
    const [next] = doing.waiting;
    if (!next) return;
    doing.waiting.delete(next);
    doing.count++;
    next();
  }

  private expect(doing: Doing): void {
    if (!this.more || doing.callOff) return;
    doing.callOff = this.more.clock.after(this.more.millis, () => {
      doing.callOff = undefined;
      this.letBegin(doing);
      if (doing.waiting.size > 0) this.expect(doing);
    });
  }
}
