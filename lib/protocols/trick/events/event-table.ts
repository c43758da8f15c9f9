// All events of a server, by name and in the event viewer's order; every session sees the same ones. Trick: MTV, EventManager
import { EVENT_CAPACITY } from '../../../model/state/event-description.js';
import { type Account, OverBoundError } from '../../../serving/scheduling/account.js';
import type { LogLevel, Request } from '../../../source/source.js';
import { ScriptError } from '../../python/index.js';
import type { ShownEvent } from '../catalog/event-image.js';
import { showEvents } from '../catalog/trick-variables.js';
import { type EventTarget, TrickEvent, UNNAMED } from './event.js';
import { OwnerCounts } from './owner-counts.js';
import { shownEvent, shownGone } from './shown-event.js';
import { EventTiming, TICS_PER_SECOND } from './timing.js';
import { UnsettledEvents } from './unsettled-events.js';

/** The most events of all, and of one client's address; events of the input file are bounded by the first alone. */
const MOST_EVENTS = EVENT_CAPACITY.events;
const MOST_OF_ONE = 250;
/** Bytes that an event, and a condition or action, takes besides its texts. */
const EVENT_BYTES = 2048;
const ITEM_BYTES = 512;
/** The most conditions and actions of all events, and of the events of one client's address. */
const MOST_ITEMS = 2000;
const MOST_ITEMS_OF_ONE = 500;
/** Events, conditions and actions in one request: the simulation shows so many in less than a millisecond. */
const MOST_SHOWN_AT_ONCE = 150;

interface Item {
  readonly text: string;
  readonly comment: string;
}

/** What the table needs of its server. */
export interface EventServer {
  /** Whether the simulation can wait for the operator's events at their times. */
  readonly canWait: () => boolean;
  /** Whether viewers list these events. Default: they do. */
  readonly areShown?: () => boolean;
  /** Called when there is something to evaluate at frames. */
  readonly follow: () => void;
  /** Called when events have changed, before the variables show it. */
  readonly changed: () => void;
  /** The account of an owner of events; undefined for the input file. */
  readonly accountOf: (owner: string) => Account | undefined;
  readonly say: (text: string, level?: LogLevel) => void;
  readonly isVariable: (path: string) => boolean;
  /** Simulation time of the latest frame in tics; negative before the first frame of a run. */
  readonly timeTics: () => number;
}

const unshownSentence = ({ name }: TrickEvent): string =>
  `event ${name} is evaluated at this edge; event viewers list those of the simulation's own server alone`;

/** Stands in the viewer's list where an event has been deleted. */
const DELETED = new TrickEvent(UNNAMED);

/** How many conditions and actions a deleted event had, which viewers may still read. */
interface Gone {
  readonly conditions: number;
  readonly actions: number;
}

export class EventTable {
  /** Of the events that are evaluated at frames: those of clients. */
  readonly timing = new EventTiming();
  readonly unsettled = new UnsettledEvents();
  /** Whether each firing is logged. Trick: IPPythonEvent::set_event_info_msg_on */
  isTelling = false;
  /** Hears of each firing; the server sets this function. */
  onFired: (name: string, timeSeconds: number) => void = () => {};
  /** Whether an error in a condition or action ends the simulation. Trick: terminate_on_event_parse_error */
  endsOnError = false;
  /** In the order in which they were made; deleted events stay until their room is needed. */
  private readonly events = new Set<TrickEvent>();
  private readonly deleted = new Set<TrickEvent>();
  private readonly names = new Map<string, TrickEvent>();
  /** Events of the simulation by their paths. */
  private readonly paths = new Map<string, TrickEvent>();
  /** The viewer's list; the number of an event does not change. */
  private readonly slots: TrickEvent[] = [];
  /** By the number of a deleted event. */
  private readonly gone = new Map<number, Gone>();
  private readonly bytes = new Map<TrickEvent, number>();
  private readonly changedSlots = new Set<number>();
  private readonly owners = new OwnerCounts();
  /** Conditions and actions of all events, and of deleted ones that viewers may still read. */
  private items = 0;
  private updateTicker = 0;
  private isListChanged = false;
  /** The length of the list and the ticker as the variables show them. */
  private shownList = { count: 0, updateTicker: 0 };

