// Requests of many writes on their way to the simulation's thread: lists of texts and of values are copied in a third of
// the time that as many objects take.

import type { Rule } from '../model/state/assign.js';
import { buffersOf } from '../model/state/packed-numbers.js';
import type { Write } from '../simulation/executive/request.js';
import type { ToSimulation } from './protocol.js';

/** A request of more writes is packed. */
const FEW_WRITES = 16;
/**
 * Writes of one message: reading thousands at once, and the memory that they take, would make a frame late. A request with
 * long lists goes in one, because several writes may use the same memory.
 */
const WRITES_OF_PART = 1000;

interface PackedWrites {
  readonly kind: 'packed-writes';
  readonly id: number;
  readonly paths: readonly string[];
  readonly values: readonly Write['value'][];
  /** One for all when they are the same, as they mostly are. */
  readonly versions: Write['catalogVersion'] | readonly Write['catalogVersion'][];
  readonly rule: Rule | undefined;
  /** Whether the next message has more of the same request. */
  readonly goesOn: boolean;
}

/** A message as it is sent. */
export type Sent = ToSimulation | PackedWrites;

/** The messages that are sent for one. @param memory what `memoryOf` found, which passes with one message. */
export function packed(message: ToSimulation, memory: readonly ArrayBuffer[] = NOTHING): readonly Sent[] {
  if (message.kind !== 'request' || message.request.kind !== 'write') return [message];
  const { writes, rule } = message.request;
  if (writes.length <= FEW_WRITES) return [message];
  const count = memory.length > 0 ? 1 : Math.ceil(writes.length / WRITES_OF_PART);
  const size = Math.ceil(writes.length / count);
  return Array.from({ length: count }, (_, part) =>
    packedPart(message.id, { writes: writes.slice(part * size, (part + 1) * size), rule }, part < count - 1),
  );
}

function packedPart(
  id: number,
  { writes, rule }: Pick<PackedWrites, 'rule'> & { readonly writes: readonly Write[] },
  goesOn: boolean,
): PackedWrites {
  const version = writes[0]?.catalogVersion;
  const isOne = writes.every(({ catalogVersion }) => catalogVersion === version);
  return {
    kind: 'packed-writes',
    id,
    paths: writes.map(({ path }) => path),
    values: writes.map(({ value }) => value),
    versions: isOne ? version : writes.map(({ catalogVersion }) => catalogVersion),
    rule,
    goesOn,
  };
}

/** The memory of long lists, which passes to the other thread: copying it would take milliseconds on both. */
export function memoryOf(message: ToSimulation): ArrayBuffer[] {
  if (message.kind !== 'request' || message.request.kind !== 'write') return NOTHING;
  const found = message.request.writes.flatMap(({ value }) => (typeof value === 'object' ? buffersOf(value) : []));
  return [...new Set(found)];
}

const NOTHING: ArrayBuffer[] = [];

/** Puts messages together again, in the order in which they were sent. */
export class Unpacker {
  private parts: Write[][] = [];

  /** Undefined when the request goes on in the next message. */
  take(sent: Sent): ToSimulation | undefined {
    if (sent.kind !== 'packed-writes') return sent;
    this.parts.push(unpackedPart(sent));
    if (sent.goesOn) return undefined;
    const { parts } = this;
    this.parts = [];
    const writes = parts.length === 1 ? (parts[0] as Write[]) : parts.flat();
    const { id, rule } = sent;
    return { kind: 'request', id, request: { kind: 'write', writes, ...(rule && { rule }) } };
  }
}

function unpackedPart({ paths, values, versions }: PackedWrites): Write[] {
  return paths.map((path, index) => {
    const value = values[index] as Write['value'];
    const catalogVersion = typeof versions === 'object' ? versions[index] : versions;
    return catalogVersion === undefined ? { path, value } : { path, value, catalogVersion };
  });
}
