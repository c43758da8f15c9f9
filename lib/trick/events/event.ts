// One event: conditions over the command language and what is done when they hold. Trick: IPPythonEvent
import type { Run } from '../interpreter/values.js';

export interface EventCondition {
  text: string;
  comment: string;
  isEnabled: boolean;
  /** Whether it stays fired until the event fires. */
  holds: boolean;
  hasFired: boolean;
  firedCount: number;
  /** Simulation time in seconds; -1 for never. */
  firedSeconds: number;
}

export interface EventAction {
  text: string;
  comment: string;
  isEnabled: boolean;
  ranCount: number;
  /** Simulation time in seconds; -1 for never. */
  ranSeconds: number;
}

/** Runs conditions and actions. */
export interface EventScript {
  holds(condition: string): Run<boolean>;
  act(action: string): Run<void>;
}

/** Trick: IPPythonEvent::before_after */
export const EventPlace = { frame: 0, before: 1, after: 2 } as const;
export type EventPlace = (typeof EventPlace)[keyof typeof EventPlace];

const NEVER = -1;

export class TrickEvent {
  isActive = false;
  /** Only an added event is evaluated. */
  isAdded = false;
  /** Whether it fires by hand only. */
  isManual = false;
  /** Whether somebody has fired it by hand; it fires at the next frame. */
  isManuallyFired = false;
  /** Whether all enabled conditions must hold; otherwise one is enough. */
  needsAll = false;
  /** Simulation time between evaluations; 0 for every frame. */
  cycleSeconds = 0;
  place: EventPlace = EventPlace.frame;
  targetName = 'no_target_specified';
  firedCount = 0;
  firedSeconds = NEVER;
  ranCount = 0;
  ranSeconds = NEVER;
  readonly conditions: EventCondition[] = [];
  readonly actions: EventAction[] = [];
  /** Simulation time in tics of the next evaluation. */
  private nextTics = Number.NEGATIVE_INFINITY;

  constructor(readonly name: string) {}

  /** Whether a condition that holds has fired and waits for the others. */
  get hold(): boolean {
    return this.conditions.some(({ holds, hasFired }) => holds && hasFired);
  }

  /** Replaces the condition at an index, or adds one. */
  setCondition(index: number, text: string, comment: string): void {
    this.conditions[index] = {
      text,
      comment: comment || text,
      isEnabled: true,
      holds: false,
      hasFired: false,
      firedCount: 0,
      firedSeconds: NEVER,
    };
  }

  setAction(index: number, text: string, comment: string): void {
    this.actions[index] = { text, comment: comment || text, isEnabled: true, ranCount: 0, ranSeconds: NEVER };
  }

  /** Adds the event; it is evaluated from the next frame on. */
  add(place: EventPlace = EventPlace.frame, targetName = 'no_target_specified'): void {
    this.isAdded = true;
    this.place = place;
    this.targetName = targetName;
    this.nextTics = Number.NEGATIVE_INFINITY;
  }

  /** Whether it is to be evaluated at a frame; the next evaluation is a whole number of cycles after this one. */
  takeTurn(timeTics: number, ticsPerSecond: number): boolean {
    if (!this.isAdded || (this.isManual ? !this.isManuallyFired : !this.isActive)) return false;
    const cycleTics = Math.round(this.cycleSeconds * ticsPerSecond);
    if (!this.isManual && timeTics < this.nextTics && timeTics >= this.nextTics - cycleTics) return false;
    const isOnGrid = this.nextTics > timeTics - cycleTics && this.nextTics <= timeTics;
    this.nextTics = (isOnGrid ? this.nextTics : timeTics) + cycleTics;
    return true;
  }

  /** Makes the event inactive, also when it was to fire by hand. */
  deactivate(): void {
    this.isActive = false;
    this.isManuallyFired = false;
  }

  /**
   * Evaluates the conditions and, if they hold, fires and runs the actions. The event becomes inactive before its actions
   * run, so that an action may activate it again.
   * Trick: IPPythonEvent::process_user_event
   */
  *process(timeSeconds: number, script: EventScript): Run<void> {
    if (!this.isManual && !(yield* this.isFiring(timeSeconds, script))) return;
    if (!this.isManual) {
      this.firedCount++;
      this.firedSeconds = timeSeconds;
    }
    this.deactivate();
    for (const condition of this.conditions) condition.hasFired = false;
    for (const action of [...this.actions]) {
      if (!action.isEnabled) continue;
      yield* script.act(action.text);
      action.ranCount++;
      action.ranSeconds = timeSeconds;
    }
    this.ranCount++;
    this.ranSeconds = timeSeconds;
  }

  private *isFiring(timeSeconds: number, script: EventScript): Run<boolean> {
    const enabled = this.conditions.filter(({ isEnabled }) => isEnabled);
    let firedCount = 0;
    for (const condition of enabled) {
      if (!(condition.holds && condition.hasFired)) {
        condition.hasFired = yield* script.holds(condition.text);
        if (condition.hasFired) {
          condition.firedCount++;
          condition.firedSeconds = timeSeconds;
        }
      }
      if (condition.hasFired) firedCount++;
    }
    return this.needsAll ? firedCount > 0 && firedCount === enabled.length : firedCount > 0;
  }
}
