// Values as bytes and back, for random types.
import { expect } from 'chai';
import fc from 'fast-check';
import { DecodeError, decodeValue, MOST_ARGUMENTS, MOST_FIELDS, MOST_ITEMS, UnknownInstanceError } from './decode.js';
import { encodeValue, type ObjectNumbers } from './encode.js';
import {
  BOOL,
  BYTES,
  classOf,
  DOUBLE,
  describeType,
  dictionaryOf,
  enumerationOf,
  FLOAT,
  isSameType,
  type KrpcType,
  type KrpcValue,
  listOf,
  SINT32,
  SINT64,
  STRING,
  setOf,
  TypeCode,
  tupleOf,
  UINT32,
  UINT64,
} from './type.js';

const NO_OBJECTS: ObjectNumbers = { numberOf: () => 0, objectOf: () => undefined };
const int32 = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });

interface Typed {
  readonly type: KrpcType;
  readonly value: KrpcValue;
}
const of = (type: KrpcType, values: fc.Arbitrary<KrpcValue>): fc.Arbitrary<Typed> =>
  values.map((value) => ({ type, value }));

const SIMPLE: readonly fc.Arbitrary<Typed>[] = [
  of(DOUBLE, fc.double()),
  of(FLOAT, fc.float()),
  of(SINT32, int32),
  of(enumerationOf('S', 'E'), int32),
  of(SINT64, fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })),
  of(UINT32, fc.nat(2 ** 32 - 1)),
  of(UINT64, fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })),
  of(BOOL, fc.boolean()),
  of(STRING, fc.string({ unit: 'grapheme' })),
  of(BYTES, fc.uint8Array()),
];
const simple = fc.oneof(...SIMPLE);
const both = fc.array(simple, { minLength: 1, maxLength: 5 });
const typed: fc.Arbitrary<Typed> = fc.oneof(
  simple,
  both.map((all) => ({ type: tupleOf(...all.map(({ type }) => type)), value: all.map(({ value }) => value) })),
  fc.array(fc.double()).map((value) => ({ type: listOf(DOUBLE), value })),
  fc.array(fc.array(int32)).map((value) => ({ type: listOf(listOf(SINT32)), value })),
  fc.uniqueArray(int32).map((value) => ({ type: setOf(SINT32), value: new Set(value) })),
  fc.dictionary(fc.string(), int32).map((value) => ({
    type: dictionaryOf(STRING, SINT32),
    value: new Map(Object.entries(value)),
  })),
);

const TYPES: readonly KrpcType[] = [
  DOUBLE,
  FLOAT,
  SINT32,
  SINT64,
  UINT32,
  UINT64,
  BOOL,
  STRING,
  BYTES,
  classOf('S', 'C'),
  listOf(DOUBLE),
  listOf(STRING),
  tupleOf(SINT32, STRING),
  setOf(STRING),
  dictionaryOf(STRING, listOf(BOOL)),
];

