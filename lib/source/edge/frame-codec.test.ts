import { expect } from 'chai';
import fc from 'fast-check';
import { EMPTY_HEADER } from '../../model/frame/header.js';
import { PageLeases } from '../../model/frame/page-leases.js';
import { Frame, FramePages } from '../../model/frame/reader.js';
import { type DecodedFrame, FrameDecoder, FrameEncoder } from './frame-codec.js';

const ARENA_BYTES = 1024;
const PAGE_BYTES = 64;
const PAGES = ARENA_BYTES / PAGE_BYTES;
const EPOCH = 17;

interface Step {
  readonly isKey: boolean;
  readonly isLost: boolean;
  /** Offsets and bytes. */
  readonly changes: readonly (readonly [number, number])[];
  readonly pages: readonly number[];
}

const steps = fc.array(
  fc.record<Step>({
    isKey: fc.boolean(),
    isLost: fc.boolean(),
    changes: fc.array(fc.tuple(fc.nat(ARENA_BYTES - 1), fc.nat(255)), { maxLength: 60 }),
    pages: fc.uniqueArray(fc.nat(PAGES - 1)),
  }),
  { minLength: 1, maxLength: 12 },
);

function frameOf(hasPages: boolean): Frame {
  return new Frame(
    ARENA_BYTES,
    EMPTY_HEADER,
    hasPages ? new FramePages(new PageLeases(), ARENA_BYTES, PAGE_BYTES) : undefined,
  );
}

/** Both ends, and what lies between. */
class Way {
  private readonly encoder = new FrameEncoder();
  private readonly decoder = new FrameDecoder();
  private knowsKey = false;
  private number = 0;

  constructor(private readonly frame: Frame) {}

  pass({ isKey, isLost, changes, pages }: Step): void {
    const { frame } = this;
    for (const [offset, byte] of changes) frame.memory.bytes[offset] = byte;
    frame.header = { ...EMPTY_HEADER, number: ++this.number, timeTics: 10 * this.number };
    for (let page = 0; page < PAGES; page++) frame.pages?.carried.mark(page, pages.includes(page));
    const sent = this.encoder.encode(frame, EPOCH, isKey);
    if (sent.isKey) this.knowsKey = !isLost;
    if (isLost) return;
    const got = this.decoder.decode(sent.message);
    expect(got !== undefined).to.equal(this.knowsKey);
    if (got) this.expectSame(got);
  }

  private expectSame({ header, memory, missing }: DecodedFrame): void {
    const { frame } = this;
    expect(header).to.deep.equal(frame.header);
    for (let start = 0; start < ARENA_BYTES; start += PAGE_BYTES) {
      const isThere = frame.pages?.carried.has(start, 1) ?? true;
      expect(missing?.has(start, 1) ?? false).to.equal(!isThere);
      const [here, there] = [memory, frame.memory].map(({ bytes }) => bytes.subarray(start, start + PAGE_BYTES));
      if (isThere) expect(here).to.deep.equal(there);
    }
  }
}

describe('frames on their way to an edge', () => {
  for (const hasPages of [false, true])
    it(`are what they were, whatever is lost, ${hasPages ? 'of some pages' : 'whole'}`, () => {
      const check = (all: readonly Step[]): void => {
        const way = new Way(frameOf(hasPages));
        for (const step of all) way.pass(step);
      };
      fc.assert(fc.property(steps, check), { numRuns: 200 });
    });

  it('are short when little has changed, and no state is read beyond its end', () => {
    const [encoder, decoder, frame] = [new FrameEncoder(), new FrameDecoder(), frameOf(false)];
    frame.header = { ...EMPTY_HEADER, number: 1 };
    const key = encoder.encode(frame, EPOCH, true).message;
    decoder.decode(key);
    frame.memory.view.setFloat64(512, 1.5, true);
    const { message } = encoder.encode(frame, EPOCH, false);
    expect(key.length - message.length).to.be.above(ARENA_BYTES - 32);
    expect(decoder.decode(message)?.memory.view.getFloat64(512, true)).to.equal(1.5);
    const broken = Buffer.from(message);
    broken.writeUInt32LE(0xffff, broken.length - 12);
    expect(() => decoder.decode(broken)).to.throw();
    expect(() => decoder.decode(key.subarray(0, -4))).to.throw('cut off');
  });
});
