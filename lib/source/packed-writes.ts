// Requests of many writes on their way to the simulation's thread: lists of texts and of values are copied in a third of
// the time that as many objects take.
import type { Write } from '../executive/request.js';
import { buffersOf } from '../model/packed-numbers.js';
import type { ToSimulation } from './protocol.js';

/** A request of more writes is packed. */
const FEW_WRITES = 16;

interface PackedWrites {
  readonly kind: 'packed-writes';
  readonly id: number;
  readonly paths: readonly string[];
  readonly values: readonly Write['value'][];
  /** One for all when they are the same, as they mostly are. */
  readonly versions: Write['catalogVersion'] | readonly Write['catalogVersion'][];
}

/** A message as it is sent. */
export type Sent = ToSimulation | PackedWrites;

export function packed(message: ToSimulation): Sent {
  if (message.kind !== 'request' || message.request.kind !== 'write') return message;
  const { writes } = message.request;
  if (writes.length <= FEW_WRITES) return message;
  const version = writes[0]?.catalogVersion;
  const isOne = writes.every(({ catalogVersion }) => catalogVersion === version);
  return {
    kind: 'packed-writes',
    id: message.id,
    paths: writes.map(({ path }) => path),
    values: writes.map(({ value }) => value),
    versions: isOne ? version : writes.map(({ catalogVersion }) => catalogVersion),
  };
}

/** The memory of long lists, which passes to the other thread: copying it would take milliseconds on both. */
export function memoryOf(message: ToSimulation): ArrayBuffer[] {
  if (message.kind !== 'request' || message.request.kind !== 'write') return NOTHING;
  const found = message.request.writes.flatMap(({ value }) => (typeof value === 'object' ? buffersOf(value) : []));
  return [...new Set(found)];
}

const NOTHING: ArrayBuffer[] = [];

export function unpacked(sent: Sent): ToSimulation {
  if (sent.kind !== 'packed-writes') return sent;
  const { id, paths, values, versions } = sent;
  const writes = paths.map((path, index) => {
    const catalogVersion = typeof versions === 'object' ? versions[index] : versions;
    return { path, value: values[index] as Write['value'], ...(catalogVersion !== undefined && { catalogVersion }) };
  });
  return { kind: 'request', id, request: { kind: 'write', writes } };
}
