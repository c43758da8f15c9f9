// The families of values in the order of their numbers in sections of writes.
import type { Family } from './messages.js';

export const WRITE_FAMILIES: readonly Family[] = [
  ...(['Float64', 'Float32', 'Int8', 'UInt8', 'Int16', 'UInt16', 'Int32', 'UInt32', 'Int64', 'UInt64'] as const),
  ...(['Boolean', 'String'] as const),
];
