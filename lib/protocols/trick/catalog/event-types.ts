// The types of Trick's event variables, for as many events, conditions, actions and bytes of text as there are.
import {
  array,
  bool,
  char,
  double,
  enumeration,
  type InitialOf,
  int,
  longLong,
  pointer,
  struct,
  text,
  unsignedInt,
} from '../../../model/state/declare.js';
import { vector } from '../../../model/state/declare-containers.js';

/** The room for events. */
export interface EventRoom {
  readonly events: number;
  /** Conditions of all events together, and actions. */
  readonly conditions: number;
  readonly actions: number;
  /** Conditions of one event, or its actions. */
  readonly listed: number;
  readonly textBytes: number;
}

/** Trick: include/trick/Event.hh */
export const BeforeAfter = enumeration('Trick::EventBeforeAfter', {
  EVENT_NOTARGET: 0,
  EVENT_BEFORETARGET: 1,
  EVENT_AFTERTARGET: 2,
});

const time = () => double({ units: 's', about: 'simulation time; -1 for never' });

/** Trick: include/trick/IPPythonEvent.hh, Event.hh, MTV.hh */
export function eventTypes(room: EventRoom) {
  const words = () => text(room.textBytes);
  const Condition = struct('Trick::condition_t', {
    enabled: char(),
    hold: char({ about: 'whether it stays fired once it has fired' }),
    fired: char(),
    fired_count: int(),
    fired_time: time(),
    str: words(),
    comment: words(),
    cond_type: int({ about: '0 text, 1 variable, 2 job' }),
  });
  const Action = struct('Trick::action_t', {
    enabled: char(),
    ran: char(),
    ran_count: int(),
    ran_time: time(),
    str: words(),
    comment: words(),
    act_type: int({ about: '0 text, 1 job on, 2 job off, 3 job call' }),
  });
  const Event = struct('Trick::IPPythonEvent', {
    name: words(),
    active: bool(),
    thread_id: unsignedInt(),
    before_after: BeforeAfter,
    cycle: double({ units: 's', about: 'between evaluations; 0 for one evaluation' }),
    cycle_tics: longLong(),
    free_on_removal: bool(),
    target_name: words(),
    target_inst: unsignedInt(),
    added: bool({ about: 'whether it is evaluated at all' }),
    is_user_event: bool(),
    manual: bool({ about: 'whether it fires by hand only' }),
    manual_fired: bool(),
    cond_all: bool({ about: 'whether all conditions must hold' }),
    fired: char(),
    hold: char({ about: 'whether what has fired stays fired' }),
    ran: char(),
    condition_count: int(),
    fired_count: int(),
    fired_time: time(),
    action_count: int(),
    ran_count: int(),
    ran_time: time(),
    condition_list: vector(pointer(Condition), room.listed),
    action_list: vector(pointer(Action), room.listed),
  });
  const Viewer = struct('Trick::MTV', {
    mtv_list: vector(pointer(Event), room.events),
    mtv_count: unsignedInt({ about: 'events in the list' }),
    mtv_update_ticker: int({ about: 'goes up whenever events come or go' }),
  });
  /** What the pointers of the lists point at. */
  const Memory = struct('Trick::EventMemory', {
    events: array(Event, room.events),
    conditions: array(Condition, room.conditions),
    actions: array(Action, room.actions),
  });
  return { Condition, Action, Event, Viewer, Memory };
}

type Types = ReturnType<typeof eventTypes>;
export type ShownCondition = Required<InitialOf<Types['Condition']>>;
export type ShownAction = Required<InitialOf<Types['Action']>>;
export type EventMembers = Required<Omit<InitialOf<Types['Event']>, 'condition_list' | 'action_list'>>;
