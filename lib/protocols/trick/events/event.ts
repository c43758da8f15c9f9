// One event: conditions over the command language and what is done when they hold. Trick: IPPythonEvent
import type { Run } from '../../python/index.js';

/** How a condition is evaluated. Trick: condition_t::cond_type */
export const ConditionKind = { text: 0, variable: 1, job: 2 } as const;
export type ConditionKind = (typeof ConditionKind)[keyof typeof ConditionKind];

/** What an action does. Trick: action_t::act_type */
export const ActionKind = { text: 0, jobOn: 1, jobOff: 2, jobCall: 3 } as const;
export type ActionKind = (typeof ActionKind)[keyof typeof ActionKind];

export interface EventCondition {
  kind: ConditionKind;
  text: string;
  comment: string;
  isEnabled: boolean;
  /** Whether it stays fired once it has fired. */
  holds: boolean;
  hasFired: boolean;
  firedCount: number;
  /** Simulation time in seconds; -1 for never. */
  firedSeconds: number;
}

export interface EventAction {
  kind: ActionKind;
  text: string;
  comment: string;
  isEnabled: boolean;
  hasRun: boolean;
  ranCount: number;
  /** Simulation time in seconds; -1 for never. */
  ranSeconds: number;
}

/** Evaluates conditions and runs actions; an error of one of them counts as false, or as done. */
export interface EventScript {
  holds(condition: EventCondition): Run<boolean>;
  act(action: EventAction): Run<void>;
}

/** Trick: Event::before_after */
export const EventPlace = { frame: 0, before: 1, after: 2 } as const;
export type EventPlace = (typeof EventPlace)[keyof typeof EventPlace];

/** A job beside which an event is evaluated. */
export interface EventTarget {
  readonly place: EventPlace;
  readonly job: string;
  /** Simulation time between two calls of the job. */
  readonly periodTics: number;
}

const NEVER = -1;
/** Characters of a text that stand for a comment that is left out. */
const COMMENT_CHARACTERS = 50;
const DEFAULT_CYCLE_SECONDS = 1;
export const UNNAMED = 'no_name_specified';

export class TrickEvent {
  /** Whether it only shows an event of a simulation elsewhere. */
  isElsewhere = false;
  isActive = false;
  /** Only an added event is evaluated. */
  isAdded = false;
  /** In manual mode no condition is evaluated. */
  isManual = false;
  isManuallyFired = false;
  /** Whether all enabled conditions must hold; otherwise one is enough. */
  needsAll = false;
  hasFired = false;
  /** Whether the event stays fired once it has fired: by the hold flags of its conditions together, or by manual_on. */
  hold = false;
  hasRun = false;
  threadId = 0;
  target: EventTarget | undefined;
  firedCount = 0;
  firedSeconds = NEVER;
  ranCount = 0;
  ranSeconds = NEVER;
  readonly conditions: EventCondition[] = [];
  readonly actions: EventAction[] = [];
  private cycle = DEFAULT_CYCLE_SECONDS;

  /** @param owner address of the client whose texts it runs; empty for the input file. */
  constructor(
    readonly name: string,
    public owner = '',
  ) {}

  /** Simulation time between evaluations; 0 for one evaluation. */
  get cycleSeconds(): number {
    return this.cycle;
  }

  /** Trick: Event::set_cycle */
  setCycle(seconds: number): void {
    this.cycle = seconds;
  }

  cycleTics(ticsPerSecond: number): number {
    return this.target?.periodTics ?? Math.trunc(this.cycle * ticsPerSecond);
  }

  /** Adds the condition at an index or changes the one there, which keeps its counts. Trick: IPPythonEvent::condition */
  setCondition(index: number, text: string, comment: string, kind: ConditionKind = ConditionKind.text): void {
    const { firedCount = 0, firedSeconds = NEVER } = this.conditions[index] ?? {};
    this.conditions[index] = {
      kind,
      text,
      comment: comment || commentOf(text),
      isEnabled: true,
      holds: false,
      hasFired: false,
      firedCount,
      firedSeconds,
    };
  }

