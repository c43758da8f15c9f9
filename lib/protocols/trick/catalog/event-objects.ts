// Events as variables, for Trick's event viewer; the server keeps the events and sends what these variables show.

import { EVENT_CAPACITY } from '../../../model/state/event-description.js';
import type { OverlayHost } from '../../../simulation/executive/overlay.js';
import { EventMemory, type ShownEvents } from './event-memory.js';
import type { EventMembers } from './event-types.js';
import { addServiceObject } from './service-object.js';

/** Adds `trick_ip.mtv` without events; clients may only read it. Returns a function that shows events in it, in steps. */
export function addEventObjects({ state }: OverlayHost): (shown: unknown) => Iterable<void> {
  const memory = new EventMemory(addServiceObject(state, 'trick_ip', 'IPPythonSimObject'), state.arena);
  return (shown) => memory.show(shownEvents(shown));
}

/** What is shown of an event besides its conditions and actions. */
const EVENT: EventMembers = {
  name: '',
  active: false,
  thread_id: 0,
  before_after: 0,
  cycle: 0,
  cycle_tics: 0n,
  free_on_removal: false,
  target_name: '',
  target_inst: 0,
  added: false,
  is_user_event: false,
  manual: false,
  manual_fired: false,
  cond_all: false,
  fired: 0,
  hold: 0,
  ran: 0,
  condition_count: 0,
  fired_count: 0,
  fired_time: 0,
  action_count: 0,
  ran_count: 0,
  ran_time: 0,
};

/** Whether a value has the members of another one, each of its kind. */
const isLike = <T extends object>(value: T | undefined, other: object): value is T =>
  Object.entries(other).every(([name, member]) => typeof Object(value)[name] === typeof member);

/** Looks at what the views do not check when it is stored. */
function shownEvents(shown: unknown): ShownEvents {
  const { updateTicker, count, changes } = Object(shown) as Partial<ShownEvents>;
  const isCount = (value: unknown, most: number): value is number =>
    Number.isInteger(value) && (value as number) >= 0 && (value as number) <= most;
  const isList = (value: unknown): boolean => Array.isArray(value) && value.length <= EVENT_CAPACITY.listed;
  const isFit =
    Number.isInteger(updateTicker) &&
    isCount(count, EVENT_CAPACITY.events) &&
    Array.isArray(changes) &&
    changes.every(
      ([index, event]) =>
        isCount(index, count - 1) && isLike(event, EVENT) && isList(event.conditions) && isList(event.actions),
    );
  if (isFit) return shown as ShownEvents;
  const { events: most, listed } = EVENT_CAPACITY;
  throw new TypeError(
    `what is shown of events is a ticker, a count and changes of up to ${most} events, each with up to ${listed} conditions and actions`,
  );
}
