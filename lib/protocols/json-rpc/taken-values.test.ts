// The JSON text of values that were copied from a frame: of numbers in long lists, whichever they are.
import { expect } from 'chai';
import fc from 'fast-check';
import type { Frame } from '../../model/frame/reader.js';
import { Memory, readLeaf } from '../../model/state/memory.js';
import { type NumberName, type NumberType, sizeOf } from '../../model/state/type.js';
import { AnswerText } from './answer-text.js';
import { toJson } from './json-value.js';
import { TakenValues } from './taken-values.js';

const NAMES: readonly NumberName[] = ['double', 'float', 'int', 'unsigned short', 'unsigned char', 'bool', 'long long'];

const number = fc.oneof(
  { weight: 5, arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }) },
  { weight: 1, arbitrary: fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, -0) },
);

function textOf(element: NumberType, memory: Memory, length: number, convert?: (x: number) => number): string {
  const current = { path: 'list', type: { kind: 'array', element, length }, offsetBytes: 0, hops: [] };
  const references = [{ current, conversion: convert && { convert } }] as unknown as ConstructorParameters<
    typeof TakenValues
  >[0];
  const taken = new TakenValues(references, { memory } as Frame).take();
  const text = new AnswerText();
  for (const _ of taken.addText(text, 0));
  return text.toString();
}

/** The bytes of a list of numbers: of doubles such as simulations have, of others any. */
const anyList = fc.oneof(
  fc.array(number, { maxLength: 300, size: 'max' }).map((numbers) => ({
    name: 'double' as NumberName,
    bytes: new Uint8Array(Float64Array.from(numbers).buffer),
  })),
  fc.record({ name: fc.constantFrom(...NAMES), bytes: fc.uint8Array({ maxLength: 1600, size: 'max' }) }),
);

function textOfEach(element: NumberType, memory: Memory, length: number, convert?: (x: number) => number): string {
  const texts = Array.from({ length }, (_, index) => {
    const value = readLeaf(element, memory, index * sizeOf(element));
    const isNumber = typeof value === 'number' || typeof value === 'bigint';
    return JSON.stringify(toJson(convert && isNumber ? convert(Number(value)) : value));
  });
  return `[${texts.join(',')}]`;
}

describe('the text of copied numbers', () => {
  it('is that of each number by itself, also in other units, and in pieces', () => {
    fc.assert(
      fc.property(anyList, fc.boolean(), ({ name, bytes }, isConverted) => {
        const element: NumberType = { kind: 'number', name };
        const memory = new Memory(bytes.slice().buffer);
        const length = Math.floor(bytes.length / sizeOf(element));
        const convert = isConverted ? (x: number): number => x * 1e200 : undefined;
        expect(textOf(element, memory, length, convert)).to.equal(textOfEach(element, memory, length, convert));
      }),
    );
  });
});
