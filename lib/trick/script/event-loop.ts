// Evaluates the events at the frames of a running simulation. Trick: EventManager, EventProcessor
import { Mode, Reason } from '../../frame/header.js';
import type { Frame } from '../../frame/reader.js';
import type { Control, Request, ServerControl } from '../../source/source.js';
import type { Asking } from '../events/errands.js';
import { ActionKind, ConditionKind, type EventScript, type TrickEvent } from '../events/event.js';
import type { EventTable } from '../events/event-table.js';
import { NO_FILE } from '../interpreter/error.js';
import type { Interpreter } from '../interpreter/interpreter.js';
import { isTrue, type Run } from '../interpreter/values.js';
import type { EventFiring } from '../session/server-settings.js';
import { BlockFailure, evaluateText, runText } from './block-text.js';
import type { Scripts } from './scripts.js';
import { TreeCache } from './tree-cache.js';

/** The id of the hold for events; holds of reads are numbered from 1. */
const HOLD_ID = 0;
/** The exit code with which Trick ends. */
export const ERROR_CODE = 255;

export class EventLoop implements EventFiring {
  /** Events that are being evaluated. A slow event of a client misses the frames that come meanwhile. */
  private readonly underway = new Set<TrickEvent>();
  /** Events of clients that others have fired and that have not begun. */
  private readonly waiting = new Map<TrickEvent, { over: Promise<void> }>();
  private readonly trees = new TreeCache();
  private lastTics = 0;
  private heldTics = Number.POSITIVE_INFINITY;
  /** Failures that have been logged, by condition or action; a different failure is logged again. */
  private readonly said = new WeakMap<object, string>();

  /** @param control asks the simulation for something that no frame shows. */
  constructor(
    private readonly events: EventTable,
    private readonly scripts: Scripts,
    private readonly control: (control: Control | ServerControl) => void,
  ) {}

  /** Evaluates the events that are due at a frame. */
  take(frame: Frame): void {
    const { reason, mode, timeTics, ticsPerSecond } = frame.header;
    const { timing } = this.events;
    if (timeTics < this.lastTics) timing.restartAt(timeTics);
    this.lastTics = timeTics;
    if (reason === Reason.scheduled || mode === Mode.initialization || mode === Mode.freeze) return;
    const due = timing.due(timeTics, ticsPerSecond, (event) =>
      this.events.say(`event ${event.name} has no cycle and its only time, 0, is over; it is not evaluated`, 'warning'),
    );
    for (const event of mode === Mode.exit ? [...due, ...timing.atEnd()] : due) {
      // A read of this time that has not run yet may still switch the event.
      if (this.underway.has(event) || (!isReady(event) && this.scripts.isIdle(event.owner))) continue;
      this.underway.add(event);
      // After an error too: the simulation waits for events that are underway.
      const over = (): void => {
        this.underway.delete(event);
        this.hold();
      };
      this.process(event, event.owner, frame.timeSeconds, isReady).catch(this.scripts.failed).then(over, over);
    }
    this.hold();
  }

  /** An event that waits to be fired is not fired once more. */
  later(event: TrickEvent): Promise<void> {
    const waiting = this.waiting.get(event);
    if (waiting) return waiting.over;
    const fire = { over: Promise.resolve() };
    this.waiting.set(event, fire);
    // A fire that comes while this one acts has an entry of its own.
    const begins = (): boolean => this.waiting.get(event) === fire && this.waiting.delete(event);
    const firing = this.process(event, event.owner, this.scripts.timeSeconds, begins);
    fire.over = firing.catch(this.scripts.failed).finally(begins);
    return fire.over;
  }

  /** Runs an event's actions now, and waits until the variables show them. */
  async elsewhere(event: TrickEvent, by: string): Promise<void> {
    // An event of the operator runs in the time of who fires it, and gives it no rights.
    const owner = event.owner || by;
    await (owner === by ? this.process(event, by, this.scripts.timeSeconds) : this.later(event));
    await this.scripts.of(owner).settled();
  }

  /** Runs an event's actions now, within a block of the server's own. */
  *here(event: TrickEvent, interpreter: Interpreter, ask: Asking): Run<void> {
    yield* this.evaluate(event, this.scripts.timeSeconds, interpreter, ask);
  }

  /** Holds a simulation that does not run in real time until the events of the input file have been evaluated. */
  hold(): void {
    const isHolding = (event: TrickEvent): boolean => event.owner === '' && event.isActive;
    const isBusy = [...this.underway].some(isOperators);
    const nextTics = isBusy ? this.lastTics : this.events.timing.nextTics(isHolding);
    if (nextTics === this.heldTics) return;
    this.heldTics = nextTics;
    if (nextTics === Number.POSITIVE_INFINITY) this.control({ action: 'let-go', id: HOLD_ID });
    // The start of a run has no deadline; later, real time leaves time enough between frames.
    else this.control({ action: 'hold', id: HOLD_ID, atTics: nextTics, unlessPaced: nextTics > 0 });
  }

