// The variables that Trick's event viewer asks for at its start: names, counts and comments of all events. Trick: MTV::send_event_data
import { readVariable } from '../../../model/state/read.js';
import { type Read, shownParts } from '../../../serving/session/read.js';
import type { Session } from '../../../serving/session/session.js';
import type { Run } from '../../python/index.js';

interface Client {
  readonly client: Pick<Session, 'source'>;
  readonly read: Read;
}

/** The variable that tells how many events there are. */
export const EVENT_COUNT = 'trick_ip.mtv.mtv_count';
/** Events that are looked at before others have their turn. */
const EVENTS_A_TURN = 50;

/** The paths in the order of the answer, for the events that are in the latest frame. */
export function* eventNames({ client: { source }, read: reading }: Client): Run<string[]> {
  const read = (path: string): number => {
    const variable = source.catalog.find(path);
    return Number((variable && readVariable(variable, source.frame.memory)) ?? 0);
  };
  const names: string[] = [];
  const count = read(EVENT_COUNT);
  for (let first = 0; first < count; first += EVENTS_A_TURN) {
    const events = Array.from({ length: Math.min(EVENTS_A_TURN, count - first) }, (_, at) => eventAt(first + at));
    const needed = events.flatMap((event) => NEEDED.map((name) => `${event}.${name}`));
    while (!reading.ask(shownParts(source, needed))) yield 'settled';
    reading.end();
    for (const event of events) names.push(...namesOf(event, read));
    if (first + EVENTS_A_TURN <= count) yield 'turn';
  }
  return names;
}

const eventAt = (index: number): string => `trick_ip.mtv.mtv_list[${index}][0]`;

/** What tells which variables of an event there are. */
const NEEDED = ['condition_count', 'action_count', 'before_after'];

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
