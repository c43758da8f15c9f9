// Events as variables, for Trick's event viewer; the server keeps the events and says what is to be shown of them.
import type { OverlayHost } from '../../executive/overlay.js';
import {
  array,
  bool,
  describe,
  double,
  type InitialOf,
  int,
  struct,
  unsignedInt,
  vector,
} from '../../model/declare.js';

/** How many events are shown, and conditions and actions of each. */
export const EVENT_CAPACITY = { events: 20, conditions: 6, actions: 6 } as const;

/** Trick: include/trick/IPPythonEvent.hh */
const Condition = struct('Trick::condition_t', {
  enabled: bool(),
  hold: bool({ about: 'whether it stays fired until the event has fired' }),
  fired: bool(),
  fired_count: int(),
  fired_time: double({ units: 's', about: 'simulation time; -1 for never' }),
});

/** Trick: include/trick/IPPythonEvent.hh */
const Action = struct('Trick::action_t', {
  enabled: bool(),
  ran_count: int(),
  ran_time: double({ units: 's', about: 'simulation time; -1 for never' }),
});

/** Trick: include/trick/IPPythonEvent.hh */
const Event = struct('Trick::IPPythonEvent', {
  active: bool(),
  added: bool({ about: 'whether it is evaluated at all' }),
  manual: bool({ about: 'whether it fires by hand only' }),
  manual_fired: bool(),
  hold: bool({ about: 'whether a condition that holds has fired' }),
  condition_count: int(),
  action_count: int(),
  before_after: int({ about: '0 at the frame, 1 before and 2 after a job' }),
  fired_count: int(),
  ran_count: int(),
  cycle: double({ units: 's', about: 'between evaluations; 0 for every frame' }),
  fired_time: double({ units: 's', about: 'simulation time; -1 for never' }),
  ran_time: double({ units: 's', about: 'simulation time; -1 for never' }),
  condition_list: array(array(Condition, 1), EVENT_CAPACITY.conditions),
  action_list: array(array(Action, 1), EVENT_CAPACITY.actions),
});

/** Trick: include/trick/MTV.hh */
const EventViewer = struct('Trick::MTV', {
  mtv_count: unsignedInt({ about: 'events' }),
  mtv_update_ticker: int({ about: 'goes up whenever events come or go' }),
  mtv_list: vector(array(Event, 1), EVENT_CAPACITY.events),
});

export type ShownEvent = Omit<Required<InitialOf<typeof Event>>, 'condition_list' | 'action_list'> & {
  readonly conditions: readonly Required<InitialOf<typeof Condition>>[];
  readonly actions: readonly Required<InitialOf<typeof Action>>[];
};

/** All events in the order in which they are numbered. */
export interface ShownEvents {
  readonly updateTicker: number;
  readonly events: readonly ShownEvent[];
}

/** Adds `trick_ip.mtv`, of no events, read-only to clients. Returns what shows others. */
export function addEventObjects({ state }: OverlayHost): (shown: unknown) => void {
  const view = state
    .addObject('trick_ip', { typeName: 'IPPythonSimObject' })
    .component('mtv', describe(EventViewer, { access: 'read-only' }));
  return (shown) => {
    const { updateTicker, events } = shownEvents(shown);
    view.mtv_list.replace(
      events.map(({ conditions, actions, ...event }) => [
        {
          ...event,
          condition_list: padded(conditions, EVENT_CAPACITY.conditions, NO_CONDITION) as never,
          action_list: padded(actions, EVENT_CAPACITY.actions, NO_ACTION) as never,
        },
      ]),
    );
    view.mtv_count = events.length;
    view.mtv_update_ticker = updateTicker;
  };
}

/** Looks at what is counted and listed; what does not fit a variable is refused where it is stored. */
function shownEvents(shown: unknown): ShownEvents {
  const { updateTicker, events } = Object(shown) as Partial<ShownEvents>;
  const isList = (value: unknown, most: number): boolean => Array.isArray(value) && value.length <= most;
  const isFit =
    Number.isInteger(updateTicker) &&
    isList(events, EVENT_CAPACITY.events) &&
    events?.every(
      (event) => isList(event?.conditions, EVENT_CAPACITY.conditions) && isList(event?.actions, EVENT_CAPACITY.actions),
    );
  if (isFit) return shown as ShownEvents;
  const { events: most, conditions, actions } = EVENT_CAPACITY;
  throw new TypeError(
    `what is shown of events is a ticker and a list of up to ${most}, each with up to ${conditions} conditions and ${actions} actions`,
  );
}

const NO_CONDITION = { enabled: false, hold: false, fired: false, fired_count: 0, fired_time: 0 };
const NO_ACTION = { enabled: false, ran_count: 0, ran_time: 0 };

/** All places, whether taken or not: a viewer may ask for one that is gone. */
const padded = <T>(items: readonly T[], length: number, none: T): [T][] =>
  Array.from({ length }, (_, index) => [items[index] ?? none]);
