// Commands on events. Trick: MTV.hh, IPPythonEvent.hh, EventManager.hh

import { type Run, ScriptError, type ScriptValue, typeName } from '../../python/index.js';
import { FireErrand, ordering } from '../events/errands.js';
import { EventPlace, type TrickEvent } from '../events/event.js';
import { requireEventName } from '../events/event-calls.js';
import { EVENT_COUNT, eventNames } from '../events/event-names.js';
import type { EventTable } from '../events/event-table.js';
import { EventValue, valueOfEvent } from '../events/event-value.js';
import { orderOf, unchangeable } from '../events/orders.js';
import { TICS_PER_SECOND } from '../events/timing.js';
import type { TrickServer } from '../session/server-settings.js';
import type { TrickSession } from '../session/trick-session.js';
import { answering, answeringZero, type Command, type CommandContext, command } from './command.js';
import { setting } from './operators-only.js';

const event = { name: 'in_event', type: 'value' } as const;
const eventName = { name: 'event_name', type: 'text' } as const;

/** Throws a ScriptError for what is none, and for one that is not of this server. */
function eventOf(name: string, value: ScriptValue): TrickEvent {
  if (value instanceof EventValue && value.event.isElsewhere)
    throw new ScriptError('RuntimeError', unchangeable(value.event.name));
  if (value instanceof EventValue) return value.event;
  throw new ScriptError('TypeError', `${name}() takes an event, not ${typeName(value)}`);
}

const answer = ({ server }: CommandContext, found: TrickEvent | undefined): ScriptValue =>
  found ? valueOfEvent(found, server.events) : null;

/** A command on an event. */
const onEvent = (name: string, about: string, run: (events: EventTable, found: TrickEvent) => void): Command =>
  command(name, [event], about, ({ server: { events } }, [value]) => run(events, eventOf(name, value)));

/** A command that changes the event of a name; it does nothing when there is none. */
const byName = (
  name: string,
  about: string,
  find: 'findAdded' | 'findListed',
  run: (found: TrickEvent) => void,
): Command =>
  command(name, [eventName], about, ({ server: { events } }, [called]) => {
    const found = events[find](called);
    if (!found) return 0n;
    const order = orderOf(name.replace('_event', ''));
    if (found.isElsewhere && order) return answering(ordering(found, order), 0n);
    run(found);
    events.changed(found);
    return 0n;
  });

/** A command on what holds for the events of all sessions. */
const settingOf = (name: string, about: string, isOn: boolean): Command =>
  command(name, [], `${about}; what the operator has set stays.`, (context) =>
    setting(context, 'event messages', () => {
      context.server.events.isTelling = isOn;
    }),
  );

/** A command that adds an event beside a job. Trick: EventManager::add_event_before, add_event_after */
function addBeside(name: string, place: EventPlace, about: string): Command {
  return command(
    name,
    [event, { name: 'target_name', type: 'text' }, { name: 'target_inst', type: 'integer', standard: 1n }],
    about,
    function* ({ server: { events }, ask, complain }, [value, job, instance]): Run<ScriptValue> {
      const added = eventOf(name, value);
      const asked = yield* ask({ kind: 'job', choice: { job, instance: Number(instance) } });
      if ('refusal' in asked) complain(asked.refusal);
      else if (typeof asked.value === 'number')
        events.add(added, { place, job, periodTics: Math.round(asked.value * TICS_PER_SECOND) });
      else events.say(`event ${added.name}: there is no job ${job}, the event is not evaluated beside it`, 'warning');
      events.list(added);
      return 0n;
    },
  );
}

export const eventCommands: readonly Command[] = [
  command(
    'new_event',
    [{ name: 'event_name', type: 'value', standard: '' }],
    'Makes an event, which is evaluated once it is added and active; None when there is one of that name.',
    (context, [name]) => {
      const { server, owner } = context;
      if (typeof name !== 'string')
        throw new ScriptError('TypeError', "in method 'ippython_new_event', argument 1 of type 'std::string'");
      return answer(context, server.events.create(requireEventName(name), owner));
    },
  ),
  command('get_event', [eventName], 'The added event of a name, or None.', (context, [name]) =>
    answer(context, context.server.events.findAdded(name)),
  ),
  ...answeringZero([
    onEvent('add_event', 'Lets an event be evaluated, and event viewers show it.', (events, added) =>
      events.add(added),
    ),
  ]),
  addBeside(
    'add_event_before',
    EventPlace.before,
    'Lets an event be evaluated whenever a job is due, at the frame before it, and event viewers show it.',
  ),
  addBeside(
    'add_event_after',
    EventPlace.after,
    'Lets an event be evaluated whenever a job is due, at the frame after it, and event viewers show it.',
  ),
  ...answeringZero([
    onEvent('remove_event', 'Lets an event be evaluated no more.', (events, gone) => events.remove(gone)),
    onEvent('delete_event', 'Lets an event be evaluated no more, and event viewers not show it.', (events, gone) =>
      events.delete(gone),
    ),
    byName('activate_event', 'Activates an added event by its name.', 'findAdded', (found) => {
      found.isActive = true;
    }),
    byName('deactivate_event', 'Deactivates an added event by its name.', 'findAdded', (found) => {
      found.isActive = false;
    }),
    byName('manual_on', 'Lets the event of a name act at each cycle, whatever its conditions.', 'findListed', (found) =>
      found.manualOn(),
    ),
    byName('manual_off', 'Lets the event of a name do nothing, whatever its conditions.', 'findListed', (found) =>
      found.manualOff(),
    ),
    byName('manual_done', 'Ends the manual mode of the event of a name.', 'findListed', (found) => found.manualDone()),
  ]),
  command(
    'manual_fire',
    [eventName],
    'Runs the actions of the event of a name now, also in freeze.',
    function* ({ server: { events } }, [name]): Run<ScriptValue> {
      const found = events.findListed(name);
      if (found?.isElsewhere) yield* ordering(found, 'fire');
      if (!found || found.isElsewhere) return 0n;
      found.manualFire();
      yield new FireErrand(found);
      return 0n;
    },
  ),
  settingOf('set_event_info_msg_on', 'Logs each firing of an event', true),
  settingOf('set_event_info_msg_off', 'Logs firings of events no more (as at the start)', false),
  command(
    'terminate_on_event_parse_error',
    [{ name: 'on_off', type: 'boolean' }],
    'Whether an error in a condition or action ends the simulation; at the start it does not; what the operator has set stays.',
    (context, [isOn]) =>
      setting(context, 'event errors', () => {
        context.server.events.endsOnError = isOn;
      }),
  ),
  command(
    'mtv_send_event_data',
    [],
    'Sends what there is to know of all listed events: how many values, and the values.',
    ({ session, server }) => answering(sendEventData(session, server), 0n),
    { reads: () => ({ paths: [EVENT_COUNT] }) },
  ),
];

function* sendEventData(session: TrickSession, { elsewhere }: TrickServer): Run<void> {
  if (elsewhere) yield* elsewhere.look();
  yield* session.sendCounted(yield* eventNames(session));
}
