// Values in the text form of checkpoints. Trick: ClassicCheckPointAgent::write_rvalue
import { encodeCharacter, encodeText } from '../../../grammar/checkpoint/index.js';
import { type Memory, readLeaf, textBytesBorrow } from '../../model/state/memory.js';
import { formatDouble, formatFloat } from '../../model/state/number-text.js';
import {
  type EnumerationType,
  isNullableText,
  NULL_OFFSET,
  NULL_TEXT,
  NUMBER_FACTS,
  type NumberType,
  type PointerType,
  sizeOf,
  strideOf,
  type Type,
} from '../../model/state/type.js';
import { type Sink, walk } from '../../model/state/walk.js';
import type { Block, MemoryMap } from './memory-map.js';

const INDENT = '    ';

/** How many values stand in a line; the first line has one fewer. Trick: array_elements_per_line */
function valuesPerLine(element: Type): number {
  switch (element.kind) {
    case 'number':
      return NUMBER_FACTS[element.name].sizeBytes === 1 && element.name !== 'bool' ? 20 : isShort(element) ? 10 : 5;
    case 'enumeration':
      return 10;
    case 'text':
      return { string: 1, 'wide string': 1, 'char pointer': 20, 'wide pointer': 10 }[element.form];
    case 'pointer':
      return valuesPerLine(element.target);
    default:
      return 5;
  }
}

const isShort = ({ name }: NumberType): boolean =>
  name === 'short' || name === 'unsigned short' || name === 'bool' || name === 'wchar_t';

const CHARACTERS = Array.from({ length: 256 }, (_, code) => encodeCharacter(code));

/** Text that is made of millions of parts, without keeping each of them. */
class LongText {
  private static readonly CHUNK_LENGTH = 65_536;
  private readonly chunks: string[] = [];

  constructor(private last: string) {}

  add(part: string): void {
    this.last += part;
    if (this.last.length < LongText.CHUNK_LENGTH) return;
    // One flat text takes a tenth of the memory of its parts.
    this.chunks.push(Buffer.from(this.last, 'latin1').toString('latin1'));
    this.last = '';
  }

  get whole(): string {
    return this.chunks.length === 0 ? this.last : this.chunks.join('') + this.last;
  }
}

export class ValueSpeller {
  constructor(
    private readonly memory: Memory,
    private readonly map: MemoryMap,
  ) {}

  /** The text after the name of a variable: ` = 1`, or an array on separate lines. */
  assigned(type: Type, offset: number): string {
    return type.kind === 'array'
      ? ` = \n${INDENT}${this.spell(type, offset, INDENT)}`
      : ` = ${this.spell(type, offset, '')}`;
  }

  /** The elements of a block as an array. */
  list({ element, offsetBytes, count, strideBytes }: Block): string {
    return ` = \n${INDENT}${this.elements(element, offsetBytes, count, INDENT, strideBytes)}`;
  }

  private spell(type: Type, offset: number, indent: string): string {
    switch (type.kind) {
      case 'number':
        return this.number(type, offset);
      case 'bits':
        return `${readLeaf(type, this.memory, offset)}`;
      case 'enumeration':
        return this.enumeration(type, offset);
      case 'text':
        return this.text(offset);
      case 'pointer':
        return this.address(type, offset);
      case 'array':
        return this.elements(type.element, offset, type.length, indent);
      default:
        throw new TypeError(`a ${type.kind} has no value of its own`);
    }
  }

  /**
   * An array of arrays has a line for each inner array; a long list of values goes over several lines. Trick:
   * write_rvalue
   */
  private elements(element: Type, offset: number, count: number, indent: string, stride = strideOf(element)): string {
    const isNested = element.kind === 'array';
    const inner = isNested ? indent + INDENT : indent;
    const perLine = valuesPerLine(element);
    const list = new LongText(isNested ? `{\n${inner}` : '{');
    for (let index = 0; index < count; index++) {
      if (index > 0) list.add(isNested ? `,\n${inner}` : (index + 1) % perLine === 0 ? `, \n${indent} ` : ', ');
      list.add(this.spell(element, offset + index * stride, inner));
    }
    list.add(isNested ? `\n${indent}}` : '}');
    return list.whole;
  }

  private number(type: NumberType, offset: number): string {
    const value = readLeaf(type, this.memory, offset);
    if (type.name === 'char') return CHARACTERS[Number(value) & 0xff] as string;
    if (type.name === 'float') return exact(Number(value), formatFloat(Number(value)), 9);
    if (type.name === 'double') return exact(Number(value), formatDouble(Number(value)), 17);
    return `${value}`;
  }

  private enumeration(type: EnumerationType, offset: number): string {
    const value = readLeaf(type, this.memory, offset) as number;
    return Object.keys(type.labels).find((label) => type.labels[label] === value) ?? `${value}`;
  }

  private text(offset: number): string {
    const bytes = textBytesBorrow(this.memory, offset);
    return bytes === null ? 'NULL' : encodeText(bytes.toString('latin1'));
  }

  private address(type: PointerType, offset: number): string {
    const { view } = this.memory;
    const target = view.getUint32(offset, true);
    if (target === NULL_OFFSET) return 'NULL';
    const aim = this.map.aimAt(type.target, target);
    if (!aim) return 'NULL';
    const count = view.getUint32(offset + 4, true);
    return count < aim.rest ? `&${aim.name} /*count ${count}*/` : `&${aim.name}`;
  }
}

/** Trick's text if it reads back as the same number, otherwise with one more digit, which is always enough. */
function exact(value: number, text: string, digits: number): string {
  if (Number.isNaN(value)) return 'NAN';
  if (!Number.isFinite(value)) return text;
  const readBack = digits === 9 ? Math.fround(Number(text)) : Number(text);
  return readBack === value ? text : value.toPrecision(digits);
}

/** Whether a checkpoint leaves a value out: zero throughout, an empty text, a null text or pointer. */
export const isCleared = (type: Type, memory: Memory, offset: number): boolean => walk(type, memory, offset, CLEARED);

const CLEARED: Sink<boolean> = {
  single: (type, memory, offset) =>
    type.kind === 'text'
      ? memory.view.getUint32(offset, true) === (isNullableText(type) ? NULL_TEXT : 0)
      : areZero(memory, offset, sizeOf(type)),
  elements: (element, memory, offset, count, { kind }) => {
    if (kind !== 'array') return kind === 'sequence' && count === 0;
    const stride = strideOf(element);
    for (let index = 0; index < count; index++)
      if (!walk(element, memory, offset + index * stride, CLEARED)) return false;
    return true;
  },
  members: ({ members }, memory, offset) =>
    members.every(({ type, offsetBytes }) => walk(type, memory, offset + offsetBytes, CLEARED)),
  nothing: () => true,
};

function areZero({ bytes }: Memory, offset: number, length: number): boolean {
  for (let at = offset; at < offset + length; at++) if (bytes[at] !== 0) return false;
  return true;
}
