// Events as bytes: what the pointers of `mtv_list` point at, in the state or ahead of it in memory of its own.
import { Memory } from '../../../model/state/memory.js';
import {
  type ArrayType,
  findMember,
  type Member,
  SEQUENCE_HEADER_BYTES,
  type StructType,
  sizeOf,
  strideOf,
} from '../../../model/state/type.js';
import { type PointAt, storeValue, writeValue } from '../../../model/state/write.js';
import { type EventMembers, type EventRoom, eventTypes, type ShownAction, type ShownCondition } from './event-types.js';

/** The most bytes of a text that are shown: the state is copied in every frame. */
export const SHOWN_BYTES = 250;
/** No character of a text takes more. */
const MOST_BYTES_OF_A_CHARACTER = 3;

export interface ShownEvent extends EventMembers {
  readonly conditions: readonly ShownCondition[];
  readonly actions: readonly ShownAction[];
}

const LISTS = { conditions: 'condition_list', actions: 'action_list' } as const;
type Items = keyof typeof LISTS;
/** The places in memory of an event's conditions and actions. */
type Places = Readonly<Record<Items, number[]>>;

export class EventImage {
  readonly types: ReturnType<typeof eventTypes>;
  private readonly places: Places[] = [];
  private readonly free: Places;
  private memory: Memory;
  private offsetBytes = 0;

  /** Begins in memory of its own. */
  constructor(readonly room: EventRoom) {
    this.types = eventTypes(room);
    this.free = { conditions: numbersTo(room.conditions), actions: numbersTo(room.actions) };
    this.memory = new Memory(new ArrayBuffer(sizeOf(this.types.Memory.type)));
  }

  /** Where an event lies. */
  at(index: number): number {
    return this.place('events', index).offsetBytes;
  }

  write(index: number, { conditions, actions, ...members }: ShownEvent): void {
    const { type, offsetBytes } = this.place('events', index);
    const { name, target_name } = members;
    const shown = { ...members, name: shownText(name), target_name: shownText(target_name) };
    writeValue(this.memory, type, offsetBytes, shown);
    const places = this.places[index] ?? { conditions: [], actions: [] };
    this.places[index] = places;
    this.writeItems('conditions', index, conditions);
    this.writeItems('actions', index, actions);
  }

  /** Goes on in other memory. */
  moveTo(memory: Memory, offsetBytes: number): void {
    this.memory.bytes.copy(
      memory.bytes,
      offsetBytes,
      this.offsetBytes,
      this.offsetBytes + sizeOf(this.types.Memory.type),
    );
    const moved = offsetBytes - this.offsetBytes;
    this.memory = memory;
    this.offsetBytes = offsetBytes;
    for (const index of this.places.keys()) {
      this.movePointers('conditions', index, moved);
      this.movePointers('actions', index, moved);
    }
  }

  /** Points at one value. */
  readonly aim: PointAt = (_type, offset, [targetBytes]) => {
    this.memory.view.setUint32(offset, targetBytes as number, true);
    this.memory.view.setUint32(offset + Uint32Array.BYTES_PER_ELEMENT, 1, true);
  };

  private writeItems(items: Items, index: number, shown: readonly (ShownCondition | ShownAction)[]): void {
    const own = this.places[index]?.[items] ?? [];
    take(own, this.free[items], shown.length);
    const targets = own.map((number) => this.place(items, number));
    for (const [at, { type, offsetBytes }] of targets.entries()) {
      const item = shown[at] as ShownCondition | ShownAction;
      const texts = { str: shownText(item.str), comment: shownText(item.comment) };
      writeValue(this.memory, type, offsetBytes, { ...item, ...texts });
    }
    const list = this.list(items, index);
    const pointers = targets.map(({ offsetBytes }) => [offsetBytes]);
    storeValue(this.memory, list.type, list.offsetBytes, pointers, this.aim);
  }

  private movePointers(items: Items, index: number, moved: number): void {
    const { type, offsetBytes } = this.list(items, index);
    const { view } = this.memory;
    const count = this.places[index]?.[items].length ?? 0;
    for (let at = 0; at < count; at++) {
      const pointer = offsetBytes + SEQUENCE_HEADER_BYTES + at * strideOf(type.element);
      view.setUint32(pointer, view.getUint32(pointer, true) + moved, true);
    }
  }

  private place(what: Items | 'events', index: number): { readonly type: StructType; readonly offsetBytes: number } {
    const { type, offsetBytes } = memberOf(this.types.Memory.type, what);
    const { element } = type as ArrayType;
    return { type: element as StructType, offsetBytes: this.offsetBytes + offsetBytes + index * strideOf(element) };
  }

  private list(items: Items, index: number): { readonly type: ArrayType; readonly offsetBytes: number } {
    const event = this.place('events', index);
    const { type, offsetBytes } = memberOf(event.type, LISTS[items]);
    return { type: type as ArrayType, offsetBytes: event.offsetBytes + offsetBytes };
  }
}

const memberOf = (type: unknown, name: string): Member => findMember(type as StructType, name) as Member;

const numbersTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

/** Takes places until there are as many as wanted, or gives some back. */
function take(own: number[], free: number[], count: number): void {
  while (own.length > count) free.push(own.pop() as number);
  while (own.length < count) own.push(free.pop() as number);
}

/** As much of a text as is shown, without half a character at its end. */
function shownText(words: string): string {
  if (words.length * MOST_BYTES_OF_A_CHARACTER <= SHOWN_BYTES) return words;
  const bytes = Buffer.from(words);
  if (bytes.length <= SHOWN_BYTES) return words;
  return bytes.subarray(0, SHOWN_BYTES).toString().replace(/�+$/, '');
}
