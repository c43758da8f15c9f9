// Binary list messages as named values, by binary-parser. Trick: VariableServerSession::write_binary_data
import { Parser } from 'binary-parser';
import { ProtocolError } from './errors.js';
import type { Message } from './message-splitter.js';
import { type ElementFormat, type TrickType, typeOfCode } from './trick-type.js';
import type { TrickValue } from './value.js';

/** A variable of a reply. `value` is undefined for BAD_REF and for types that a client cannot read. */
export interface Decoded {
  /** Empty in messages without names. */
  readonly name: string;
  readonly type: TrickType;
  /** 1 for a scalar or a text. */
  readonly elements: number;
  readonly value: TrickValue | undefined;
}

export type BinaryMessage = Extract<Message, { kind: 'binary' }>;

interface Raw {
  readonly name?: string;
  readonly code: number;
  readonly sizeBytes: number;
  readonly bytes: Uint8Array;
}
type Order = 'le' | 'be';

const ENDIANNESS = { le: 'little', be: 'big' } as const;

/** Indicator, size, number of variables; of each variable a name (if any), a type code, a size and as many bytes. */
function listParser(order: Order, hasNames: boolean): Parser {
  const variable = new Parser().endianness(ENDIANNESS[order]);
  if (hasNames) variable.uint32('nameBytes').string('name', { length: 'nameBytes', encoding: 'utf8' });
  variable.int32('code').uint32('sizeBytes').buffer('bytes', { length: 'sizeBytes' });
  const head = new Parser().endianness(ENDIANNESS[order]).int32('indicator').uint32('size').uint32('count');
  return head.array('variables', { type: variable, length: 'count' });
}

const LISTS: Readonly<Record<Order, { readonly named: Parser; readonly nameless: Parser }>> = {
  le: { named: listParser('le', true), nameless: listParser('le', false) },
  be: { named: listParser('be', true), nameless: listParser('be', false) },
};

const ELEMENT_BYTES: Readonly<Record<ElementFormat, number>> = {
  int8: 1,
  uint8: 1,
  int16: 2,
  uint16: 2,
  int32: 4,
  uint32: 4,
  int64: 8,
  uint64: 8,
  float: 4,
  double: 8,
};

function elementsParser(format: ElementFormat, order: Order): Parser {
  const type = ELEMENT_BYTES[format] === 1 ? format : `${format}${order}`;
  return new Parser().array('elements', { type: type as 'int32le', readUntil: 'eof' });
}

const formats = Object.keys(ELEMENT_BYTES) as ElementFormat[];
const ELEMENTS: ReadonlyMap<string, Parser> = new Map(
  formats.flatMap((format) =>
    (['le', 'be'] as const).map((order) => [`${format} ${order}`, elementsParser(format, order)] as const),
  ),
);

/** The variables of a list or send-once message. Throws a ProtocolError when its sizes do not add up. */
export function decodeBinary(message: BinaryMessage, hasNames = true): Decoded[] {
  const order = message.isByteSwapped ? 'be' : 'le';
  const { variables } = parse(message.bytes, LISTS[order][hasNames ? 'named' : 'nameless']);
  return variables.map((raw) => decodeVariable(raw, order));
}

function parse(bytes: Buffer, parser: Parser): { readonly variables: readonly Raw[] } {
  const early = new ProtocolError(`a binary message of ${bytes.length} bytes ends before its variables do`);
  try {
    const list: { readonly variables: readonly Raw[] } = parser.parse(bytes);
    // binary-parser throws for a number beyond the end, but cuts a buffer short silently.
    if (list.variables.every((variable) => variable.bytes.length === variable.sizeBytes)) return list;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  throw early;
}

function decodeVariable({ name = '', code, bytes }: Raw, order: Order): Decoded {
  const type = typeOfCode(code);
  const text = textOf(type, bytes, order);
  if (text !== undefined) return { name, type, elements: 1, value: text };
  const elements = elementsOf(type, bytes, order);
  if (!elements) return { name, type, elements: 1, value: undefined };
  const value = elements.length === 1 ? elements[0] : elements;
  return { name, type, elements: elements.length, value: value as TrickValue };
}

/** Text up to its NUL; undefined for a value that is no text. A single char is a number, as in ASCII replies. */
function textOf(type: TrickType, bytes: Uint8Array, order: Order): string | undefined {
  const isText = type.kind === 'text' || (type.kind === 'character' && bytes.length !== 1);
  if (isText) return Buffer.from(bytes.buffer, bytes.byteOffset, lengthToNul(bytes)).toString('utf8');
  if (type.kind !== 'wideText') return undefined;
  const points = parseElements('uint32', bytes, order) as number[];
  const end = points.indexOf(0);
  return points
    .slice(0, end < 0 ? points.length : end)
    .map((point) => (point <= 0x10ffff ? String.fromCodePoint(point) : '\ufffd'))
    .join('');
}

function lengthToNul(bytes: Uint8Array): number {
  const end = bytes.indexOf(0);
  return end < 0 ? bytes.length : end;
}

function elementsOf(
  type: TrickType,
  bytes: Uint8Array,
  order: Order,
): readonly (number | bigint | boolean)[] | undefined {
  if (!type.format) return undefined;
  const format = type.kind === 'enumeration' ? enumerationFormat(bytes.length) : type.format;
  if (!format) return undefined;
  const elements = parseElements(format, bytes, type.isNeverSwapped ? 'le' : order);
  return type.kind === 'boolean' ? elements.map((element) => element !== 0) : elements;
}

/** A message does not tell the size of an enumeration: one of 1 or 2 bytes is known by the size of its value. */
function enumerationFormat(sizeBytes: number): ElementFormat | undefined {
  if (sizeBytes === 1) return 'uint8';
  if (sizeBytes === 2) return 'uint16';
  return sizeBytes % ELEMENT_BYTES.int32 === 0 ? 'int32' : undefined;
}

function parseElements(format: ElementFormat, bytes: Uint8Array, order: Order): (number | bigint)[] {
  if (bytes.length % ELEMENT_BYTES[format] !== 0)
    throw new ProtocolError(`a value of ${bytes.length} bytes holds no whole number of ${format} elements`);
  return (ELEMENTS.get(`${format} ${order}`) as Parser).parse(bytes).elements;
}
