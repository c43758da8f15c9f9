// Evaluates the events at the frames of a running simulation, one after another. Trick: EventManager
import { Reason } from '../../frame/header.js';
import type { Frame } from '../../frame/reader.js';
import type { EventScript, TrickEvent } from '../events/event.js';
import type { EventTable } from '../events/event-table.js';
import type { Interpreter } from '../interpreter/interpreter.js';
import { isTrue, type Run } from '../interpreter/values.js';
import { evaluateText, runText } from './block-text.js';
import type { ServerScript } from './server-script.js';

export class EventLoop {
  /** Events that are being evaluated. A slow event misses the frames that come meanwhile. */
  private readonly underway = new Set<TrickEvent>();

  /** @param script makes the server's session when an event is due for the first time. */
  constructor(
    private readonly events: EventTable,
    private readonly script: () => ServerScript,
  ) {}

  /** Takes a frame of the simulation. */
  take(frame: Frame): void {
    const { reason, timeTics, ticsPerSecond } = frame.header;
    if (reason !== Reason.tick) return;
    for (const event of this.events.all) {
      if (this.underway.has(event) || !event.takeTurn(timeTics, ticsPerSecond)) continue;
      this.underway.add(event);
      void this.process(event, frame.timeSeconds);
    }
  }

  /** Evaluates an event. An error is logged, and deactivates the event. */
  private async process(event: TrickEvent, timeSeconds: number): Promise<void> {
    const script = this.script();
    const length = [...event.conditions, ...event.actions].reduce((sum, { text }) => sum + text.length, 0);
    const start = (interpreter: Interpreter): Run<void> => this.evaluate(event, timeSeconds, interpreter);
    const failure = await script.run({ length, start });
    this.underway.delete(event);
    if (!failure) return;
    event.deactivate();
    this.events.changed();
    script.surroundings.flush();
    script.session.stdio.writeError([`event ${event.name} failed and is not active any more:\n`, ...failure.pieces]);
  }

  private *evaluate(event: TrickEvent, timeSeconds: number, interpreter: Interpreter): Run<void> {
    const { isActive, firedCount, ranCount, hold } = event;
    yield* event.process(timeSeconds, scriptOf(interpreter));
    const isSame =
      isActive === event.isActive &&
      firedCount === event.firedCount &&
      ranCount === event.ranCount &&
      hold === event.hold;
    if (!isSame || event.conditions.some(({ firedSeconds }) => firedSeconds === timeSeconds)) this.events.changed();
  }
}

const scriptOf = (interpreter: Interpreter): EventScript => ({
  *holds(condition) {
    return isTrue(yield* evaluateText(interpreter, condition.trim()));
  },
  act: (action) => runText(interpreter, action),
});
