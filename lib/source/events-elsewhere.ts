// The events of a simulation that runs elsewhere, as its viewers show them. Times are seconds of the simulation, below 0 for never.

interface Item {
  readonly text: string;
  readonly comment: string;
  readonly isEnabled: boolean;
}

export interface ConditionElsewhere extends Item {
  readonly holds: boolean;
  readonly hasFired: boolean;
  readonly firedCount: number;
  readonly firedSeconds: number;
}

export interface ActionElsewhere extends Item {
  readonly hasRun: boolean;
  readonly ranCount: number;
  readonly ranSeconds: number;
}

export interface EventElsewhere {
  readonly name: string;
  readonly isActive: boolean;
  readonly isAdded: boolean;
  /** Whether conditions do not count: it acts at each cycle if it is fired by hand, otherwise never. */
  readonly isManual: boolean;
  readonly isManuallyFired: boolean;
  readonly cycleSeconds: number;
  readonly needsAll: boolean;
  readonly hold: boolean;
  /** The job beside which it is evaluated; the place is 1 before it, 2 after it. */
  readonly target?: { readonly job: string; readonly place: number } | undefined;
  readonly firedCount: number;
  readonly firedSeconds: number;
  readonly ranCount: number;
  readonly ranSeconds: number;
  readonly conditions: readonly ConditionElsewhere[];
  readonly actions: readonly ActionElsewhere[];
}

/** What an event can be told: to be active or not, to act at each cycle, never or by its conditions, or to act now. */
export type EventOrder = 'activate' | 'deactivate' | 'on' | 'off' | 'auto' | 'fire' | ItemOrder;

/** What one of its conditions or actions can be told; only conditions hold. */
export interface ItemOrder {
  readonly item: 'condition' | 'action';
  readonly index: number;
  readonly to: 'enable' | 'disable' | 'hold_on' | 'hold_off';
}

export interface EventsElsewhere {
  /** The ticker changes when events come or go. Rejects with one sentence. */
  list(): Promise<{ readonly ticker: number; readonly events: readonly EventElsewhere[] }>;
  /** Resolves when frames show what it did. Rejects with one sentence. */
  order(name: string, order: EventOrder): Promise<void>;
}
