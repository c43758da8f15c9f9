// What Trick's event viewer asks for once: names, counts and comments of all events. Trick: MTV::send_event_data
import { EMPTY_HEADER, Mode } from '../../frame/header.js';
import { Frame } from '../../frame/reader.js';
import { Catalog } from '../../model/catalog.js';
import { array, bool, int, struct, text } from '../../model/declare.js';
import { State } from '../../model/state.js';
import { EVENT_CAPACITY } from '../catalog/event-objects.js';
import { EventPlace, type TrickEvent } from './event.js';

/** Variables that exist only for one answer, and their names in the order of that answer. */
export interface EventData {
  readonly names: readonly string[];
  readonly catalog: Catalog;
  readonly frame: Frame;
}

/** A catalog and a frame of nothing but these events. */
export function eventData(events: readonly TrickEvent[]): EventData {
  const state = new State();
  const longest = Math.max(...events.flatMap(textsOf).map((text) => Buffer.byteLength(text)), 0) + 1;
  if (events.length > 0) {
    const Viewer = struct('Trick::MTV', { mtv_list: array(array(eventType(longest), 1), events.length) });
    state
      .addObject('trick_ip')
      .component('mtv', Viewer, { mtv_list: events.map((event) => [valuesOf(event)]) } as never);
  }
  const catalog = new Catalog(state.describe());
  return { names: events.flatMap(namesOf), catalog, frame: frameOf(state) };
}

const textsOf = ({ name, targetName, conditions, actions }: TrickEvent): string[] => [
  name,
  targetName,
  ...[...conditions, ...actions].map(({ comment }) => comment),
];

function eventType(longestBytes: number) {
  const Comment = struct('Comment', { comment: text(longestBytes) });
  return struct('Trick::IPPythonEvent', {
    name: text(longestBytes),
    active: bool(),
    added: bool(),
    condition_count: int(),
    action_count: int(),
    before_after: int(),
    target_name: text(longestBytes),
    condition_list: array(array(Comment, 1), EVENT_CAPACITY.conditions),
    action_list: array(array(Comment, 1), EVENT_CAPACITY.actions),
  });
}

function valuesOf(event: TrickEvent) {
  return {
    name: event.name,
    active: event.isActive,
    added: event.isAdded,
    condition_count: event.conditions.length,
    action_count: event.actions.length,
    before_after: event.place,
    target_name: event.targetName,
    condition_list: comments(event.conditions, EVENT_CAPACITY.conditions),
    action_list: comments(event.actions, EVENT_CAPACITY.actions),
  };
}

const comments = (items: readonly { readonly comment: string }[], length: number) =>
  Array.from({ length }, (_, index) => [{ comment: items[index]?.comment ?? '' }]);

function namesOf(event: TrickEvent, index: number): string[] {
  const path = `trick_ip.mtv.mtv_list[${index}][0]`;
  const counts = ['name', 'active', 'added', 'condition_count', 'action_count', 'before_after'];
  return [
    ...counts.map((name) => `${path}.${name}`),
    ...event.conditions.map((_, at) => `${path}.condition_list[${at}][0].comment`),
    ...event.actions.map((_, at) => `${path}.action_list[${at}][0].comment`),
    ...(event.place === EventPlace.frame ? [] : [`${path}.target_name`]),
  ];
}

function frameOf(state: State): Frame {
  const frame = new Frame(state.arena.usedBytes, {
    ...EMPTY_HEADER,
    number: 1,
    mode: Mode.run,
    catalogVersion: state.version,
  });
  frame.memory.bytes.set(state.arena.memory.bytes.subarray(0, state.arena.usedBytes));
  return frame;
}
