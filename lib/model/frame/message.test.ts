// A frame as one message: encoded, decoded, and refused when it does not fit.
import { expect } from 'chai';
import fc from 'fast-check';
import { headerAt } from '../../testing/aids/frames.js';
import { EMPTY_HEADER, type FrameHeader, HEADER_BYTES } from './header.js';
import { createFrame, decodeFrame, encodeFrame, FrameMessageError } from './message.js';
import { PAGE_BYTES, pagesOf, WHOLE_BYTES } from './page-map.js';
import { Frame } from './reader.js';

const PREFIX_BYTES = 16;
/** The last page of this state is incomplete. */
const LARGE_BYTES = WHOLE_BYTES + PAGE_BYTES + 100;

const count = fc.nat(2 ** 31 - 1);
const real = fc.double({ noNaN: true });
const header: fc.Arbitrary<FrameHeader> = fc.record({
  number: fc.maxSafeNat(),
  tick: count,
  timeTics: fc.maxSafeNat(),
  ticsPerSecond: count,
  mode: fc.constantFrom(0, 1, 4, 5, 6),
  reason: fc.constantFrom(0, 1, 2, 3),
  frameCount: count,
  freezeFrameCount: count,
  freezeTimeTics: count,
  catalogVersion: count,
  softwareFrameTics: count,
  clockSeconds: real,
  wallMillis: real,
  overruns: count,
  freezeFrameTics: count,
  terminateTics: fc.oneof(count, fc.constant(Number.POSITIVE_INFINITY)),
  clockRatio: real,
  jumps: count,
});

/** A frame of a large state with these pages; every byte encodes its own position. */
function largeFrame(pages: readonly number[]): Frame {
  const frame = createFrame(LARGE_BYTES);
  for (let at = 0; at < LARGE_BYTES; at += 97) frame.memory.bytes[at] = 1 + (at % 255);
  for (const page of pages) frame.pages?.carried.mark(page, true);
  frame.header = headerAt(7);
  return frame;
}

function refusal(message: Uint8Array, into: Frame): string {
  try {
    decodeFrame(message, into);
  } catch (error) {
    if (error instanceof FrameMessageError) return error.message;
    throw error;
  }
  return 'it was taken';
}

describe('a frame as a message', () => {
  it('comes out as it went in', () => {
    fc.assert(
      fc.property(header, fc.uint8Array({ maxLength: 300 }), (facts, bytes) => {
        const frame = new Frame(bytes.length, facts);
        frame.memory.bytes.set(bytes);
        const copy = createFrame(bytes.length);
        decodeFrame(encodeFrame(frame), copy);
        expect(copy.header).to.deep.equal(facts);
        expect([...copy.memory.bytes]).to.deep.equal([...bytes]);
      }),
    );
  });

  it('has a little-endian header', () => {
    const message = encodeFrame(new Frame(0, { ...EMPTY_HEADER, number: 1 }));
    expect([...message.subarray(PREFIX_BYTES, PREFIX_BYTES + 8)]).to.deep.equal([0, 0, 0, 0, 0, 0, 0xf0, 0x3f]);
  });

  it('carries the pages of a large state that the frame carries, and no others', () => {
    const last = pagesOf(LARGE_BYTES) - 1;
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(last)), (pages) => {
        const frame = largeFrame(pages);
        const message = encodeFrame(frame);
        const copy = createFrame(LARGE_BYTES);
        copy.memory.bytes.fill(0xee);
        decodeFrame(message, copy);
        for (let page = 0; page <= last; page++) {
          const range = [page * PAGE_BYTES, (page + 1) * PAGE_BYTES] as const;
          const isIn = pages.includes(page);
          const expected = isIn ? frame.memory.bytes.subarray(...range) : Buffer.alloc(PAGE_BYTES, 0xee);
          const seen = copy.memory.bytes.subarray(...range);
          expect(Buffer.compare(seen, expected.subarray(0, seen.length)), `page ${page}`).to.equal(0);
          expect(copy.pages?.carried.has(page * PAGE_BYTES, 1)).to.equal(isIn);
        }
        const tail = pages.includes(last) ? PAGE_BYTES - (LARGE_BYTES - last * PAGE_BYTES) : 0;
        const carried = pages.length * PAGE_BYTES - tail;
        expect(message.length).to.equal(PREFIX_BYTES + HEADER_BYTES + pagesOf(LARGE_BYTES) + carried);
      }),
      { numRuns: 20 },
    );
  });

  it('carries all of a large frame that carries all', () => {
    const frame = new Frame(LARGE_BYTES, headerAt(3));
    frame.memory.bytes.fill(5);
    const copy = createFrame(LARGE_BYTES);
    decodeFrame(encodeFrame(frame), copy);
    expect(copy.pages?.carried.has(0, LARGE_BYTES)).to.equal(true);
    expect(copy.memory.bytes[LARGE_BYTES - 1]).to.equal(5);
  });

  it('is refused with one sentence wherever it is cut, and changes nothing', () => {
    const frame = new Frame(40, headerAt(2));
    frame.memory.bytes.fill(9);
    const message = encodeFrame(frame);
    const copy = createFrame(40);
    for (let length = 0; length < message.length; length++) {
      const sentence = refusal(message.subarray(0, length), copy);
      expect(sentence, `cut to ${length}`).to.match(/^a frame message of \d+ bytes should have (at least )?\d+$/);
    }
    expect(copy.header).to.equal(EMPTY_HEADER);
    expect(copy.memory.bytes.every((byte) => byte === 0)).to.equal(true);
    const longer = Buffer.concat([message, Buffer.of(0)]);
    expect(refusal(longer, copy)).to.equal(
      `a frame message of ${longer.length} bytes should have ${longer.length - 1}`,
    );
  });

  it('is refused when it is cut within its map or its pages', () => {
    const message = encodeFrame(largeFrame([0, 3]));
    const copy = createFrame(LARGE_BYTES);
    for (const length of [PREFIX_BYTES + HEADER_BYTES + 10, message.length - PAGE_BYTES, message.length - 1])
      expect(refusal(message.subarray(0, length), copy)).to.match(/^a frame message of \d+ bytes should have/);
    expect(copy.header).to.equal(EMPTY_HEADER);
  });

  it('is refused when it is something else', () => {
    const message = encodeFrame(new Frame(8, headerAt(2)));
    const changed = (at: number, ...bytes: number[]): Uint8Array => {
      const other = message.slice();
      other.set(bytes, at);
      return other;
    };
    const copy = createFrame(8);
    const word = (index: number): number => PREFIX_BYTES + 8 * index;
    const nan = [0, 0, 0, 0, 0, 0, 0xf8, 0x7f];
    expect(refusal(changed(0, 0x47), copy)).to.equal('a frame message starts with VWFR; this one does not');
    expect(refusal(changed(4, 1), copy)).to.equal('frame messages have format 2, this one has 1');
    expect(refusal(message, createFrame(16))).to.equal('a frame of a state of 8 bytes does not fit one of 16');
    expect(refusal(changed(12, 1), copy)).to.equal('a frame of 8 bytes has no map of 1 pages');
    expect(refusal(changed(word(0), ...nan), copy)).to.equal("a frame's number is a whole number from 0 up, not NaN");
    expect(refusal(changed(word(4), ...nan), copy)).to.equal('a frame has no mode NaN');
    expect(refusal(changed(word(5), ...nan), copy)).to.equal('a frame has no reason NaN');
  });
});
