// Evaluates one event: its conditions, and its actions if it fires. Trick: IPPythonEvent::process_user_event
import type { Decision, Request } from '../../../source/source.js';
import {
  type Block,
  BlockCache,
  type Interpreter,
  isTrue,
  NO_FILE,
  type OwnedNames,
  type Run,
} from '../../python/index.js';
import type { Asking } from '../events/errands.js';
import {
  ActionKind,
  ConditionKind,
  type EventAction,
  type EventCondition,
  type EventScript,
  type TrickEvent,
} from '../events/event.js';
import type { EventTable } from '../events/event-table.js';
import { BlockFailure, evaluateText, runText } from './block-text.js';

/** Texts of events whose trees are kept. */
const MOST_TREES = 2048;

/** The exit code with which Trick ends. */
export const ERROR_CODE = 255;

/** The names of an event's owner. */
export interface EventOwner {
  readonly surroundings: OwnedNames;
  /** Bounds the names after a text of so many characters has made so many bytes. */
  settleNames(allocatedBytes: number, length: number): void;
}

/** What the simulation has found conditions to be. */
export type Decided = ReadonlyMap<EventCondition, Decision>;

export class EventEvaluation {
  /** Clients' texts push each other out of the cache of blocks, and events would be parsed in every frame. */
  readonly trees = new BlockCache<Block>(MOST_TREES);
  /** Failures that have been logged, by condition or action; a different failure is logged again. */
  private readonly said = new WeakMap<object, string>();

  /** @param terminate ends the simulation. */
  constructor(
    private readonly events: EventTable,
    private readonly ownerOf: (owner: string) => EventOwner,
    private readonly terminate: (code: number, reason: string) => void,
  ) {}

  *run(event: TrickEvent, timeSeconds: number, interpreter: Interpreter, ask: Asking, decided?: Decided): Run<void> {
    const before = stateOf(event);
    const { firedCount } = event;
    const owner = this.ownerOf(event.owner);
    try {
      const script = this.scriptFor(event, interpreter, ask, decided);
      // The texts run with their owner's names, whoever fires the event.
      yield* interpreter.as(owner.surroundings, event.process(timeSeconds, script));
    } finally {
      owner.settleNames(interpreter.meter.allocatedBytes, lengthOf(event));
      if (before !== stateOf(event)) this.events.changed(event);
    }
    if (event.firedCount === firedCount) return;
    this.events.onFired(event.name, timeSeconds);
    if (this.events.isTelling)
      this.events.say(`${timeSeconds.toFixed(6).padStart(12)} event ${event.name} fired`, 'informational');
  }

  /** Stops an event that has used up the limits of a block, because it would do so again. */
  stop(event: TrickEvent, { pieces }: BlockFailure): void {
    event.isActive = false;
    event.manualDone();
    this.events.changed(event);
    this.events.say(
      `event ${event.name} was stopped and is not active any more:\n${pieces.join('').trimEnd()}`,
      'warning',
    );
  }

  private scriptFor(event: TrickEvent, interpreter: Interpreter, ask: Asking, decided?: Decided): EventScript {
    const { owner } = event;
    // Who gives the event new texts in the middle makes it its own, and the rest is not run for the owner before.
    const isSame = (): boolean => event.owner === owner;
    const holds = (condition: EventCondition): Run<boolean> => this.holds(event, condition, interpreter, ask);
    const act = (action: EventAction): Run<void> => this.act(event, action, interpreter, ask);
    const isDecided = (condition: EventCondition): boolean | undefined =>
      this.resultOf(event, condition, decided?.get(condition));
    return {
      *holds(condition) {
        return isSame() && (isDecided(condition) ?? (yield* holds(condition))) && isSame();
      },
      *act(action) {
        if (isSame()) yield* act(action);
      },
    };
  }

  /** Undefined when the condition is to be evaluated here. */
  private resultOf(event: TrickEvent, condition: EventCondition, decision: Decision = null): boolean | undefined {
    if (decision === null) return undefined;
    if (typeof decision === 'string') this.sayOnce(event, condition, decision);
    else this.said.delete(condition);
    return decision === true;
  }

  private *holds(event: TrickEvent, condition: EventCondition, interpreter: Interpreter, ask: Asking): Run<boolean> {
    if (condition.kind === ConditionKind.job)
      return (yield* this.valueAnswered(event, condition, ask({ kind: 'call-job', job: condition.text }))) === true;
    const evaluation = evaluateText(interpreter, condition.text.trim(), this.trees);
    const value = yield* this.guarded(event, condition, interpreter, evaluation);
    return value !== undefined && isTrue(value);
  }

  private *act(event: TrickEvent, action: EventAction, interpreter: Interpreter, ask: Asking): Run<void> {
    const { kind, text } = action;
    if (kind === ActionKind.text)
      yield* this.guarded(event, action, interpreter, runText(interpreter, text, NO_FILE, this.trees));
    else yield* this.valueAnswered(event, action, ask(jobRequest(kind, text)));
  }

  /** The value of a job's answer; a refusal is logged once. */
  private *valueAnswered(event: TrickEvent, item: object, asking: ReturnType<Asking>): Run<unknown> {
    const asked = yield* asking;
    if ('refusal' in asked) return this.sayOnce(event, item, asked.refusal);
    this.said.delete(item);
    return asked.value;
  }

  private sayOnce(event: TrickEvent, item: object, message: string): void {
    if (this.said.get(item) !== message) this.events.say(`event ${event.name} failed:\n${message}`, 'warning');
    this.said.set(item, message);
  }

  /** Undefined when the text fails, which is logged once. Throws when a limit has stopped it. */
  private *guarded<T>(event: TrickEvent, item: object, { meter }: Interpreter, run: Run<T>): Run<T | undefined> {
    try {
      const result = yield* run;
      this.said.delete(item);
      return result;
    } catch (error) {
      if (!(error instanceof BlockFailure) || meter.isUsedUp) throw error;
      const { exitCode: code } = error;
      if (code === undefined) this.sayOnce(event, item, error.message);
      if (code !== undefined && event.owner === '') this.terminate(code, `event ${event.name} has ended it`);
      else if (code === undefined && this.events.endsOnError) this.terminate(ERROR_CODE, `event ${event.name} failed`);
      return undefined;
    }
  }
}

/** Characters of its texts. */
export const lengthOf = ({ conditions, actions }: TrickEvent): number =>
  [...conditions, ...actions].reduce((sum, { text }) => sum + text.length, 0);

const jobRequest = (kind: ActionKind, job: string): Request =>
  kind === ActionKind.jobCall
    ? { kind: 'call-job', job }
    : { kind: 'job', choice: { job, instance: 1 }, isOn: kind === ActionKind.jobOn };

/** The part of an event that its evaluation changes and the variables show. */
function stateOf(event: TrickEvent): string {
  const { isActive, isManuallyFired, hasFired, hold, hasRun, firedCount, ranCount, conditions, actions } = event;
  const flags = [isActive, isManuallyFired, hasFired, hold, hasRun, firedCount, ranCount];
  const counts = conditions.map(({ hasFired: fired, firedCount: count }) => `${fired}${count}`);
  return `${flags} ${counts} ${actions.map(({ hasRun: ran }) => ran)}`;
}