  /** @param by in whose session and time it runs. @param isMeant asked when the event's turn has come. */
  private async process(
    event: TrickEvent,
    by: string,
    timeSeconds: number,
    isMeant: (event: TrickEvent) => boolean = () => true,
  ): Promise<void> {
    const length = lengthOf(event);
    const { owner } = event;
    const { surroundings } = this.scripts.of(by);
    const ask: Asking = (request) => surroundings.ask(request);
    const evaluate = this.evaluate.bind(this);
    // Meanwhile a client may have made the event its own, and its texts run in no other session.
    const mayRun = (): boolean => event.owner === owner;
    const failure = await this.scripts.run(by, {
      length,
      *start(interpreter) {
        if (mayRun() && isMeant(event)) yield* evaluate(event, timeSeconds, interpreter, ask);
      },
    });
    if (failure) this.stop(event, failure);
    surroundings.flush();
    this.hold();
  }

  /** Stops an event that has used up the limits of a block, because it would do so again. */
  private stop(event: TrickEvent, { pieces }: BlockFailure): void {
    event.isActive = false;
    event.manualDone();
    this.events.changed(event);
    this.events.say(
      `event ${event.name} was stopped and is not active any more:\n${pieces.join('').trimEnd()}`,
      'warning',
    );
  }

  private *evaluate(event: TrickEvent, timeSeconds: number, interpreter: Interpreter, ask: Asking): Run<void> {
    const before = stateOf(event);
    const { firedCount } = event;
    const owner = this.scripts.of(event.owner);
    try {
      // The texts run with their owner's names, whoever fires the event.
      yield* interpreter.as(owner.surroundings, event.process(timeSeconds, this.scriptFor(event, interpreter, ask)));
    } finally {
      owner.settleNames(interpreter.meter.allocatedBytes, lengthOf(event));
      if (before !== stateOf(event)) this.events.changed(event);
    }
    if (this.events.isTelling && event.firedCount > firedCount)
      this.events.say(`${timeSeconds.toFixed(6).padStart(12)} event ${event.name} fired`, 'informational');
  }

  private scriptFor(event: TrickEvent, interpreter: Interpreter, ask: Asking): EventScript {
    const loop = this;
    const { owner } = event;
    // Who gives the event new texts in the middle makes it its own, and the rest is not run for the owner before.
    const isSame = (): boolean => event.owner === owner;
    return {
      *holds(condition) {
        if (!isSame()) return false;
        if (condition.kind === ConditionKind.job)
          return (yield* loop.answered(event, condition, ask({ kind: 'call-job', job: condition.text }))) === true;
        const evaluation = evaluateText(interpreter, condition.text.trim(), loop.trees);
        const value = yield* loop.guarded(event, condition, interpreter, evaluation);
        return value !== undefined && isTrue(value) && isSame();
      },
      *act(action) {
        const { kind, text } = action;
        if (!isSame()) return;
        if (kind === ActionKind.text)
          yield* loop.guarded(event, action, interpreter, runText(interpreter, text, NO_FILE, loop.trees));
        else yield* loop.answered(event, action, ask(jobRequest(kind, text)));
      },
    };
  }

  /** The value of a job's answer; a refusal is logged once. */
  private *answered(event: TrickEvent, item: object, asking: ReturnType<Asking>): Run<unknown> {
    const asked = yield* asking;
    if ('value' in asked) return asked.value;
    this.sayOnce(event, item, asked.refusal);
    return undefined;
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
      if (code !== undefined) {
        if (isOperators(event)) this.control({ action: 'terminate', code, reason: `event ${event.name} has ended it` });
        return undefined;
      }
      this.sayOnce(event, item, error.message);
      const reason = `event ${event.name} failed`;
      if (this.events.endsOnError) this.control({ action: 'terminate', code: ERROR_CODE, reason });
      return undefined;
    }
  }
}

const lengthOf = ({ conditions, actions }: TrickEvent): number =>
  [...conditions, ...actions].reduce((sum, { text }) => sum + text.length, 0);

const jobRequest = (kind: ActionKind, job: string): Request =>
  kind === ActionKind.jobCall
    ? { kind: 'call-job', job }
    : { kind: 'job', choice: { job, instance: 1 }, isOn: kind === ActionKind.jobOn };

const isReady = ({ isAdded, isActive, isManuallyFired, target }: TrickEvent): boolean =>
  isAdded && (isActive || (target !== undefined && isManuallyFired));

const isOperators = ({ owner }: TrickEvent): boolean => owner === '';

/** The part of an event that its evaluation changes and the variables show. */
function stateOf(event: TrickEvent): string {
  const { isActive, isManuallyFired, hasFired, hold, hasRun, firedCount, ranCount, conditions, actions } = event;
  const flags = [isActive, isManuallyFired, hasFired, hold, hasRun, firedCount, ranCount];
  const counts = conditions.map(({ hasFired: fired, firedCount: count }) => `${fired}${count}`);
  return `${flags} ${counts} ${actions.map(({ hasRun: ran }) => ran)}`;
}