  constructor(private readonly server: EventServer) {}

  /** Changes whenever events come into the viewer's list or go. */
  get ticker(): number {
    return this.updateTicker;
  }

  /** The viewer's list. */
  get listed(): readonly TrickEvent[] {
    return this.slots;
  }

  find(name: string): TrickEvent | undefined {
    return this.names.get(name);
  }

  /** The event that the simulation has made at a path. */
  at(path: string): TrickEvent | undefined {
    return this.paths.get(path);
  }

  /** Takes an event that the simulation has made. Throws a ScriptError when there is no room. */
  take(path: string, event: TrickEvent): void {
    this.admit(event);
    this.paths.set(path, event);
  }

  /** The event of a name that is being evaluated. Trick: EventManager::get_event */
  findAdded(name: string): TrickEvent | undefined {
    const found = this.names.get(name);
    return found?.isAdded ? found : undefined;
  }

  /** The event of a name in the viewer's list. Trick: MTV::get_event */
  findListed(name: string): TrickEvent | undefined {
    const found = this.names.get(name);
    return found && this.slots.includes(found) ? found : undefined;
  }

  /** Whether an owner has events. */
  hasEventsOf(owner: string): boolean {
    return this.owners.of(owner).events > 0;
  }

  /**
   * Makes an event; undefined when its name is taken. The operator takes the name of a client's event, which is removed.
   * Throws a ScriptError when there is no room.
   */
  create(name: string, owner: string): TrickEvent | undefined {
    const known = this.names.get(name);
    if (known && !this.deleted.has(known)) {
      if (owner !== '' || known.owner === '') return undefined;
      this.delete(known);
      this.say(`event ${name} of ${known.owner} is removed: the operator makes one of that name`, 'warning');
    }
    if (known) this.forget(known);
    const event = new TrickEvent(name, owner);
    this.admit(event);
    return event;
  }

  /**
   * Evaluates an event from the next frame on, and lists it for the viewer. Throws a ScriptError for one whose name another
   * event has got meanwhile. Trick: ippython_add_event
   */
  add(event: TrickEvent, target?: EventTarget): void {
    const holder = this.names.get(event.name);
    if (holder && holder !== event && !this.deleted.has(holder))
      throw new ScriptError('RuntimeError', `there is another event ${event.name} now`);
    this.admit(event);
    this.deleted.delete(event);
    event.isAdded = true;
    event.target = target;
    this.timing.remove(event);
    if (this.isHeld(event)) this.unsettled.add(event, true);
    else this.followFrames(event, this.server.timeTics());
    this.list(event);
  }

  /** Evaluates it at frames, from the first one after a time on. */
  private followFrames(event: TrickEvent, afterTics: number): void {
    this.timing.add(event, afterTics);
    this.server.follow();
  }

  /** Whether the simulation waits at the times of an event, because the operator has added it. */
  isHeld({ isAdded, isElsewhere, owner }: TrickEvent): boolean {
    return isAdded && !isElsewhere && owner === '' && this.server.canWait();
  }

  /** Lists an event that is not evaluated, because its job is not there. */
  list(event: TrickEvent): void {
    this.admit(event);
    if (!this.slots.includes(event)) {
      const free = this.slots.length < MOST_EVENTS ? this.slots.length : this.slots.indexOf(DELETED);
      this.forgetGone(free);
      this.slots[free] = event;
      this.listChanged();
      if (this.server.areShown?.() === false) this.say(unshownSentence(event), 'warning');
    }
    this.changed(event);
  }

  remove(event: TrickEvent): void {
    if (event.isAdded) this.unsettled.add(event);
    event.isAdded = false;
    this.timing.remove(event);
    this.changed(event);
  }