  /** Adds the action at an index or changes the one there, which keeps its counts. Trick: IPPythonEvent::action */
  setAction(index: number, text: string, comment: string, kind: ActionKind = ActionKind.text): void {
    const { ranCount = 0, ranSeconds = NEVER } = this.actions[index] ?? {};
    this.actions[index] = {
      kind,
      text,
      comment: comment || commentOf(text),
      isEnabled: true,
      hasRun: false,
      ranCount,
      ranSeconds,
    };
  }

  /** Acts at each cycle from now on. Trick: IPPythonEvent::manual_on */
  manualOn(): void {
    this.setManual(true, true);
  }

  /** Does nothing from now on. Trick: IPPythonEvent::manual_off */
  manualOff(): void {
    this.setManual(false, false);
  }

  /** Makes the event act once, at its next evaluation. Trick: IPPythonEvent::manual_fire */
  manualFire(): void {
    this.setManual(true, false);
  }

  /** Lets conditions count again. Trick: IPPythonEvent::manual_done */
  manualDone(): void {
    this.isManual = false;
    this.isManuallyFired = false;
    this.hold = false;
  }

  /**
   * Evaluates the conditions, or in manual mode none, and acts if the event fires. It becomes inactive before its actions
   * run, so that an action may activate it again.
   * Trick: IPPythonEvent::process_user_event
   */
  *process(timeSeconds: number, script: EventScript): Run<void> {
    this.hasFired = false;
    this.hasRun = false;
    if (!this.isManual) yield* this.evaluate(timeSeconds, script);
    if (!this.isManuallyFired && !this.hasFired) return;
    this.firedCount++;
    this.firedSeconds = timeSeconds;
    if (!this.isManuallyFired) this.isActive = false;
    yield* this.act(timeSeconds, script);
  }

  private setManual(isFired: boolean, isHeld: boolean): void {
    this.isManual = true;
    this.isManuallyFired = isFired;
    this.hold = isHeld;
    this.hasFired = false;
  }

  /** Unlike in Trick, a first condition that is disabled does not keep the others from being enough. */
  private *evaluate(timeSeconds: number, script: EventScript): Run<void> {
    const enabled: EventCondition[] = [];
    for (const condition of [...this.conditions]) {
      if (!condition.isEnabled) {
        condition.hasFired = false;
        continue;
      }
      enabled.push(condition);
      if (condition.holds && condition.hasFired) continue;
      condition.hasFired = yield* script.holds(condition);
      if (!condition.hasFired) continue;
      condition.firedCount++;
      condition.firedSeconds = timeSeconds;
    }
    const isMet = (flag: 'hasFired' | 'holds'): boolean =>
      enabled.length > 0 && (this.needsAll ? enabled.every((each) => each[flag]) : enabled.some((each) => each[flag]));
    this.hasFired = isMet('hasFired');
    this.hold = isMet('holds');
  }

  private *act(timeSeconds: number, script: EventScript): Run<void> {
    if (this.actions.length === 0) return;
    for (const action of [...this.actions]) {
      action.hasRun = action.isEnabled;
      if (!action.isEnabled) continue;
      yield* script.act(action);
      action.ranCount++;
      action.ranSeconds = timeSeconds;
      this.hasRun = true;
    }
    this.isManuallyFired &&= this.hold;
    this.hasFired &&= this.hold;
    if (!this.hasRun) return;
    this.ranCount++;
    this.ranSeconds = timeSeconds;
  }
}

const commentOf = (text: string): string => text.slice(0, COMMENT_CHARACTERS);

/** Whether it is evaluated when it is due. */
export const isReady = ({ isAdded, isActive, isManuallyFired, target }: TrickEvent): boolean =>
  isAdded && (isActive || (target !== undefined && isManuallyFired));
