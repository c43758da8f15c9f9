// The variables that Trick's event viewer asks for at its start: names, counts and comments of all events. Trick: MTV::send_event_data
import { readVariable } from '../../model/read.js';
import type { Source } from '../../source/source.js';
import type { Run } from '../interpreter/values.js';

/** Variables that must be read to know them. */
export const EVENT_VARIABLES = ['trick_ip.mtv', 'trick_ip.event_memory'] as const;
/** Events that are looked at before others have their turn. */
const EVENTS_A_TURN = 50;

/** The paths in the order of the answer, for the events that are in the latest frame. */
export function* eventNames(source: Pick<Source, 'catalog' | 'frame'>): Run<string[]> {
  const read = (path: string): number => {
    const variable = source.catalog.find(path);
    return Number((variable && readVariable(variable, source.frame.memory)) ?? 0);
  };
  const names: string[] = [];
  const count = read('trick_ip.mtv.mtv_count');
  for (let index = 0; index < count; index++) {
    names.push(...namesOf(`trick_ip.mtv.mtv_list[${index}][0]`, read));
    if (index % EVENTS_A_TURN === EVENTS_A_TURN - 1) yield 'turn';
  }
  return names;
}

function namesOf(event: string, read: (path: string) => number): string[] {
  const always = ['name', 'active', 'added', 'condition_count', 'action_count', 'before_after'];
  const comments = (list: string, count: number) =>
    Array.from({ length: count }, (_, at) => `${event}.${list}[${at}][0].comment`);
  return [
    ...always.map((name) => `${event}.${name}`),
    ...comments('condition_list', read(`${event}.condition_count`)),
    ...comments('action_list', read(`${event}.action_count`)),
    ...(read(`${event}.before_after`) === 0 ? [] : [`${event}.target_name`]),
  ];
}
