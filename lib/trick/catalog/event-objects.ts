// Events as variables, for Trick's event viewer; the server keeps the events and sends what these variables show.
import type { OverlayHost } from '../../executive/overlay.js';
import { describe } from '../../model/declare.js';
import { EVENT_CAPACITY } from '../../model/event-description.js';
import type { ComponentView, ObjectHandle } from '../../model/state.js';
import { type EventMembers, type EventRoom, eventTypes, type ShownAction, type ShownCondition } from './event-types.js';

/** The most bytes of a text that are shown: the state is copied in every frame. */
export const SHOWN_BYTES = 250;
const FIRST_ROOM: EventRoom = { events: 8, conditions: 8, actions: 8, listed: 8, textBytes: 64 };

export interface ShownEvent extends EventMembers {
  readonly conditions: readonly ShownCondition[];
  readonly actions: readonly ShownAction[];
}

/** Changes of the viewer's list. */
export interface ShownEvents {
  readonly updateTicker: number;
  /** Events in the list, deleted ones included. */
  readonly count: number;
  readonly changes: readonly (readonly [index: number, event: ShownEvent])[];
}

/** Adds `trick_ip.mtv` without events; clients may only read it. Returns a function that shows events in it. */
export function addEventObjects({ state }: OverlayHost): (shown: unknown) => void {
  const memory = new EventMemory(state.addObject('trick_ip', { typeName: 'IPPythonSimObject' }));
  return (shown) => memory.show(shownEvents(shown));
}

type Views = {
  readonly viewer: ComponentView<ReturnType<typeof eventTypes>['Viewer']>;
  readonly memory: ComponentView<ReturnType<typeof eventTypes>['Memory']>;
};

/** The variables; when there is no more room in them, they are made again with twice as much. */
class EventMemory {
  private readonly events: ShownEvent[] = [];
  private readonly used = { conditions: 0, actions: 0 };
  private room = FIRST_ROOM;
  private views: Views;
  /** By the number of an event: the places in memory of its conditions and actions. */
  private places: { readonly conditions: number[]; readonly actions: number[] }[] = [];
  private free: { readonly conditions: number[]; readonly actions: number[] };

  constructor(private readonly object: ObjectHandle) {
    this.views = this.make();
    this.free = freeIn(this.room);
  }

  show({ updateTicker, count, changes }: ShownEvents): void {
    for (const [index, event] of changes) this.note(index, event);
    const needed = roomFor(this.events.length, this.used, changes, this.room);
    if (needed === this.room) for (const [index, event] of changes) this.write(index, event);
    else this.makeAnew(needed);
    const { viewer, memory } = this.views;
    const known = viewer.mtv_list.length;
    viewer.mtv_list.length = count;
    for (let index = known; index < count; index++) {
      const event = memory.events[index];
      if (event) viewer.mtv_list.at(index).pointTo(event);
    }
    viewer.mtv_count = count;
    viewer.mtv_update_ticker = updateTicker;
  }

  /** Counts the conditions and actions of all events. */
  private note(index: number, event: ShownEvent): void {
    const before = this.events[index];
    this.used.conditions += event.conditions.length - (before?.conditions.length ?? 0);
    this.used.actions += event.actions.length - (before?.actions.length ?? 0);
    this.events[index] = event;
  }

  private make(): Views {
    const { Viewer, Memory } = eventTypes(this.room);
    const viewer = this.object.component('mtv', describe(Viewer, { access: 'read-only' }));
    const memory = this.object.component(
      'event_memory',
      describe(Memory, { access: 'read-only', about: 'what mtv.mtv_list points at' }),
    );
    return { viewer, memory };
  }

  private makeAnew(room: EventRoom): void {
    for (const alias of ['mtv', 'event_memory']) this.object.remove(alias);
    this.room = room;
    this.places = [];
    this.free = freeIn(room);
    this.views = this.make();
    for (const [index, event] of this.events.entries()) this.write(index, event);
  }

  private write(index: number, { conditions, actions, ...members }: ShownEvent): void {
    const { memory } = this.views;
    const view = memory.events[index];
    if (!view) return;
    const { name, target_name, ...others } = members;
    Object.assign(view, others, { name: shownText(name), target_name: shownText(target_name) });
    const places = this.places[index] ?? { conditions: [], actions: [] };
    this.places[index] = places;
    take(places.conditions, this.free.conditions, conditions.length);
    take(places.actions, this.free.actions, actions.length);
    view.condition_list.length = conditions.length;
    view.action_list.length = actions.length;
    for (const [at, condition] of conditions.entries()) {
      const place = memory.conditions[places.conditions[at] as number];
      if (place) view.condition_list.at(at).pointTo(Object.assign(place, shownItem(condition)));
    }
    for (const [at, action] of actions.entries()) {
      const place = memory.actions[places.actions[at] as number];
      if (place) view.action_list.at(at).pointTo(Object.assign(place, shownItem(action)));
    }
  }
}

const freeIn = ({ conditions, actions }: EventRoom) => ({
  conditions: Array.from({ length: conditions }, (_, index) => index),
  actions: Array.from({ length: actions }, (_, index) => index),
});

/** Takes places until there are as many as wanted, or gives some back. */
function take(own: number[], free: number[], count: number): void {
  while (own.length > count) free.push(own.pop() as number);
  while (own.length < count) own.push(free.pop() as number);
}

const shownItem = <T extends ShownCondition | ShownAction>(item: T): T => ({
  ...item,
  str: shownText(item.str),
  comment: shownText(item.comment),
});

/** As much of a text as is shown, without half a character at its end. */
function shownText(words: string): string {
  const bytes = Buffer.from(words);
  if (bytes.length <= SHOWN_BYTES) return words;
  return bytes.subarray(0, SHOWN_BYTES).toString().replace(/�+$/, '');
}

/** Twice the room, or more, where it is too small; the same object when it is large enough. */
function roomFor(
  events: number,
  used: Pick<EventRoom, 'conditions' | 'actions'>,
  changes: ShownEvents['changes'],
  room: EventRoom,
): EventRoom {
  let listed = 0;
  let longest = 0;
  const measure = (words: string): void => {
    longest = Math.max(longest, Buffer.byteLength(words));
  };
  for (const [, { name, target_name, conditions, actions }] of changes) {
    listed = Math.max(listed, conditions.length, actions.length);
    measure(name);
    measure(target_name);
    for (const { str, comment } of [...conditions, ...actions]) {
      measure(str);
      measure(comment);
    }
  }
  const needed: EventRoom = {
    events: doubled(room.events, events),
    conditions: doubled(room.conditions, used.conditions),
    actions: doubled(room.actions, used.actions),
    listed: doubled(room.listed, listed),
    textBytes: doubled(room.textBytes, Math.min(SHOWN_BYTES, longest) + 1),
  };
  const isEnough = Object.entries(needed).every(([what, size]) => size === room[what as keyof EventRoom]);
  return isEnough ? room : needed;
}

function doubled(size: number, needed: number): number {
  let doubled = size;
  while (doubled < needed) doubled *= 2;
  return doubled;
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
