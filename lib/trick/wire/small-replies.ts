// The replies of one number: whether a name exists, how long a list is, how many elements a container holds.
import type { Catalog } from '../../model/catalog.js';
import type { Memory } from '../../model/memory.js';
import { locate } from '../../model/variable.js';
import type { ListFormat } from './list-format.js';
import { MessageIndicator } from './message-indicator.js';

type Form = ListFormat['form'];

/** Answer to var_exists: `1\t1\n`, or an int32 and one byte. Trick: VariableServerSession::var_exists */
export function encodeExists(isThere: boolean, form: Form): Uint8Array {
  const answer = isThere ? 1 : 0;
  return form === 'ascii'
    ? line(MessageIndicator.varExists, answer)
    : Buffer.concat([int32s(MessageIndicator.varExists), Buffer.of(answer)]);
}

/** Answer to var_send_list_size: `3\t600\n`, or three int32. Trick: VariableServerSession::send_list_size */
export function encodeListSize(length: number, form: Form): Uint8Array {
  const { listSize } = MessageIndicator;
  return form === 'ascii' ? line(listSize, length) : int32s(listSize, 0, length);
}

/** Answer to var_get_stl_size: `6\t3\n` or `6\tBAD_REF\n`, or two int32. Trick: VariableServerSession::var_get_stl_size */
export function encodeStlSize(elements: number | undefined, form: Form): Uint8Array {
  const { stlSize } = MessageIndicator;
  return form === 'ascii' ? line(stlSize, elements ?? 'BAD_REF') : int32s(stlSize, elements ?? 0);
}

const line = (indicator: MessageIndicator, answer: number | string): Buffer =>
  Buffer.from(`${indicator}\t${answer}\n`, 'latin1');

/** Little-endian, whatever var_byteswap says. */
function int32s(...values: number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) bytes.writeInt32LE(value, 4 * index);
  return bytes;
}

/** Whether a name stands for anything that is there now, structures included; `time` does not. Trick: var_exists */
export function existsIn(name: string, catalog: Catalog, memory: Memory): boolean {
  const variable = catalog.find(name);
  return variable !== undefined && locate(variable, memory) >= 0;
}

/** Elements that a container holds now; undefined for what is no container. */
export function containerSizeIn(name: string, catalog: Catalog, memory: Memory): number | undefined {
  const variable = catalog.find(name);
  const offset = variable ? locate(variable, memory) : -1;
  if (!variable || offset < 0) return undefined;
  const { type } = variable;
  if (type.kind === 'sequence') return memory.view.getUint32(offset, true);
  return type.kind === 'array' && type.isContainer ? type.length : undefined;
}
