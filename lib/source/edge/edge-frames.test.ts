// What an edge shows of frames, not all of which are its source's.
import { expect } from 'chai';
import fc from 'fast-check';
import { HEADER_BYTES } from '../../model/frame/header.js';
import { describeCatalog } from '../../model/state/catalog-description.js';
import { TestBall } from '../../testing/aids/http-ball.js';
import { EdgeFrames } from './edge-frames.js';
import { FrameDecoder, FrameEncoder } from './frame-codec.js';

const HEADER_START = 40;

/** A source and its edge, with one frame shown. */
function setUp() {
  const ball = new TestBall();
  const [encoder, decoder] = [new FrameEncoder(), new FrameDecoder()];
  const frames = new EdgeFrames(() => undefined);
  frames.begin(1);
  frames.catalog(describeCatalog(ball.catalog));
  const next = (): Uint8Array => {
    ball.ticks(1);
    return encoder.encode(ball.frame, 1, true).message;
  };
  const take = (message: Uint8Array): void => {
    const frame = decoder.decode(message);
    if (frame) frames.show(frame);
  };
  take(next());
  return { ball, frames, next, take };
}

describe('frames of an edge', () => {
  it('go on behind one whose header somebody has changed: it is refused, or the next ones are shown', () => {
    const { ball, frames, next, take } = setUp();
    const word = fc.oneof(fc.double(), fc.constantFrom(0, -1, 2 ** 40, 2 ** 52, 2 ** 53, Number.NaN, Number.MAX_VALUE));
    fc.assert(
      fc.property(fc.nat(HEADER_BYTES / 8 - 1), word, (place, value) => {
        const changed = Buffer.from(next());
        changed.writeDoubleLE(value, HEADER_START + 8 * place);
        try {
          take(changed);
        } catch {}
        const numbers = [frames.latestNumber];
        for (const _ of [1, 2, 3, 4]) {
          take(next());
          numbers.push(frames.latestNumber);
        }
        const [before, , , three, four] = numbers as [number, number, number, number, number];
        expect([three > before, four - three]).to.deep.equal([true, 1]);
      }),
      // Numbers go on behind the highest, and there are so many of them.
      { numRuns: 30 },
    );
    expect(Number.isSafeInteger(frames.latestNumber)).to.equal(true);
    expect(frames.latestNumber).to.be.at.least(ball.frame.header.number);
  });

  it('are shown once, also when one comes again', () => {
    const { frames, next, take } = setUp();
    const message = next();
    for (const _ of [1, 2]) take(message);
    const { latestNumber } = frames;
    take(next());
    expect(frames.latestNumber).to.equal(latestNumber + 1);
  });
});
