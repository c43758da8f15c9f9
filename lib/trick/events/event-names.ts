// The variables that Trick's event viewer asks for at its start: names, counts and comments of all events. Trick: MTV::send_event_data
import type { Catalog } from '../../model/catalog.js';
import type { Memory } from '../../model/memory.js';
import { readVariable } from '../../model/read.js';
import type { EventMembers } from '../catalog/event-types.js';

/** What is read to know them. */
export const EVENT_VARIABLES = ['trick_ip.mtv', 'trick_ip.event_memory'] as const;
const LIST = 'trick_ip.mtv.mtv_list';

/** The paths in the order of the answer, for the events that are in a frame. */
export function eventNames(catalog: Catalog, memory: Memory): string[] {
  const list = catalog.find(LIST);
  const events = list && readVariable(list, memory);
  return Array.isArray(events) ? events.flatMap(([event], index) => namesOf(event as EventMembers, index)) : [];
}

function namesOf(event: EventMembers, index: number): string[] {
  const path = `${LIST}[${index}][0]`;
  const always = ['name', 'active', 'added', 'condition_count', 'action_count', 'before_after'];
  const comments = (list: string, count: number) =>
    Array.from({ length: count }, (_, at) => `${path}.${list}[${at}][0].comment`);
  return [
    ...always.map((name) => `${path}.${name}`),
    ...comments('condition_list', event.condition_count),
    ...comments('action_list', event.action_count),
    ...(event.before_after === 0 ? [] : [`${path}.target_name`]),
  ];
}
