// Something that few clients of each network do at a time; the others wait in their order.

interface Doing {
  count: number;
  /** Those who wait, first come, first served. */
  readonly waiting: Set<() => void>;
}

/** The place of one client; `leave` gives it back, or the place in the queue. */
export interface Place {
  /** Resolves when it may begin; undefined when it may at once. */
  readonly turn: Promise<void> | undefined;
  leave(): void;
}

export class FewAtATime {
  private readonly doing = new Map<string, Doing>();

  constructor(private readonly most: number) {}

  enter(network: string): Place {
    const doing = this.doing.get(network) ?? { count: 0, waiting: new Set() };
    this.doing.set(network, doing);
    let begin = (): void => undefined;
    let turn: Promise<void> | undefined;
    if (doing.count < this.most) doing.count++;
    else {
      turn = new Promise((resolve) => {
        begin = resolve;
      });
      doing.waiting.add(begin);
    }
    let isThere = true;
    const leave = (): void => {
      if (!isThere) return;
      isThere = false;
      if (!doing.waiting.delete(begin)) this.pass(network, doing);
    };
    return { turn, leave };
  }

  /** Gives a place to the first who waits. */
  private pass(network: string, doing: Doing): void {
    const [next] = doing.waiting;
    if (next) {
      doing.waiting.delete(next);
      next();
    } else if (--doing.count === 0) this.doing.delete(network);
  }
}
