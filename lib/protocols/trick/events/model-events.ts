// The events that the simulation's own code makes, from its catalog. Trick: an IPPythonEvent that a model declares
import type { EventDescription, EventItemDescription } from '../../../model/state/event-description.js';
import type { Source } from '../../../source/source.js';
import { ActionKind, ConditionKind, TrickEvent } from './event.js';
import type { EventTable } from './event-table.js';

export class ModelEvents {
  private isMade = false;

  constructor(
    private readonly source: Pick<Source, 'catalog' | 'frameIds'>,
    private readonly table: EventTable,
  ) {}

  /** Makes the events once; they belong to the input file. At an edge none: they are evaluated where the simulation runs. */
  make(): void {
    if (this.isMade || this.source.frameIds) return;
    this.isMade = true;
    for (const description of this.source.catalog.events) this.makeOne(description);
  }

  private makeOne(description: EventDescription): void {
    const event = eventOf(description);
    try {
      this.table.take(description.path, event);
      if (description.isAdded) this.table.add(event);
    } catch (error) {
      this.table.say(`event ${description.path} is not made: ${(error as Error).message}`, 'error');
    }
  }
}

function eventOf({ name, needsAll, isActive, cycleSeconds, conditions, actions }: EventDescription): TrickEvent {
  const event = new TrickEvent(name);
  event.needsAll = needsAll;
  event.isActive = isActive;
  if (cycleSeconds !== undefined) event.setCycle(cycleSeconds);
  const each = (items: readonly EventItemDescription[], set: (at: number, item: EventItemDescription) => void) =>
    items.forEach((item, at) => {
      set(at, item);
    });
  each(conditions, (at, { text, comment, isFunction }) =>
    event.setCondition(at, text, comment, isFunction ? ConditionKind.job : ConditionKind.text),
  );
  each(actions, (at, { text, comment, isFunction }) =>
    event.setAction(at, text, comment, isFunction ? ActionKind.jobCall : ActionKind.text),
  );
  return event;
}