  /** Deletes an event. Its name still means it until another event takes the name, so it can be added again. */
  delete(event: TrickEvent): void {
    this.remove(event);
    const slot = this.slots.indexOf(event);
    if (slot >= 0) {
      this.slots[slot] = DELETED;
      this.gone.set(slot, { conditions: event.conditions.length, actions: event.actions.length });
      this.items += itemCount(event);
      this.changedSlots.add(slot);
      this.listChanged();
      this.forgetOldestGone(MOST_ITEMS);
    }
    if (this.events.has(event)) this.deleted.add(event);
  }

  /**
   * Counts the texts of a condition or action instead of those of the one that it replaces. Throws a ScriptError, and then
   * counts nothing, when there is no room.
   */
  reserve(event: TrickEvent, replaced: Item | undefined, text: string, comment: string): void {
    if (!this.events.has(event)) {
      this.admit(event);
      this.deleted.add(event);
    }
    if (!replaced) this.makeRoomForItem(event);
    const before = this.bytes.get(event) ?? 0;
    this.charge(event, before, before - bytesOfItem(replaced) + bytesOfItem({ text, comment }));
    if (replaced) return;
    this.items++;
    this.owners.add(event.owner, 0, 1);
  }

  /** Makes an event a client's. Throws a ScriptError, and changes nothing, when the client has no room for it. */
  give(event: TrickEvent, owner: string): void {
    if (event.owner === owner) return;
    if (this.events.has(event)) this.makeRoom(owner);
    // Room may have been made by forgetting this very event.
    if (this.events.has(event)) {
      const bytes = this.bytes.get(event) ?? 0;
      this.account(owner, 0, bytes);
      this.account(event.owner, bytes, 0);
      const items = itemCount(event);
      this.owners.add(event.owner, -1, -items);
      this.owners.add(owner, 1, items);
    }
    if (event.isAdded) this.unsettled.add(event);
    event.owner = owner;
    if (event.isAdded) this.followFrames(event, this.server.timeTics() + event.cycleTics(TICS_PER_SECOND) - 1);
  }

  /** Notes that the variables no longer show an event as it is. */
  changed(event: TrickEvent): void {
    if (event.isAdded) this.unsettled.add(event);
    const slot = this.slots.indexOf(event);
    if (slot >= 0) this.changedSlots.add(slot);
  }

  /**
   * The request that makes the variables show the events; once after each change. Many changes are taken piece by piece,
   * so that the simulation has time for each between ticks; viewers are told of the new list with the last one.
   */
  takeChange(): Request | undefined {
    if (this.changedSlots.size === 0 && !this.isListChanged) return undefined;
    const changes = this.takeSlots().map((index) => [index, this.shown(index)] as const);
    const isLast = this.changedSlots.size === 0;
    const listed = isLast ? this.slots.length : Math.max(this.shownList.count, Math.min(...this.changedSlots));
    const updateTicker = isLast ? this.updateTicker : this.shownList.updateTicker;
    if (isLast) this.isListChanged = false;
    this.shownList = { count: listed, updateTicker };
    this.server.changed();
    return showEvents({ updateTicker, count: listed, changes });
  }

  /** The first changed events, as many as are shown together, in the list's order. */
  private takeSlots(): number[] {
    const taken: number[] = [];
    let items = 0;
    const slots = [...this.changedSlots].sort((one, other) => one - other);
    for (const slot of slots) {
      if (items >= MOST_SHOWN_AT_ONCE) break;
      const { conditions, actions } = this.gone.get(slot) ?? { conditions: 0, actions: 0 };
      items += 1 + itemCount(this.slots[slot] as TrickEvent) + conditions + actions;
      taken.push(slot);
      this.changedSlots.delete(slot);
    }
    return taken;
  }

  readonly say: EventServer['say'] = (text, level) => this.server.say(text, level);

  isVariable(path: string): boolean {
    return this.server.isVariable(path);
  }

  private shown(index: number): ShownEvent {
    const event = this.slots[index] as TrickEvent;
    if (event !== DELETED) return shownEvent(event);
    const { conditions, actions } = this.gone.get(index) ?? { conditions: 0, actions: 0 };
    return shownGone(conditions, actions);
  }

