// All events of a server, by number and by name; every session sees the same ones. Trick: MTV
import type { Request } from '../../source/source.js';
import { EVENT_CAPACITY, type ShownEvents } from '../catalog/event-objects.js';
import { showEvents } from '../catalog/trick-variables.js';
import { EventPlace, TrickEvent } from './event.js';

/** Trick's event viewer does not show events of this name. */
const DELETED = 'XXX_DELETED_EVENT';

export class EventTable {
  private readonly events: TrickEvent[] = [];
  private updateTicker = 0;
  private isChanged = false;

  /** @param made called for each new event. */
  constructor(private readonly made: () => void = () => undefined) {}

  /** How many there may be. */
  readonly capacity = EVENT_CAPACITY.events;

  /** In the order of their numbers, deleted ones included. */
  get all(): readonly TrickEvent[] {
    return this.events;
  }

  find(name: string): TrickEvent | undefined {
    return name === DELETED ? undefined : this.events.find((event) => event.name === name);
  }

  /** Makes an event; it replaces an event of the same name. Undefined when there is no room. */
  create(name: string): TrickEvent | undefined {
    const places = [name, DELETED].map((taken) => this.events.findIndex((event) => event.name === taken));
    const place = places.find((index) => index >= 0) ?? this.events.length;
    if (place >= this.capacity) return undefined;
    const event = new TrickEvent(name);
    this.events[place] = event;
    this.listChanged();
    this.made();
    return event;
  }

  add(event: TrickEvent, place: EventPlace = EventPlace.frame, targetName?: string): void {
    event.add(place, targetName);
    this.listChanged();
  }

  remove(event: TrickEvent): void {
    event.isAdded = false;
    this.listChanged();
  }

  /** Deletes an event. The others keep their numbers, because viewers use them until they read the list again. */
  delete(event: TrickEvent): void {
    const index = this.events.indexOf(event);
    event.isAdded = false;
    if (index >= 0) this.events[index] = new TrickEvent(DELETED);
    this.listChanged();
  }

  /** Notes that the variables no longer show the events as they are. */
  changed(): void {
    this.isChanged = true;
  }

  /** What makes the variables show the events, once after each change. */
  takeChange(): Request | undefined {
    if (!this.isChanged) return undefined;
    this.isChanged = false;
    return showEvents({ updateTicker: this.updateTicker, events: this.events.map(shownEvent) });
  }

  private listChanged(): void {
    this.updateTicker++;
    this.isChanged = true;
  }
}

function shownEvent(event: TrickEvent): ShownEvents['events'][number] {
  return {
    active: event.isActive,
    added: event.isAdded,
    manual: event.isManual,
    manual_fired: event.isManuallyFired,
    hold: event.hold,
    condition_count: event.conditions.length,
    action_count: event.actions.length,
    before_after: event.place,
    fired_count: event.firedCount,
    ran_count: event.ranCount,
    cycle: event.cycleSeconds,
    fired_time: event.firedSeconds,
    ran_time: event.ranSeconds,
    conditions: event.conditions.map(({ isEnabled, holds, hasFired, firedCount, firedSeconds }) => ({
      enabled: isEnabled,
      hold: holds,
      fired: hasFired,
      fired_count: firedCount,
      fired_time: firedSeconds,
    })),
    actions: event.actions.map(({ isEnabled, ranCount, ranSeconds }) => ({
      enabled: isEnabled,
      ran_count: ranCount,
      ran_time: ranSeconds,
    })),
  };
}
