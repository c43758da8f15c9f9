// The JSON text of values that were copied from a frame: of numbers in long lists, whichever they are.
import { expect } from 'chai';
import fc from 'fast-check';
import type { Frame } from '../frame/reader.js';
import { Memory, readLeaf } from '../model/memory.js';
import { type NumberName, type NumberType, sizeOf } from '../model/type.js';
import { Slice } from '../scheduling/turns.js';
import { AnswerText } from './answer-text.js';
import { toJson } from './json-value.js';
import { TakenValues } from './taken-values.js';

const NAMES: readonly NumberName[] = ['double', 'float', 'int', 'unsigned short', 'unsigned char', 'bool', 'long long'];

const number = fc.oneof(
  { weight: 5, arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }) },
  { weight: 1, arbitrary: fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, -0) },
);

/** A slice that is over at each look. */
const shortSlice = (): Slice => {
  let now = 0;
  return new Slice(() => now++);
};

function textOf(element: NumberType, memory: Memory, length: number, convert?: (x: number) => number): string {
  const current = { path: 'list', type: { kind: 'array', element, length }, offsetBytes: 0, hops: [] };
  const references = [{ current, conversion: convert && { convert } }] as unknown as ConstructorParameters<
    typeof TakenValues
  >[0];
  const taken = new TakenValues(references, { memory } as Frame).take();
  const text = new AnswerText();
  const slice = shortSlice();
  for (const _ of taken.addText(text, 0, slice)) slice.restart();
  return text.toString();
}

describe('the text of copied numbers', () => {
  it('is that of each number by itself, also in other units, and in pieces', () => {
    const anyList = fc.record({
      name: fc.constantFrom(...NAMES),
      numbers: fc.array(number, { maxLength: 300, size: 'max' }),
      isConverted: fc.boolean(),
    });
    fc.assert(
      fc.property(anyList, ({ name, numbers, isConverted }) => {
        const element: NumberType = { kind: 'number', name };
        const bytes = sizeOf(element);
        const memory = new Memory(new ArrayBuffer(bytes * numbers.length));
        for (const [index, value] of numbers.entries()) {
          const at = index * bytes;
          if (name === 'double') memory.view.setFloat64(at, value, true);
          else if (name === 'float') memory.view.setFloat32(at, value, true);
          else if (name === 'long long')
            memory.view.setBigInt64(
              at,
              BigInt.asIntN(64, BigInt(Number.isFinite(value) ? Math.trunc(value) : 0)),
              true,
            );
          else for (let byte = 0; byte < bytes; byte++) memory.view.setUint8(at + byte, (value * 1e3) >> (8 * byte));
        }
        const convert = isConverted ? (x: number): number => x * 1e200 : undefined;
        const each = numbers.map((_, index) => {
          const value = readLeaf(element, memory, index * bytes);
          const isNumber = typeof value === 'number' || typeof value === 'bigint';
          return JSON.stringify(toJson(convert && isNumber ? convert(Number(value)) : value));
        });
        expect(textOf(element, memory, numbers.length, convert)).to.equal(`[${each.join(',')}]`);
      }),
    );
  });
});
