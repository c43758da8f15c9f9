// What a simulation sends to its edges, over a line that takes nothing until the test says so.
import { expect } from 'chai';
import { double } from '../../model/state/declare.js';
import { Down, type SourceLine } from '../../source/edge/carrier.js';
import { unpackCatalog } from '../../source/edge/catalog-codec.js';
import { EdgeFrames } from '../../source/edge/edge-frames.js';
import { FrameDecoder } from '../../source/edge/frame-codec.js';
import { TestBall } from '../../testing/aids/http-ball.js';
import { Sender } from './sender.js';

const ROWS = 10_000;
const EPOCH = 7;

class Line implements SourceLine {
  readonly frames: Uint8Array[] = [];
  readonly all: Uint8Array[] = [];
  private readonly untaken: (() => void)[] = [];

  send(message: Uint8Array): void {
    this.all.push(message);
    if (message[0] === Down.frame) this.frames.push(message);
  }

  taken(): Promise<void> {
    return new Promise((resolve) => this.untaken.push(resolve));
  }

  async takeOne(): Promise<void> {
    this.untaken.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('the sender of frames', () => {
  it('has two long frames on their way, sends the newest when there is room, and an edge counts those between', async () => {
    const ball = new TestBall((state) => state.addObject('plant').component('rows', double(ROWS)));
    const line = new Line();
    const sender = new Sender(ball, line, { epoch: EPOCH, nowMillis: () => 0 });
    const tick = (count: number): void =>
      ball.ticks(count, (at) =>
        ball.store(
          'plant.rows',
          Array.from({ length: ROWS }, (_, row) => at + row / 2),
        ),
      );
    sender.need({ edge: 'one', anew: true });
    while (line.frames.length === 0) await new Promise((resolve) => setImmediate(resolve));
    tick(10);
    expect(line.frames).to.have.length(2);
    await line.takeOne();
    expect(line.frames).to.have.length(3);
    const shown = new EdgeFrames(() => undefined);
    const decoder = new FrameDecoder();
    const numbers: number[] = [];
    for (const message of line.all) {
      if (message[0] === Down.catalog) shown.catalog(unpackCatalog(message).catalog);
      const frame = message[0] === Down.frame ? decoder.decode(message) : undefined;
      if (!frame) continue;
      numbers.push(frame.header.number);
      expect(shown.show(frame)).to.equal(true);
    }
    expect(numbers.slice(1)).to.deep.equal([(numbers[0] as number) + 1, (numbers[0] as number) + 10]);
    expect(shown.skipped).to.equal(8);
    // What comes late, by another way, is left out.
    const late = new FrameDecoder().decode(line.frames[0] as Uint8Array);
    if (late) shown.show(late);
    expect(shown.latestNumber).to.equal(numbers.at(-1));
    sender.close();
  });
});
