// The whole state of an instance as bytes: FMI 2.0 and 3.0 have the same calls under other names.
import type { Calls, Cells } from './calls.js';

/** What a version calls a state, and the making of one from bytes. */
export interface StateNames {
  readonly state: 'FMUstate' | 'FMUState';
  readonly deserialize: string;
}

export function serialize(
  calls: Calls,
  { pointers }: Cells,
  instance: bigint,
  { state: word }: StateNames,
): Uint8Array {
  pointers[0] = 0n;
  calls.checked(`Get${word}`, ['void *', 'void *'])(instance, pointers);
  const state = pointers[0] as bigint;
  calls.checked(`Serialized${word}Size`, ['void *', 'void *', 'void *'])(instance, state, pointers.subarray(1));
  const bytes = new Uint8Array(new ArrayBuffer(Number(pointers[1])));
  const write = calls.checked(`Serialize${word}`, ['void *', 'void *', 'void *', 'size_t']);
  write(instance, state, bytes, bytes.length);
  calls.checked(`Free${word}`, ['void *', 'void *'])(instance, pointers);
  return bytes;
}

export function deserialize(
  calls: Calls,
  { pointers }: Cells,
  instance: bigint,
  { state: word, deserialize: name }: StateNames,
  bytes: Uint8Array,
): void {
  pointers[0] = 0n;
  calls.checked(name, ['void *', 'void *', 'size_t', 'void *'])(instance, bytes, bytes.length, pointers);
  calls.checked(`Set${word}`, ['void *', 'void *'])(instance, pointers[0] as bigint);
  calls.checked(`Free${word}`, ['void *', 'void *'])(instance, pointers);
}
