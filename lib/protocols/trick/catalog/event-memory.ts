// The variables that show events: when there is no more room in them, they are made again, ahead of time and in steps.
import type { Arena } from '../../../model/state/arena.js';
import { describe } from '../../../model/state/declare.js';
import type { ComponentView, ObjectHandle } from '../../../model/state/state.js';
import { storeValue } from '../../../model/state/write.js';
import { EventImage, SHOWN_BYTES, type ShownEvent } from './event-image.js';
import type { EventRoom, eventTypes } from './event-types.js';

const FIRST_ROOM: EventRoom = { events: 8, conditions: 8, actions: 8, listed: 8, textBytes: 64 };
/** Events, conditions and actions that are written anew in one step. */
const WRITTEN_IN_A_STEP = 50;

/** Changes of the viewer's list. */
export interface ShownEvents {
  readonly updateTicker: number;
  /** Events in the list, deleted ones included. */
  readonly count: number;
  readonly changes: readonly (readonly [index: number, event: ShownEvent])[];
}

export class EventMemory {
  private readonly events: ShownEvent[] = [];
  private readonly used = { conditions: 0, actions: 0 };
  private image = new EventImage(FIRST_ROOM);
  private viewer: ComponentView<ReturnType<typeof eventTypes>['Viewer']>;
  /** Changes that are not shown yet, in their order. */
  private readonly waiting: ShownEvents[] = [];
  private underway: Iterator<void> | undefined;

  constructor(
    private readonly object: ObjectHandle,
    private readonly arena: Arena,
  ) {
    this.viewer = this.place(this.image);
  }

  /** Shows changes, after those that came before, in steps of a fraction of a millisecond. */
  *show(shown: ShownEvents): Generator<void> {
    this.waiting.push(shown);
    for (;;) {
      this.step();
      if (!this.waiting.includes(shown)) return;
      yield;
    }
  }

  /** Does a step of the changes that came first. */
  private step(): void {
    const [first] = this.waiting;
    if (!first) return;
    this.underway ??= this.apply(first);
    let isOver = true;
    try {
      isOver = this.underway.next().done === true;
    } finally {
      if (isOver) {
        this.waiting.shift();
        this.underway = undefined;
      }
    }
  }

  private *apply({ updateTicker, count, changes }: ShownEvents): Generator<void> {
    for (const [index, event] of changes) this.note(index, event);
    const { room } = this.image;
    const needed = roomFor(this.events.length, this.used, changes, room);
    if (needed === room) for (const [index, event] of changes) this.image.write(index, event);
    else yield* this.makeAnew(needed);
    if (this.viewer.mtv_list.length !== count) this.list(count);
    this.viewer.mtv_count = count;
    this.viewer.mtv_update_ticker = updateTicker;
  }

  /** Counts the conditions and actions of all events. */
  private note(index: number, event: ShownEvent): void {
    const before = this.events[index];
    this.used.conditions += event.conditions.length - (before?.conditions.length ?? 0);
    this.used.actions += event.actions.length - (before?.actions.length ?? 0);
    this.events[index] = event;
  }

  /** Writes all events with more room; until all are written, the old variables stay as they are. */
  private *makeAnew(room: EventRoom): Generator<void> {
    const image = new EventImage(room);
    let written = 0;
    for (const [index, event] of this.events.entries()) {
      image.write(index, event);
      written += 1 + event.conditions.length + event.actions.length;
      if (written < WRITTEN_IN_A_STEP) continue;
      written = 0;
      yield;
    }
    for (const alias of ['mtv', 'event_memory']) this.object.remove(alias);
    this.image = image;
    this.viewer = this.place(image);
  }

  /** Adds the variables. */
  private place(image: EventImage): ComponentView<ReturnType<typeof eventTypes>['Viewer']> {
    const { Viewer, Memory } = image.types;
    const viewer = this.object.component('mtv', describe(Viewer, { access: 'read-only' }));
    const memory = this.object.component(
      'event_memory',
      describe(Memory, { access: 'read-only', about: 'what mtv.mtv_list points at' }),
    );
    image.moveTo(this.arena.memory, this.extentOf(memory).offsetBytes);
    return viewer;
  }

  private list(count: number): void {
    const { type, offsetBytes } = this.extentOf(this.viewer.mtv_list);
    const pointers = Array.from({ length: count }, (_, index) => [this.image.at(index)]);
    storeValue(this.arena.memory, type, offsetBytes, pointers, this.image.aim);
  }

  private extentOf(view: object): NonNullable<ReturnType<Arena['extentOf']>> {
    const extent = this.arena.extentOf(view);
    if (!extent) throw new Error('a view of the events is not in the state');
    return extent;
  }
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
