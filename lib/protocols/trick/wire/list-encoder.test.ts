// Lists as ASCII and binary messages.
import { expect } from 'chai';
import { createFixture } from '../../../testing/aids/fixture/state.js';
import { encodeList, encodeListInTurns, encodeListJoined, feedKey } from './list-encoder.js';
import { INITIAL_FORMAT, type ListFormat } from './list-format.js';
import { MESSAGES } from './messages.js';
import { ReferenceTable } from './reference.js';

const BINARY: ListFormat = { form: 'binary', withNames: true, isByteSwapped: false };
const NAMELESS: ListFormat = { ...BINARY, withNames: false };
const varList = MESSAGES.varList.indicator;

function setUp() {
  const fixture = createFixture();
  const table = new ReferenceTable(fixture);
  const hold = (...names: string[]) => names.map((name) => table.hold(name === 'time' ? name : `fx.all.${name}`));
  const hex = (format: ListFormat, ...names: string[]): string[] =>
    encodeList(varList, hold(...names), format, fixture.snapshot(1_500_000)).map((m) => Buffer.from(m).toString('hex'));
  return { fixture, table, hold, hex };
}

/** The expected bytes of a message from its parts, spaces for the reader. */
const bytes = (...parts: string[]): string => parts.join('').replaceAll(' ', '');