describe("kRPC's values", () => {
  it('are read as they were written', () => {
    fc.assert(
      fc.property(typed, ({ type, value }) => {
        expect(decodeValue(type, encodeValue(type, value, NO_OBJECTS), NO_OBJECTS)).to.deep.equal(value);
      }),
    );
  });

  it('are no text where the bytes are no UTF-8', () => {
    const latin1 = Uint8Array.of(4, 0x63, 0x61, 0x66, 0xe9);
    expect(() => decodeValue(STRING, latin1, NO_OBJECTS)).to.throw(DecodeError, 'the bytes are no ');
  });

  it('are read or refused, whatever the bytes are', () => {
    fc.assert(
      fc.property(fc.constantFrom(...TYPES), fc.uint8Array({ maxLength: 60 }), (type, bytes) => {
        try {
          decodeValue(type, bytes, NO_OBJECTS);
        } catch (error) {
          expect(error instanceof DecodeError || error instanceof UnknownInstanceError).to.equal(true);
        }
      }),
    );
  });

  it('are the same in a list of texts, which is read in one loop, and one by one', () => {
    // Characters of several bytes, and lengths around those that take a second byte.
    const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 50 }), fc.string({ minLength: 120, maxLength: 132 }));
    fc.assert(
      fc.property(fc.uniqueArray(text), fc.nat({ max: 300 }), (given, cut) => {
        const bytes = encodeValue(listOf(STRING), given, NO_OBJECTS);
        expect(decodeValue(listOf(STRING), bytes, NO_OBJECTS)).to.deep.equal(given);
        const read = (type: KrpcType) => {
          try {
            return [...(decodeValue(type, bytes.subarray(0, cut), NO_OBJECTS) as Iterable<KrpcValue>)];
          } catch (error) {
            return (error as Error).message.replace(/list|set/, 'collection');
          }
        };
        expect(read(listOf(STRING))).to.deep.equal(read(setOf(STRING)));
      }),
    );
  });

  it('have the bytes that clients know', () => {
    const bytes = (type: KrpcType, value: KrpcValue): string =>
      Buffer.from(encodeValue(type, value, NO_OBJECTS)).toString('hex');
    expect(bytes(DOUBLE, 3.5)).to.equal('0000000000000c40');
    expect(bytes(FLOAT, 3.5)).to.equal('00006040');
    expect(bytes(SINT32, -1)).to.equal('01');
    expect(bytes(SINT32, 300)).to.equal('d804');
    expect(bytes(UINT64, 300n)).to.equal('ac02');
    expect(bytes(BOOL, true)).to.equal('01');
    expect(bytes(STRING, 'jeb')).to.equal('036a6562');
    expect(bytes(listOf(SINT32), [])).to.equal('');
    expect(bytes(listOf(SINT32), [1, -2])).to.equal('0a01020a0103');
    expect(bytes(classOf('S', 'C'), null)).to.equal('00');
  });

  it('are too deep for a decoder that would follow them without end', () => {
    let type: KrpcType = SINT32;
    for (let k = 0; k < 20; k++) type = listOf(type);
    let bytes: Uint8Array = Buffer.from([0]);
    for (let k = 0; k < 20; k++) bytes = Buffer.from([10, bytes.length, ...bytes]);
    expect(() => decodeValue(type, bytes, NO_OBJECTS)).to.throw(DecodeError, '16 collections deep');
  });

  it('have a bounded number of items in all their collections; doubles may be more', () => {
    const decode = (type: KrpcType, value: KrpcValue) =>
      decodeValue(type, encodeValue(type, value, NO_OBJECTS), NO_OBJECTS);
    const numbers = (count: number) => Array.from({ length: count }, (_, k) => k);
    const sentence = `a value may have ${MOST_ITEMS} items`;
    expect(decode(listOf(SINT32), numbers(MOST_ITEMS))).to.have.length(MOST_ITEMS);
    expect(() => decode(listOf(SINT32), numbers(MOST_ITEMS + 1))).to.throw(DecodeError, sentence);
    expect(() => decode(setOf(SINT32), numbers(MOST_ITEMS + 1))).to.throw(DecodeError, sentence);
    const texts = numbers(MOST_ITEMS + 1).map(String);
    expect(decode(listOf(STRING), texts.slice(1))).to.have.length(MOST_ITEMS);
    expect(() => decode(listOf(STRING), texts)).to.throw(DecodeError, sentence);
    const lines = Array.from({ length: 101 }, (_, k) => texts.slice(100 * k, 100 * k + 100));
    expect(() => decode(listOf(listOf(STRING)), lines)).to.throw(DecodeError, sentence);
    const nested = Array.from({ length: 101 }, () => numbers(100));
    expect(() => decode(listOf(listOf(SINT32)), nested)).to.throw(DecodeError, sentence);
    const entries = new Map(numbers(MOST_ITEMS + 1).map((k) => [k, 0]));
    expect(() => decode(dictionaryOf(SINT32, SINT32), entries)).to.throw(DecodeError, sentence);
    expect(decode(listOf(DOUBLE), numbers(100_000))).to.have.length(100_000);
    const call = Buffer.alloc(2 * (MOST_ARGUMENTS + 1), Buffer.from([0x1a, 0]));
    expect(() => decodeValue({ code: TypeCode.procedureCall }, call, NO_OBJECTS)).to.throw(
      DecodeError,
      '1000 arguments',
    );
  });

  it('have few fields in a message, each of which would be decoded', () => {
    const fields = (count: number, ...field: readonly number[]) =>
      Buffer.alloc(field.length * count, Buffer.from(field));
    const within = (tag: number, bytes: Buffer) => Buffer.from([tag, bytes.length, ...bytes]);
    const call = (bytes: Buffer) => () => decodeValue({ code: TypeCode.procedureCall }, bytes, NO_OBJECTS);
    expect(call(within(0x1a, fields(MOST_FIELDS, 0x12, 0)))).not.to.throw();
    expect(call(within(0x1a, fields(MOST_FIELDS + 1, 0x12, 0)))).to.throw(DecodeError, 'may have 16 fields');
    expect(call(fields(MOST_ARGUMENTS, 0x1a, 0))).not.to.throw();
    expect(call(Buffer.concat([fields(MOST_ARGUMENTS, 0x1a, 0), fields(MOST_FIELDS, 0x20, 1)]))).not.to.throw();
    expect(call(fields(MOST_ARGUMENTS + MOST_FIELDS + 1, 0x20, 1))).to.throw(DecodeError, '16 other fields');
    const map = (bytes: Buffer) => () => decodeValue(dictionaryOf(SINT32, SINT32), bytes, NO_OBJECTS);
    expect(map(within(0x0a, Buffer.from([0x0a, 1, 0, 0x12, 1, 0])))()).to.deep.equal(new Map([[0, 0]]));
    expect(map(within(0x0a, Buffer.from([0x0a, 1, 0, 0x0a, 1, 0, 0x12, 1, 0])))).to.throw(
      DecodeError,
      'may have 2 fields',
    );
  });

  it('have types that compare and describe themselves', () => {
    expect(isSameType(listOf(SINT32), listOf(SINT32))).to.equal(true);
    expect(isSameType(listOf(SINT32), setOf(SINT32))).to.equal(false);
    expect(isSameType(classOf('S', 'A'), classOf('S', 'B'))).to.equal(false);
    expect(describeType(dictionaryOf(STRING, listOf(classOf('S', 'A'))))).to.equal('dictionary(string, list(S.A))');
  });
});
