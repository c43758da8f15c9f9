// The operator's events: the simulation looks at their conditions when they are due, and waits while they are evaluated here.

import type { Condition, Decision, Source } from '../../../source/source.js';
import { type Block, type Expression, type Host, type ScriptValue, withValues } from '../../python/index.js';
import { ConditionKind, type EventCondition, isReady, type TrickEvent } from '../events/event.js';
import type { EventTable } from '../events/event-table.js';
import { lateSentence } from '../events/timing.js';
import { type KnownTexts, parseText } from './block-text.js';
import { CONDITION_MODULES } from './conditions-here.js';
import type { Decided } from './event-evaluation.js';

/** So many holds are sent at a time before the simulation has taken the ones before: clients may switch events ever so fast. */
const MOST_SENT = 2000;
/** After so many, it is asked whether it has taken them. */
const SENT_TOGETHER = 500;
/** The id of no hold. */
const NO_ID = 0;

/** What the simulation knows of an event. */
interface HeldEvent {
  readonly id: number;
  /** The names in its conditions with the values that they had. */
  names: ReadonlyMap<string, ScriptValue | undefined>;
}

export class EventHolds {
  private readonly held = new Map<TrickEvent, HeldEvent>();
  /** Events for which the simulation waits. */
  private readonly underway = new Set<TrickEvent>();
  /** Events that were lost because the simulation did not answer. */
  private readonly lost = new Set<TrickEvent>();
  private lastId = 0;
  /** Holds that the simulation may not have taken yet, and those of them that it has not been asked for. */
  private sentCount = 0;
  private uncertain = 0;

  /**
   * @param operators what the texts of the operator see.
   * @param evaluate evaluates an event of which the simulation knows what some conditions are, and calls back at its end.
   */
  constructor(
    private readonly events: EventTable,
    private readonly source: Pick<Source, 'submit' | 'frame'>,
    private readonly trees: KnownTexts,
    private readonly operators: () => Pick<Host, 'names' | 'modules'>,
    private readonly evaluate: (event: TrickEvent, decided: Decided, done: () => void) => void,
  ) {}

  /** Tells the simulation what has changed. An event that is being evaluated is told at its end. */
  settle(): void {
    for (const [event, isAnew] of this.events.unsettled.take(
      (changed) => this.sentCount < MOST_SENT && !this.underway.has(changed),
    )) {
      if (isAnew || !this.events.isHeld(event)) this.letGo(event);
      if (this.events.isHeld(event)) this.hold(event);
    }
    if (this.uncertain >= SENT_TOGETHER) this.waitUntilTaken();
  }

  private waitUntilTaken(): void {
    const { uncertain } = this;
    this.uncertain = 0;
    const taken = (): void => {
      this.sentCount -= uncertain;
      this.settle();
    };
    this.source.submit({ kind: 'control', control: { action: 'let-go', id: NO_ID } }).then(taken, taken);
  }

  /** Looks whether names of the input file mean something else now. */
  namesChanged(): void {
    const { names } = this.operators();
    for (const [event, held] of this.held)
      if ([...held.names].some(([name, value]) => names.get(name) !== value)) this.events.unsettled.add(event);
    this.settle();
  }

  /** Asks for the events that were lost. */
  askAgain(): void {
    if (this.lost.size === 0) return;
    for (const event of this.lost) this.events.unsettled.add(event);
    this.lost.clear();
    this.settle();
  }

  private letGo(event: TrickEvent): void {
    const held = this.held.get(event);
    if (!held) return;
    this.held.delete(event);
    // Requests are applied in order, so this one comes after all that the event has asked for.
    const control = { action: 'let-go', id: held.id } as const;
    this.source.submit({ kind: 'control', control }).catch(() => undefined);
  }

  private hold(event: TrickEvent): void {
    const held = this.held.get(event) ?? { id: --this.lastId, names: new Map() };
    this.held.set(event, held);
    this.sentCount++;
    this.uncertain++;
    const looked = conditionsToLookAt(event);
    const conditions = looked && this.sent(looked, held);
    const everyTics = event.cycleTics(this.source.frame.header.ticsPerSecond);
    const control = { action: 'hold', id: held.id, everyTics, conditions } as const;
    this.source.submit({ kind: 'control', control }).then(
      ({ value }) => this.asked(event, conditions && looked, value as readonly Decision[] | 'over' | undefined),
      () => this.lost.add(event),
    );
  }

  private asked(
    event: TrickEvent,
    looked: readonly EventCondition[] = [],
    decisions: readonly Decision[] | 'over' | undefined,
  ): void {
    if (decisions === 'over') this.events.say(lateSentence(event), 'warning');
    if (decisions === undefined || decisions === 'over') return;
    this.underway.add(event);
    const decided = new Map(looked.map((condition, at) => [condition, decisions[at] ?? null]));
    this.evaluate(event, decided, () => {
      this.underway.delete(event);
      this.events.unsettled.add(event);
      this.settle();
    });
  }

  /** The conditions as the simulation can evaluate them; undefined when it cannot. */
  private sent(looked: readonly EventCondition[], held: HeldEvent): readonly Condition[] | undefined {
    const { names: values, modules } = this.operators();
    const names = new Map<string, ScriptValue | undefined>();
    held.names = names;
    const note = (name: string): ScriptValue | undefined => {
      names.set(name, values.get(name));
      return values.get(name) ?? modules.get(name);
    };
    const conditions: Condition[] = [];
    for (const { kind, text } of looked) {
      const expression = kind === ConditionKind.job ? undefined : this.closed(text.trim(), note);
      if (kind === ConditionKind.job) conditions.push({ call: text });
      else if (expression) conditions.push({ expression });
      else return undefined;
    }
    return conditions;
  }

  /** A condition as an expression that needs no names; undefined when there is none. */
  private closed(text: string, note: (name: string) => ScriptValue | undefined): Expression | undefined {
    try {
      const tree: Block = this.trees.get(text) ?? parseText(text);
      this.trees.set(text, tree);
      const [statement, ...others] = tree.body;
      const isExpression = statement?.kind === 'expression-statement' && others.length === 0;
      return isExpression ? withValues(statement.value, note, CONDITION_MODULES) : undefined;
    } catch {
      return undefined;
    }
  }
}

/** The conditions that decide whether there is anything to do; undefined when there is in any case. */
function conditionsToLookAt(event: TrickEvent): readonly EventCondition[] | undefined {
  if (!isReady(event)) return [];
  const { conditions, hasFired, hasRun } = event;
  // What the last evaluation has left is to be taken back.
  if (hasFired || hasRun || conditions.some((condition) => condition.hasFired)) return undefined;
  if (event.isManual) return event.isManuallyFired ? undefined : [];
  return conditions.filter(({ isEnabled }) => isEnabled);
}
