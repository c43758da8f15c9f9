// Events that a simulation's own code makes: described for the server, which evaluates them. Trick: IPPythonEvent
import {
  EVENT_CAPACITY,
  type EventDescription,
  type EventItemDescription,
  LONGEST_EVENT_TEXT,
} from '../../model/state/event-description.js';
import { requireOptions } from '../../model/state/option-names.js';
import type { State } from '../../model/state/state.js';

/** What is called between two ticks, or a text of Trick's command language that the server runs. */
export type EventItem<R> = string | (() => R);

/** Options of `sim.event`. */
export interface SimEventOptions {
  /** When it fires: functions that return whether it does, or texts such as `ball.position[1] < 0`. */
  readonly conditions: EventItem<boolean> | readonly EventItem<boolean>[];
  /** What it does then, in order. */
  readonly actions: EventItem<void> | readonly EventItem<void>[];
  /** Simulation time between evaluations in seconds; 0 for one evaluation. Default 1. */
  readonly cycleSeconds?: number;
  /** Whether all conditions must hold; otherwise one is enough. Default false. */
  readonly needsAll?: boolean;
  /** Whether an action of its own makes it active again after it has fired. Default false: it fires once. */
  readonly repeats?: boolean;
  /** Whether it is active at the start. Default true. */
  readonly active?: boolean;
  /** Whether it is evaluated without `trick.add_event`. Default true. */
  readonly added?: boolean;
  /** The name that viewers show and `trick.get_event` takes. Default: its path. */
  readonly name?: string;
}

const OPTIONS = Object.keys({
  conditions: true,
  actions: true,
  cycleSeconds: true,
  needsAll: true,
  repeats: true,
  active: true,
  added: true,
  name: true,
} satisfies Record<keyof SimEventOptions, true>);

/** What a simulation's events are made in. */
export interface ModelEvents {
  readonly state: State;
  readonly functions: ReadonlyMap<string, unknown>;
  /** Functions by the name that conditions and actions have. */
  readonly eventCalls: Map<string, () => unknown>;
  readonly units: { readonly isOpen: boolean };
}

/** JavaScript gives an arrow function that stands directly in an option the name of the option. */
const GIVEN_BY_OPTIONS: ReadonlySet<string> = new Set(['conditions', 'actions'] satisfies (keyof SimEventOptions)[]);
const PATH = /^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$/;
const NAME = /^\P{Cc}{1,100}$/u;
const LONGEST_CYCLE_SECONDS = 1e9;

/** Makes an event. Throws an Error, and then changes nothing, for what is not valid or not possible. */
export function addEvent(events: ModelEvents, path: string, options: SimEventOptions): void {
  const { state, functions, eventCalls, units } = events;
  if (!units.isOpen) throw new Error(`event ${path} comes too late: events are made while the simulation is built`);
  requirePath(state, path);
  if (functions.has(path)) throw new Error(`there is a function ${path} already`);
  requireOptions(`event ${path}`, options, OPTIONS);
  const { name = path, cycleSeconds, needsAll = false, repeats = false, active = true, added = true } = options;
  if (!NAME.test(name)) throw new Error(`event ${path} is named by up to 100 characters, not ${JSON.stringify(name)}`);
  if (cycleSeconds !== undefined && !(cycleSeconds >= 0 && cycleSeconds < LONGEST_CYCLE_SECONDS))
    throw new RangeError(`the cycle of event ${path} is a time in seconds from 0 up, not ${cycleSeconds}`);
  const again: string[] = repeats ? [`${path}.activate()`] : [];
  const conditions = listOf(options.conditions);
  const actions: EventItem<unknown>[] = [...listOf<EventItem<unknown>>(options.actions), ...again];
  requireItems(path, 'conditions', conditions);
  requireItems(path, 'actions', actions);
  const description: EventDescription = {
    path,
    name,
    conditions: conditions.map((item, index) => described(item, `${path}.conditions[${index}]`)),
    actions: actions.map((item, index) => described(item, `${path}.actions[${index}]`)),
    needsAll,
    cycleSeconds,
    isActive: active,
    isAdded: added,
  };
  state.events.add(description);
  keepCalls(eventCalls, description.conditions, conditions);
  keepCalls(eventCalls, description.actions, actions);
}

const listOf = <T>(given: T | readonly T[]): readonly T[] => (Array.isArray(given) ? given : [given as T]);

function requirePath(state: State, path: string): void {
  if (!PATH.test(path)) throw new Error(`an event has a path such as ball.bounced, not ${JSON.stringify(path)}`);
  const [object = path, component] = path.split('.');
  if (component === undefined) return;
  if (!state.hasObject(object)) throw new Error(`event ${path} has no object: ${object} comes first`);
  if (state.aliasesOf(object).includes(component)) throw new Error(`${object}.${component} is a component already`);
}

function requireItems(path: string, what: string, items: readonly unknown[]): void {
  const { listed } = EVENT_CAPACITY;
  if (items.length > listed) throw new RangeError(`event ${path} has at most ${listed} ${what}, not ${items.length}`);
  for (const item of items) {
    if (typeof item === 'function') continue;
    if (typeof item !== 'string') throw new TypeError(`the ${what} of event ${path} are functions or texts`);
    if (item.length > LONGEST_EVENT_TEXT)
      throw new RangeError(`each of the ${what} of event ${path} has at most ${LONGEST_EVENT_TEXT} characters`);
  }
}

const described = (item: EventItem<unknown>, callName: string): EventItemDescription =>
  typeof item === 'string'
    ? { text: item, isFunction: false, comment: '' }
    : { text: callName, isFunction: true, comment: GIVEN_BY_OPTIONS.has(item.name) ? '' : item.name };

function keepCalls(
  calls: ModelEvents['eventCalls'],
  described: readonly EventItemDescription[],
  items: readonly EventItem<unknown>[],
): void {
  for (const [index, item] of items.entries())
    if (typeof item === 'function') calls.set((described[index] as EventItemDescription).text, item);
}

/** Whether an event's function returned something other than 0. Throws an Error for a promise, which nobody waits for. */
export function callOfEvent(call: () => unknown): boolean {
  const returned = call();
  if (!(returned instanceof Promise)) return Boolean(returned);
  returned.catch(() => undefined);
  throw new Error('it returned a promise; conditions and actions of events are done when they return');
}
