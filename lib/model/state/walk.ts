// How values of each kind of type lie in memory, said once. What reads values is a sink: it says what becomes of each form. A
// new kind of type is added here, and the compiler names the sinks that lack a new form.
import type { Memory } from './memory.js';
import {
  type ArrayType,
  type Characters,
  isCharacters,
  isLeaf,
  type LeafType,
  NULL_OFFSET,
  type PointerType,
  SEQUENCE_HEADER_BYTES,
  type SequenceType,
  type StructType,
  type Type,
} from './type.js';

/** A type of values side by side: an array, a sequence, or what a pointer points at. */
export type ListType = ArrayType | SequenceType | PointerType;

/** What is made of a value in each of its forms. It calls `walk` again for elements and members. */
export interface Sink<R> {
  /** A number, truth value, label or text. */
  single(type: LeafType | Characters, memory: Memory, offset: number): R;
  /** Values side by side from an offset on. @param list the type that has them. */
  elements(element: Type, memory: Memory, offset: number, count: number, list: ListType): R;
  members(type: StructType, memory: Memory, offset: number): R;
  /** A pointer that points at nothing. */
  nothing(type: PointerType): R;
}

/** Gives the value at an offset to a sink, and returns what the sink makes of it. */
export function walk<R>(type: Type, memory: Memory, offset: number, sink: Sink<R>): R {
  switch (type.kind) {
    case 'number':
    case 'bits':
    case 'enumeration':
    case 'text':
      return sink.single(type, memory, offset);
    case 'array':
      if (isCharacters(type)) return sink.single(type, memory, offset);
      return sink.elements(type.element, memory, offset, type.length, type);
    case 'sequence': {
      const count = memory.view.getUint32(offset, true);
      return sink.elements(type.element, memory, offset + SEQUENCE_HEADER_BYTES, count, type);
    }
    case 'pointer': {
      const start = memory.view.getUint32(offset, true);
      if (start === NULL_OFFSET) return sink.nothing(type);
      return sink.elements(type.target, memory, start, memory.view.getUint32(offset + 4, true), type);
    }
    case 'struct':
      return sink.members(type, memory, offset);
  }
}

/** The types one step below a type: of members, elements, and what a pointer points at. */
export function typesIn(type: Type): readonly Type[] {
  switch (type.kind) {
    case 'number':
    case 'bits':
    case 'enumeration':
    case 'text':
      return [];
    case 'array':
    case 'sequence':
      return [type.element];
    case 'pointer':
      return [type.target];
    case 'struct':
      return type.members.map((member) => member.type);
  }
}

/** A question about types that is answered once for each. */
export function answeredOnce<A>(answer: (type: Type) => A): (type: Type) => A {
  const known = new WeakMap<Type, { readonly answer: A }>();
  return (type) => {
    // Of a single value the answer is found sooner than looked up.
    if (isLeaf(type)) return answer(type);
    const found = known.get(type) ?? { answer: answer(type) };
    known.set(type, found);
    return found.answer;
  };
}