  /** Throws a ScriptError when there is no room for one more condition or action. Deleted events give way first. */
  private makeRoomForItem(own: TrickEvent): void {
    const { owner } = own;
    this.forgetOldestGone(MOST_ITEMS - 1);
    const isFull = (): boolean => this.items >= MOST_ITEMS;
    const isOwnerFull = (): boolean => owner !== '' && this.owners.of(owner).items >= MOST_ITEMS_OF_ONE;
    for (const event of this.deleted) {
      if (!isFull() && !isOwnerFull()) break;
      if (event !== own && (isFull() || event.owner === owner)) this.forget(event);
    }
    if (isOwnerFull())
      throw new ScriptError('MemoryError', `a client may have ${MOST_ITEMS_OF_ONE} conditions and actions of events`);
    if (isFull()) throw new ScriptError('MemoryError', `there are ${MOST_ITEMS} conditions and actions of events`);
  }

  /** Forgets where deleted events have been, the oldest first, until there are no more conditions and actions than this. */
  private forgetOldestGone(mostItems: number): void {
    for (const slot of this.gone.keys()) {
      if (this.items <= mostItems) break;
      this.forgetGone(slot);
      this.changedSlots.add(slot);
    }
  }

  private forgetGone(slot: number): void {
    const gone = this.gone.get(slot);
    if (gone) this.items -= gone.conditions + gone.actions;
    this.gone.delete(slot);
  }

  private listChanged(): void {
    this.updateTicker++;
    this.isListChanged = true;
  }

  /** Finds room for an event that the table does not know yet, or not any more. */
  private admit(event: TrickEvent): void {
    if (this.events.has(event)) return;
    this.makeRoom(event.owner);
    this.charge(event, 0, bytesOf(event));
    const items = itemCount(event);
    this.items += items;
    this.owners.add(event.owner, 1, items);
    this.events.add(event);
    if (event.name !== '' && !this.names.has(event.name)) this.names.set(event.name, event);
  }

  private makeRoom(owner: string): void {
    const isOwnerFull = owner !== '' && this.owners.of(owner).events >= MOST_OF_ONE;
    if (!isOwnerFull && this.events.size < MOST_EVENTS) return;
    const oldest = [...this.deleted].find((event) => event.owner === owner || !isOwnerFull);
    if (oldest) this.forget(oldest);
    else
      throw new ScriptError(
        'MemoryError',
        isOwnerFull
          ? `a client may have ${MOST_OF_ONE} events, one has to be deleted first`
          : `there are ${MOST_EVENTS} events, one has to be deleted first`,
      );
  }

  private forget(event: TrickEvent): void {
    this.events.delete(event);
    this.deleted.delete(event);
    if (this.names.get(event.name) === event) this.names.delete(event.name);
    this.charge(event, this.bytes.get(event) ?? 0, 0);
    const items = itemCount(event);
    this.items -= items;
    this.owners.add(event.owner, -1, -items);
    // A name may still refer to the event, so it must not keep what is not counted.
    event.conditions.length = 0;
    event.actions.length = 0;
    this.bytes.delete(event);
  }

  private charge(event: TrickEvent, before: number, now: number): void {
    this.account(event.owner, before, now);
    this.bytes.set(event, now);
  }

  private account(owner: string, before: number, now: number): void {
    try {
      this.server.accountOf(owner)?.change('keptBytes', before, now);
    } catch (error) {
      if (error instanceof OverBoundError) throw new ScriptError('MemoryError', error.message);
      throw error;
    }
  }
}

const itemCount = ({ conditions, actions }: TrickEvent): number => conditions.length + actions.length;

const itemsOf = ({ conditions, actions }: TrickEvent): readonly Item[] => [...conditions, ...actions];

const bytesOfItem = (item: Item | undefined): number =>
  item ? ITEM_BYTES + 2 * (item.text.length + item.comment.length) : 0;

const bytesOf = (event: TrickEvent): number =>
  itemsOf(event).reduce((sum, item) => sum + bytesOfItem(item), EVENT_BYTES + 2 * event.name.length);
