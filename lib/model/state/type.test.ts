// Types: their layout in memory as C's, and Trick's type codes.
import { expect } from 'chai';
import {
  array,
  bits,
  bool,
  char,
  charPointer,
  chars,
  double,
  enumeration,
  float,
  int,
  long,
  longLong,
  pointer,
  short,
  struct,
  text,
  unsignedChar,
  unsignedInt,
  unsignedLong,
  unsignedLongLong,
  unsignedShort,
  widePointer,
} from './declare.js';
import { deque, stdArray, vector } from './declare-containers.js';
import { alignOf, describeType, findMember, type StructType, sizeOf, trickCodeOf } from './type.js';

const Sensor = struct('Sensor', { reading: double(), id: int(), label: chars(12), ok: bool() });
const Tight = struct('Tight', { c: char(), us: unsignedShort(), b3: bool(3) });
const Mixed = struct('Mixed', {
  c: char(),
  s: short(),
  c2: char(),
  i: int(),
  b: bool(),
  ll: longLong(),
  c3: char(),
  f: float(),
  uc3: unsignedChar(3),
  d: double(),
  tail: char(),
});
const Nest = struct('Nest', {
  c: char(),
  t: array(Tight, 3),
  s: Sensor,
  e: enumeration('E', { A: 0 }),
  m: double([2, 3]),
  names: chars([2, 8]),
  last: short(),
});

/** What gcc on x86-64 reports for the same structures: size, alignment, offsets. */
const LAYOUTS: readonly [StructType, number, number, Record<string, number>][] = [
  [Sensor.type, 32, 8, { reading: 0, id: 8, label: 12, ok: 24 }],
  [Tight.type, 8, 2, { c: 0, us: 2, b3: 4 }],
  [Mixed.type, 56, 8, { c: 0, s: 2, c2: 4, i: 8, b: 12, ll: 16, c3: 24, f: 28, uc3: 32, d: 40, tail: 48 }],
  [Nest.type, 144, 8, { c: 0, t: 2, s: 32, e: 64, m: 72, names: 120, last: 136 }],
];

describe('the layout of types', () => {
  for (const [type, sizeBytes, alignBytes, offsets] of LAYOUTS) {
    it(`of ${type.name} is C's`, () => {
      const members = type.members.map(({ name, offsetBytes }) => [name, offsetBytes]);
      expect(Object.fromEntries(members)).to.deep.equal(offsets);
      expect([sizeOf(type), alignOf(type)]).to.deep.equal([sizeBytes, alignBytes]);
    });
  }

  it('keeps containers and text in place, with room for their capacity', () => {
    // 8 bytes of header, then the elements.
    expect(sizeOf(vector(double(), 5).type)).to.equal(48);
    expect(sizeOf(vector(Sensor, 2).type)).to.equal(72);
    // 4 bytes of length, the characters and a NUL, rounded up to whole words.
    expect(sizeOf(text(10).type)).to.equal(16);
    expect(sizeOf(text(11).type)).to.equal(16);
    expect(sizeOf(text(12).type)).to.equal(20);
    expect(sizeOf(pointer(double()).type)).to.equal(8);
  });

  it('finds members by name, and nothing inherited from objects', () => {
    expect(findMember(Sensor.type, 'label')?.offsetBytes).to.equal(12);
    expect(findMember(Sensor.type, 'constructor')).to.equal(undefined);
  });
});

describe("Trick's type codes", () => {
  const CODES = [
    [char(), 1, 'char'],
    [unsignedChar(), 2, 'unsigned char'],
    [text(9), 3, 'std::string'],
    [charPointer(9), 3, 'char*'],
    [short(), 4, 'short'],
    [unsignedShort(), 5, 'unsigned short'],
    [int(), 6, 'int'],
    [unsignedInt(), 7, 'unsigned int'],
    [long(), 8, 'long'],
    [unsignedLong(), 9, 'unsigned long'],
    [float(), 10, 'float'],
    [double(), 11, 'double'],
    [bits(9, { signed: true }), 12, 'int'],
    [bits(3, { declaredAs: 'unsigned char' }), 13, 'unsigned char'],
    [longLong(), 14, 'long long'],
    [unsignedLongLong(), 15, 'unsigned long long'],
    [bool(), 17, 'bool'],
    [widePointer(9), 19, 'wchar_t*'],
    [enumeration('Phase', { A: 1 }), 21, 'Phase'],
    [Sensor, 22, 'Sensor'],
    [vector(int(), 3), 24, 'std::vector<int>'],
    [deque(Sensor, 3), 24, 'std::deque<Sensor>'],
    [stdArray(short(), 3), 24, 'std::array<short, 3>'],
    [double([2, 3]), 11, 'double[2][3]'],
    [chars([2, 8]), 1, 'char[2][8]'],
    [pointer(Sensor), 22, 'Sensor*'],
  ] as const;
  for (const [{ type }, code, name] of CODES) {
    it(`${code} is ${name}'s`, () => {
      expect(trickCodeOf(type)).to.equal(code);
      expect(describeType(type)).to.equal(name);
    });
  }
});

describe('a declaration', () => {
  const REFUSALS: readonly [string, () => unknown][] = [
    ['an array needs a length of at least 1, not 0', () => double(0)],
    ['an array needs a length of at least 1, not 2.5', () => int([2, 2.5])],
    ['a bit field has 1 to 32 bits, not 33', () => bits(33)],
    ['a text needs a capacity of at least 1 byte, not 0', () => text(0)],
    ['a text needs a capacity of at least 1 byte, not -3', () => charPointer(-3)],
    ['a vector needs a capacity of at least 1 element, not NaN', () => vector(int(), Number.NaN)],
    ['Sensor.two words: a member is named with letters, digits and _', () => struct('Sensor', { 'two words': int() })],
    ['Phase.A is an int, not 0.5', () => enumeration('Phase', { A: 0.5 })],
    ['Phase.A is an int, not 4294967296', () => enumeration('Phase', { A: 2 ** 32 })],
  ];
  for (const [sentence, declare] of REFUSALS) {
    it(`is refused: ${sentence}`, () => {
      expect(declare).to.throw(RangeError, sentence);
    });
  }
});
