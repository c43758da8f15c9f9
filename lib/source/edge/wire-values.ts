// Values in JSON that JSON has no form for: integers of 64 bits, numbers such as NaN, and packed lists of numbers.
import { FORMS, isPacked, type Packed } from '../../model/state/packed-numbers.js';

/** The one member of an object that stands for a number. */
const NUMBER = '$n';
/** For packed numbers: the bytes, beside the form. */
const BYTES = '$b';

const LONGEST_INTEGER = 24;

const BY_NAME = new Map(Object.values(FORMS).map((form) => [form.name, form]));

export const toJson = (value: unknown): string => JSON.stringify(value, encoded);

/** Throws an Error for text that `toJson` does not make. */
export const fromJson = (text: string): unknown => JSON.parse(text, decoded);

function encoded(_: string, value: unknown): unknown {
  if (typeof value === 'bigint') return { [NUMBER]: `${value}n` };
  if (typeof value === 'number')
    return Number.isFinite(value) && !Object.is(value, -0)
      ? value
      : { [NUMBER]: Object.is(value, -0) ? '-0' : `${value}` };
  if (isPacked(value)) return { [BYTES]: bytesOf(value), form: value.constructor.name };
  return value;
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Packed): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('base64');

function decoded(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (NUMBER in value) return numberOf(String(value[NUMBER]));
  if (BYTES in value && 'form' in value) return packedOf(String(value.form), String(value[BYTES]));
  return value;
}

function numberOf(text: string): number | bigint {
  if (/^-?\d+n$/.test(text) && text.length <= LONGEST_INTEGER) return BigInt(text.slice(0, -1));
  if (/^(-0|NaN|-?Infinity)$/.test(text)) return Number(text);
  throw new Error('this is no number');
}

function packedOf(name: string, text: string): Packed {
  const form = BY_NAME.get(name);
  const bytes = Buffer.from(text, 'base64');
  const size = (form as unknown as { BYTES_PER_ELEMENT?: number })?.BYTES_PER_ELEMENT;
  if (!form || !size || bytes.length % size !== 0) throw new Error('these are no numbers');
  const numbers = new form(bytes.length / size);
  new Uint8Array(numbers.buffer).set(bytes);
  return numbers;
}
