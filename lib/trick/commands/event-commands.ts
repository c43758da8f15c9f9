// Commands on events. Trick: MTV.hh, IPPythonEvent.hh
import { EventPlace } from '../events/event.js';
import { eventData } from '../events/event-data.js';
import { EventValue, requireEventName, valueOfEvent } from '../events/event-value.js';
import { ScriptError } from '../interpreter/error.js';
import { type ScriptValue, typeName } from '../interpreter/values.js';
import { type Command, type CommandContext, command, HEADER_ONLY } from './command.js';

/** Characters of a job's name. */
const LONGEST_JOB = 1000;

const event = { name: 'in_event', type: 'value' } as const;
const target = { name: 'target_name', type: 'text' } as const;

function eventOf(name: string, value: ScriptValue): EventValue['event'] {
  if (value instanceof EventValue) return value.event;
  throw new ScriptError('TypeError', `${name}() takes an event, not ${typeName(value)}`);
}

function create({ server: { events } }: CommandContext, name: string): EventValue {
  const created = events.create(requireEventName(name));
  if (created) return valueOfEvent(created, events);
  throw new ScriptError('MemoryError', `there are ${events.capacity} events, one has to be deleted first`);
}

function addBeside(name: string, place: EventPlace, about: string): Command {
  return command(name, [event, target], about, ({ server }, [value, job]) => {
    server.events.add(eventOf(name, value), place, job.slice(0, LONGEST_JOB));
  });
}

export const eventCommands: readonly Command[] = [
  command(
    'new_event',
    [{ name: 'event_name', type: 'text' }],
    'Makes an event, in the place of the one of that name if there is one; it is evaluated once it is added and active.',
    (context, [name]) => create(context, name),
  ),
  command(
    'new_manual_event',
    [{ name: 'event_name', type: 'text' }],
    'Makes an event that fires by hand only.',
    (context, [name]) => {
      const created = create(context, name);
      created.event.isManual = true;
      return created;
    },
  ),
  command('add_event', [event], 'Lets an event be evaluated at frames.', ({ server }, [value]) => {
    server.events.add(eventOf('add_event', value));
  }),
  addBeside(
    'add_event_before',
    EventPlace.before,
    'The same as add_event, with the name of a job for viewers to show.',
  ),
  addBeside('add_event_after', EventPlace.after, 'The same as add_event, with the name of a job for viewers to show.'),
  command('remove_event', [event], 'Lets an event be evaluated no more.', ({ server }, [value]) => {
    server.events.remove(eventOf('remove_event', value));
  }),
  command('delete_event', [event], 'Forgets an event.', ({ server }, [value]) => {
    server.events.delete(eventOf('delete_event', value));
  }),
  command(
    'mtv_send_event_data',
    [],
    'Sends what there is to know of all events: how many values, and the values.',
    ({ session, server }) => session.sendEventData(eventData(server.events.all)),
    { reads: HEADER_ONLY },
  ),
];
