// Evaluates the events of a running simulation: the operator's when the simulation asks, clients' at frames. Trick: EventManager
import { Mode, Reason } from '../../../model/frame/header.js';
import type { Frame } from '../../../model/frame/reader.js';
import type { Source } from '../../../source/source.js';
import type { Interpreter, Run } from '../../python/index.js';
import type { Asking } from '../events/errands.js';
import { isReady, type TrickEvent } from '../events/event.js';
import type { EventTable } from '../events/event-table.js';
import { lateSentence } from '../events/timing.js';
import type { EventFiring } from '../session/server-settings.js';
import { type Decided, EventEvaluation, lengthOf } from './event-evaluation.js';
import { EventHolds } from './event-holds.js';
import type { Scripts } from './scripts.js';

export class EventLoop implements EventFiring {
  /** Events of clients that are being evaluated. A slow one misses the frames that come meanwhile. */
  private readonly underway = new Set<TrickEvent>();
  /** Events of clients that others have fired and that have not begun. */
  private readonly waiting = new Map<TrickEvent, { over: Promise<void> }>();
  private readonly evaluation: EventEvaluation;
  private readonly holds: EventHolds;
  private lastTics = 0;

  constructor(
    private readonly events: EventTable,
    private readonly scripts: Scripts,
    source: Pick<Source, 'submit' | 'frame'>,
  ) {
    this.evaluation = new EventEvaluation(
      events,
      (owner) => scripts.of(owner),
      (code, reason) => {
        source.submit({ kind: 'control', control: { action: 'terminate', code, reason } }).catch(() => undefined);
      },
    );
    const process = (event: TrickEvent, decided: Decided, done: () => void): void =>
      void this.process(event, '', scripts.timeSeconds, isReady, decided).catch(scripts.failed).then(done, done);
    this.holds = new EventHolds(events, source, this.evaluation.trees, () => scripts.of('').surroundings, process);
    scripts.operatorsRan = () => this.holds.namesChanged();
  }

  /** Evaluates the events of clients that are due at a frame. */
  take(frame: Frame): void {
    const { reason, mode, timeTics, ticsPerSecond } = frame.header;
    const { timing } = this.events;
    this.holds.askAgain();
    if (timeTics < this.lastTics) timing.restartAt(timeTics);
    this.lastTics = timeTics;
    if (reason === Reason.scheduled || mode === Mode.initialization || mode === Mode.freeze) return;
    const due = timing.due(timeTics, ticsPerSecond, (event) => this.events.say(lateSentence(event), 'warning'));
    for (const event of mode === Mode.exit ? [...due, ...timing.atEnd()] : due) {
      // A read of this time that has not run yet may still switch the event.
      if (this.underway.has(event) || (!isReady(event) && this.scripts.isIdle(event.owner))) continue;
      this.underway.add(event);
      const over = (): boolean => this.underway.delete(event);
      this.process(event, event.owner, frame.timeSeconds, isReady).catch(this.scripts.failed).then(over, over);
    }
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
    yield* this.evaluation.run(event, this.scripts.timeSeconds, interpreter, ask);
  }

  /** Tells the simulation what has changed of the operator's events. */
  settle(): void {
    this.holds.settle();
  }

  /** @param by in whose session and time it runs. @param isMeant asked when the event's turn has come. */
  private async process(
    event: TrickEvent,
    by: string,
    timeSeconds: number,
    isMeant: (event: TrickEvent) => boolean = () => true,
    decided?: Decided,
  ): Promise<void> {
    const length = lengthOf(event);
    const { owner } = event;
    const { surroundings } = this.scripts.of(by);
    const ask: Asking = (request) => surroundings.ask(request);
    const { evaluation } = this;
    // Meanwhile a client may have made the event its own, and its texts run in no other session.
    const mayRun = (): boolean => event.owner === owner;
    const failure = await this.scripts.run(by, {
      length,
      *start(interpreter) {
        if (mayRun() && isMeant(event)) yield* evaluation.run(event, timeSeconds, interpreter, ask, decided);
      },
    });
    if (failure) evaluation.stop(event, failure);
    surroundings.flush();
  }
}