describe('list encoder', () => {
  it('sends nothing for an empty list', () => {
    const frame = createFixture().snapshot();
    expect(encodeList(varList, [], INITIAL_FORMAT, frame)).to.deep.equal([]);
    expect(encodeList(varList, [], BINARY, frame)).to.deep.equal([]);
    expect(encodeListJoined(varList, [], BINARY, frame).length).to.equal(0);
  });

  it('cuts a long line between variables and joins to the same line', () => {
    const { fixture, hold } = setUp();
    const references = hold(...Array.from({ length: 600 }, (_, k) => `big_d[${k}]`));
    const frame = fixture.snapshot();
    const writes = encodeList(varList, references, INITIAL_FORMAT, frame).map((write) => Buffer.from(write).toString());
    expect(writes.length).to.equal(2);
    expect(writes[1]).to.match(/^\t[0-9.]+\t.*\n$/);
    expect(writes.join('')).to.equal(
      Buffer.from(encodeListJoined(varList, references, INITIAL_FORMAT, frame)).toString(),
    );
  });

  it('gives every variable the same bytes in pieces and joined, no piece longer than a write of Trick', () => {
    const { fixture, table } = setUp();
    const [all] = fixture.catalog.structures().filter(({ name }) => name === 'Fixture');
    const references = (all?.members ?? []).map(({ name }) => table.hold(`fx.all.${name}`));
    expect(references).to.have.length.above(90);
    const frame = fixture.snapshot();
    for (const format of [INITIAL_FORMAT, BINARY, NAMELESS, { ...BINARY, isByteSwapped: true }]) {
      const writes = encodeList(varList, references, format, frame);
      expect(writes.filter(({ length }) => length > 8192)).to.deep.equal([]);
      expect(Buffer.concat(writes).equals(encodeListJoined(varList, references, format, frame))).to.equal(true);
    }
  });

  it('gives way while it makes long messages, however long each value is', async () => {
    const { fixture, hold } = setUp();
    const references = hold(...Array.from({ length: 500 }, (_, k) => (k % 2 === 0 ? 'big_d' : 'text')));
    const frame = fixture.snapshot();
    for (const format of [INITIAL_FORMAT, BINARY, NAMELESS, { ...BINARY, isByteSwapped: true }]) {
      const list = [varList, references, format, frame] as const;
      let turns = 0;
      const turn = (): Promise<void> => Promise.resolve(void turns++);
      expect(await encodeListInTurns(true, turn, ...list)).to.deep.equal(encodeList(...list));
      const [whole, ...others] = await encodeListInTurns(false, turn, ...list);
      expect([whole, others]).to.deep.equal([encodeListJoined(...list), []]);
      expect((2 * (whole as Uint8Array).length) / turns).to.be.below(32 * 1024);
    }
  });

  it('keeps the longest values whole, one in a write', () => {
    const { fixture, hold } = setUp();
    const writes = encodeList(varList, hold('text', 'text'), INITIAL_FORMAT, fixture.snapshot());
    expect(writes.map((write) => write.length)).to.deep.equal([8192, 8192]);
  });

  it('sends time as a double in both byte orders', () => {
    const { hex } = setUp();
    expect(hex(NAMELESS, 'time')).to.deep.equal([
      bytes('00000000 18000000 01000000', '0b000000 08000000', '000000000000f83f'),
    ]);
    expect(hex({ ...NAMELESS, isByteSwapped: true }, 'time')).to.deep.equal([
      bytes('00000000 00000018 00000001', '0000000b 00000008', '3ff8000000000000'),
    ]);
  });

  it('sends a whole container as its elements, under their type', () => {
    const { hex } = setUp();
    expect(hex(NAMELESS, 'vi', 'as', 'vempty')).to.deep.equal([
      bytes(
        '00000000 32000000 03000000',
        '06000000 0c000000 0a000000 14000000 1e000000',
        '04000000 06000000 ffff feff fdff',
        '0b000000 00000000',
      ),
    ]);
    expect(hex({ ...NAMELESS, isByteSwapped: true }, 'as')).to.deep.equal([
      bytes('00000000 00000016 00000001', '00000004 00000006 ffff fffe fffd'),
    ]);
  });

  it('sends each text of a list with its NUL', () => {
    const { hex } = setUp();
    expect(hex(NAMELESS, 'vs')).to.deep.equal([
      bytes('00000000 18000000 01000000', '03000000 08000000', '6f6e6500 74776f00'),
    ]);
  });

  it('sends a wide character outside the basic plane in one cell, swapped on demand', () => {
    const { fixture, hex } = setUp();
    fixture.all.wp = '\u{1f680}' as never;
    expect(hex(NAMELESS, 'wp')[0]).to.match(/130000000800000080f6010000000000$/);
    expect(hex({ ...NAMELESS, isByteSwapped: true }, 'wp')[0]).to.match(/00000013000000080001f68000000000$/);
  });

  it('sends a null container element and a composite as a bad reference', () => {
    const { hex } = setUp();
    expect(hex(NAMELESS, 'vd[7]', 'vsen')).to.deep.equal([
      bytes('00000000 20000000 02000000', '19000000 04000000 00000000', '19000000 04000000 00000000'),
    ]);
  });

  it('starts a new message where the next variable does not fit, with a count of its own', () => {
    const { fixture, hold } = setUp();
    const references = hold('big_d', 'big_i', 'big_d', 'i');
    const messages = encodeList(varList, references, NAMELESS, fixture.snapshot()).map((message) =>
      Buffer.from(message),
    );
    expect(messages.map((message) => [message.length, message.readInt32LE(4), message.readInt32LE(8)])).to.deep.equal([
      [12 + 8 + 4800, 4816, 1],
      [12 + 8 + 4800 + 12, 4828, 2],
    ]);
  });

  it('gives equal keys to equal lists in equal formats only', () => {
    const { hold } = setUp();
    const list = hold('i', 'd');
    const formats = [INITIAL_FORMAT, BINARY, NAMELESS, { ...BINARY, isByteSwapped: true }];
    const keys = formats.map((format) => feedKey(list, format));
    expect(new Set(keys).size).to.equal(4);
    expect(feedKey(hold('i', 'd'), BINARY)).to.equal(keys[1]);
    expect(feedKey(hold('d', 'i'), BINARY)).to.not.equal(keys[1]);
    expect(feedKey(list, { ...INITIAL_FORMAT, withNames: false })).to.equal(keys[0]);
  });
});
