// Conditions of events that are looked at on the simulation's thread, without asking the server.
import type { Catalog } from '../../model/state/catalog.js';
import type { Memory } from '../../model/state/memory.js';
import type { State } from '../../model/state/state.js';
import { type Calling, callJob } from './call-job.js';
import type { Executive } from './executive.js';
import type { Condition, Decision, HoldAnswer } from './hold-queue.js';
import type { Holds } from './holds.js';
import type { ServerControl } from './request.js';

/** What an expression can see. */
export interface Reached {
  readonly catalog: Catalog;
  readonly memory: Memory;
  readonly timeSeconds: number;
  /** Reads a component's state where it lives in other objects, or that of all. Throws what a getter throws. */
  refresh(component?: string): void;
}

/** Makes a function of an expression, which returns undefined when only the server can say whether the condition holds. */
export type Compile = (expression: unknown, reached: Reached) => () => boolean | undefined;

interface Run extends Calling {
  readonly catalog: Catalog;
  readonly state: Pick<State, 'pullMirror' | 'pullMirrors'> & { readonly arena: { readonly memory: Memory } };
}

export class Conditions {
  /** Whether code of the simulation has been called, which may have changed its state. */
  hasCalled = false;

  constructor(
    private readonly run: Run,
    /** Makes functions of expressions. */
    public compile: Compile = () => () => undefined,
  ) {}

  decider(condition: Condition): () => Decision {
    if ('call' in condition) return () => this.called(condition.call);
    const { run } = this;
    const holds = this.compile(condition.expression, {
      get catalog() {
        return run.catalog;
      },
      get memory() {
        return run.state.arena.memory;
      },
      get timeSeconds() {
        return run.executive.timeSeconds;
      },
      refresh: (component) => (component === undefined ? run.state.pullMirrors() : run.state.pullMirror(component)),
    });
    return () => holds() ?? null;
  }

  private called(job: string): Decision {
    this.hasCalled = true;
    try {
      return callJob(this.run, job) ?? false;
    } catch (error) {
      return (error as Error).message;
    }
  }
}

interface Holding {
  readonly holds: Holds;
  readonly executive: Executive;
  readonly conditions: Pick<Conditions, 'decider'>;
}

/** Waits at a time, or at the times of an event, when the conditions say so. */
export function holdFor(
  { holds, executive, conditions }: Holding,
  { conditions: asked, ...rest }: Extract<ServerControl, { readonly action: 'hold' }>,
  answer: HoldAnswer,
): void {
  const deciders = asked?.map((condition) => conditions.decider(condition));
  const nowTics = executive.isBeforeStart ? -1 : executive.timeTics;
  holds.hold({ ...rest, conditions: deciders }, nowTics, answer);
}
