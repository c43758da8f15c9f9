// Random values of random types, written and read back.
import { expect } from 'chai';
import fc from 'fast-check';
import { anyCharacter } from '../../testing/aids/any-character.js';
import { runs } from '../../testing/aids/run-counts.js';
import { Memory } from './memory.js';
import { readValue } from './read.js';
import { type NumberName, sizeOf, structType, type Type } from './type.js';
import { writeValue } from './write.js';

interface Typed {
  readonly type: Type;
  readonly value: unknown;
}

const typed = (type: Type, values: fc.Arbitrary<unknown>): fc.Arbitrary<Typed> =>
  values.map((value) => ({ type, value }));
const number = (name: NumberName, values: fc.Arbitrary<unknown>) => typed({ kind: 'number', name }, values);
const between = (min: number, max: number) => fc.integer({ min, max });
const capacityBytes = 12;
/** Well-formed text that fits, without a NUL, which would end it. */
const shortText = fc
  .string({ unit: anyCharacter, maxLength: 6 })
  .filter(
    (text) => Buffer.byteLength(text) < capacityBytes && !text.includes('\0') && Buffer.from(text).toString() === text,
  );

const leaf: fc.Arbitrary<Typed> = fc.oneof(
  number('char', between(-128, 127)),
  number('unsigned char', between(0, 255)),
  number('short', between(-(2 ** 15), 2 ** 15 - 1)),
  number('unsigned short', between(0, 2 ** 16 - 1)),
  number('int', between(-(2 ** 31), 2 ** 31 - 1)),
  number('unsigned int', between(0, 2 ** 32 - 1)),
  number('long', fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n)),
  number('unsigned long', fc.bigInt(0n, 2n ** 64n - 1n)),
  number('long long', fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n)),
  number('unsigned long long', fc.bigInt(0n, 2n ** 64n - 1n)),
  number('float', fc.float()),
  number('double', fc.double()),
  number('bool', fc.boolean()),
  number('wchar_t', between(0, 0x10ffff)),
  typed({ kind: 'bits', widthBits: 9, isSigned: true, declaredAs: 'int' }, between(-256, 255)),
  typed({ kind: 'bits', widthBits: 3, isSigned: false, declaredAs: 'unsigned char' }, between(0, 7)),
  typed({ kind: 'enumeration', name: 'E', labels: { A: 1 } }, between(-(2 ** 31), 2 ** 31 - 1)),
  typed({ kind: 'enumeration', name: 'B', labels: { A: 1 }, storedAs: 'unsigned char' }, between(0, 255)),
  typed({ kind: 'text', form: 'wide string', capacityBytes }, shortText),
  typed({ kind: 'text', form: 'string', capacityBytes }, shortText),
  typed({ kind: 'text', form: 'char pointer', capacityBytes }, fc.option(shortText)),
  typed(
    { kind: 'array', element: { kind: 'number', name: 'char' }, length: capacityBytes, isContainer: false },
    shortText,
  ),
);

const { any } = fc.letrec<{ any: Typed }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.tuple(tie('any'), between(1, 3)).map(([{ type, value }, length]) => ({
      // An array of char or wchar_t is text; a container of them is a list.
      type: {
        kind: 'array',
        element: type,
        length,
        isContainer: type.kind === 'number' && (type.name === 'char' || type.name === 'wchar_t'),
      },
      value: Array(length).fill(value),
    })),
    fc.tuple(tie('any'), between(0, 3)).map(([{ type, value }, length]) => ({
      type: { kind: 'sequence', container: 'vector', element: type, capacity: 3 },
      value: Array(length).fill(value),
    })),
    fc.array(tie('any'), { minLength: 1, maxLength: 4 }).map((members) => ({
      type: structType(
        'S',
        members.map(({ type }, i) => ({ name: `m${i}`, type, units: '--', about: '', access: 'read-write' })),
      ),
      value: Object.fromEntries(members.map(({ value }, i) => [`m${i}`, value])),
    })),
  ) as fc.Arbitrary<Typed>,
}));

describe('a value of any type', () => {
  it('reads back as it was written, between neighbours that stay as they were', () => {
    fc.assert(
      fc.property(any, ({ type, value }) => {
        const [start, end] = [64, 64 + sizeOf(type)];
        const memory = new Memory(new ArrayBuffer(end + 64));
        memory.bytes.fill(0xa5);
        writeValue(memory, type, start, value);
        expect(readValue(type, memory, start)).to.deep.equal(value);
        expect([...memory.bytes.subarray(0, start)].every((byte) => byte === 0xa5)).to.equal(true);
        expect([...memory.bytes.subarray(end)].every((byte) => byte === 0xa5)).to.equal(true);
      }),
      { numRuns: runs(500) },
    );
  });

  it('is stored whole or, when something in it does not fit, not at all', () => {
    const anything = fc.oneof(
      any,
      any,
      fc.anything().map((value) => ({ value })),
    );
    fc.assert(
      fc.property(any, anything, ({ type, value }, other) => {
        const memory = new Memory(new ArrayBuffer(64 + sizeOf(type)));
        writeValue(memory, type, 64, value);
        const before = Buffer.from(memory.bytes);
        try {
          writeValue(memory, type, 64, other.value);
        } catch (error) {
          expect(error).to.satisfy((e: unknown) => e instanceof TypeError || e instanceof RangeError);
          expect(before.equals(memory.bytes)).to.equal(true);
        }
      }),
      { numRuns: runs(500) },
    );
  });

  it('does not come from a generator, which can be gone through only once', () => {
    const memory = new Memory(new ArrayBuffer(64));
    const type: Type = { kind: 'array', element: { kind: 'number', name: 'int' }, length: 2, isContainer: false };
    const numbers = (function* () {
      yield 1;
      yield 2;
    })();
    expect(() => writeValue(memory, type, 0, numbers)).to.throw(
      TypeError,
      'the value is an int[2]; a list does not fit',
    );
    writeValue(memory, type, 0, new Set([3, 4]));
    expect(readValue(type, memory, 0)).to.deep.equal([3, 4]);
  });

  it('is refused for a pointer', () => {
    const memory = new Memory(new ArrayBuffer(64));
    const type: Type = { kind: 'pointer', target: { kind: 'number', name: 'int' } };
    expect(() => writeValue(memory, type, 0, [1], 'o.p')).to.throw('o.p is a pointer: it is aimed with pointTo');
  });
});
