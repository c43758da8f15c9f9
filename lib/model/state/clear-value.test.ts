// Values are cleared in one piece, and texts that may be null become null.
import { expect } from 'chai';
import fc from 'fast-check';
import { clearValues } from './clear-value.js';
import { Memory } from './memory.js';
import { NULL_TEXT, sizeOf, strideOf, structType, type Type } from './type.js';

const CHAR: Type = { kind: 'number', name: 'char' };
const { type: anyType } = fc.letrec<{ type: Type }>((tie) => ({
  type: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<Type>(
      CHAR,
      { kind: 'number', name: 'double' },
      { kind: 'text', form: 'string', capacityBytes: 5 },
      { kind: 'text', form: 'char pointer', capacityBytes: 5 },
      { kind: 'text', form: 'wide pointer', capacityBytes: 9 },
      { kind: 'pointer', target: CHAR },
    ),
    fc
      .tuple(tie('type'), fc.integer({ min: 0, max: 4 }))
      .map(([element, length]): Type => ({ kind: 'array', element, length, isContainer: false })),
    fc
      .tuple(tie('type'), fc.integer({ min: 1, max: 4 }))
      .map(([element, capacity]): Type => ({ kind: 'sequence', container: 'vector', element, capacity })),
    fc.array(tie('type'), { minLength: 1, maxLength: 4 }).map((types) =>
      structType(
        'S',
        types.map((type, index) => ({ name: `m${index}`, type, units: '--', about: '', access: 'read-write' })),
      ),
    ),
  ),
}));

/** Writes what a cleared value has, part by part. */
function clearSlowly(type: Type, memory: Memory, offset: number): void {
  memory.bytes.fill(0, offset, offset + sizeOf(type));
  if (type.kind === 'text' && type.form.endsWith('pointer')) memory.view.setUint32(offset, NULL_TEXT, true);
  if (type.kind === 'struct')
    for (const member of type.members) clearSlowly(member.type, memory, offset + member.offsetBytes);
  if (type.kind === 'array')
    for (let index = 0; index < type.length; index++)
      clearSlowly(type.element, memory, offset + index * strideOf(type.element));
}

function filled(sizeBytes: number): Memory {
  const memory = new Memory(new ArrayBuffer(sizeBytes));
  memory.bytes.fill(0x5a);
  return memory;
}

/** How often a clearing fills bytes, and how often it writes a number. */
function stepsOf(type: Type, count: number): number[] {
  const memory = filled(strideOf(type) * count);
  const { bytes, view } = memory;
  let [fills, writes] = [0, 0];
  bytes.fill = (...given: unknown[]) => {
    fills++;
    return Buffer.prototype.fill.apply(bytes, given as Parameters<Buffer['fill']>);
  };
  view.setUint32 = (...given) => {
    writes++;
    DataView.prototype.setUint32.apply(view, given);
  };
  clearValues(type, memory, 0, count, memory.bytes.length);
  return [fills, writes];
}

describe('cleared values', () => {
  it('are nothing in all their parts, and nothing beside them changes', () => {
    const property = fc.property(anyType, fc.integer({ min: 1, max: 5 }), (type, count) => {
      const sizeBytes = strideOf(type) * count;
      const [memory, slow] = [filled(sizeBytes + 16), filled(sizeBytes + 16)];
      clearValues(type, memory, 8, count, sizeBytes);
      slow.bytes.fill(0, 8, 8 + sizeBytes);
      for (let index = 0; index < count; index++) clearSlowly(type, slow, 8 + index * strideOf(type));
      expect(memory.bytes.equals(slow.bytes)).to.equal(true);
    });
    fc.assert(property);
  });

  it('are filled at once, and only their texts are visited', () => {
    const member = (name: string, type: Type) =>
      ({ name, type, units: '--', about: '', access: 'read-write' }) as const;
    const text: Type = { kind: 'text', form: 'char pointer', capacityBytes: 8 };
    const numbers: Type = { kind: 'array', element: CHAR, length: 1000, isContainer: false };
    expect(stepsOf(CHAR, 7_000_000)).to.deep.equal([1, 0]);
    expect(stepsOf(structType('P', [member('x', numbers), member('y', CHAR)]), 5000)).to.deep.equal([1, 0]);
    expect(stepsOf(structType('T', [member('x', numbers), member('y', text)]), 500)).to.deep.equal([1, 500]);
  });
});
