// Frames of which readers ask for more than each of them may carry.
import { expect } from 'chai';
import { Memory } from '../state/memory.js';
import { EMPTY_HEADER, Mode } from './header.js';
import { PageLeases } from './page-leases.js';
import { PAGE_BYTES } from './page-map.js';
import { FrameReader } from './reader.js';
import { createRing, FrameWriter } from './ring.js';

const MEGABYTE = 2 ** 20;
/** Pages of a slot are carried for the first time a few megabytes at a time. */
const FRAMES_TO_BEGIN = 200;

function setUp(megabytes: number, frameMillis = 10) {
  const arena = new Memory(new ArrayBuffer(megabytes * MEGABYTE));
  const ring = createRing(arena.bytes.length, 2);
  const writer = new FrameWriter(ring, () => {});
  const leases = new PageLeases();
  const reader = new FrameReader(ring, 0, leases);
  const frame = reader.createFrame(EMPTY_HEADER);
  const length = { ticsPerSecond: 1000, softwareFrameTics: frameMillis };
  let number = 0;
  const publish = (mode: Mode = Mode.run): number => {
    number++;
    return writer.publish({ ...EMPTY_HEADER, ...length, number, mode }, arena) / MEGABYTE;
  };
  const pagesTo = (megabytes: number): number => (megabytes * MEGABYTE) / PAGE_BYTES;
  const ask = (from: number, to: number): void =>
    leases.hold(Uint32Array.from({ length: pagesTo(to - from) }, (_, k) => pagesTo(from) + k));
  const next = () => {
    const carries = publish();
    reader.next(frame);
    const has = (megabyte: number) => frame.pages?.carried.has(megabyte * MEGABYTE, PAGE_BYTES);
    return { carries, has };
  };
  return { publish, ask, next, leftOutPages: () => writer.leftOutPages };
}

describe('a frame of which much is asked', () => {
  it('carries up to 8 MB each time', () => {
    const { publish, ask } = setUp(20);
    ask(12, 20);
    for (let frame = 0; frame < FRAMES_TO_BEGIN; frame++) publish();
    expect([publish(), publish(), publish()]).to.deep.equal([8, 8, 8]);
  });

  it('carries all of more as often as 8 MB are of it, and without a rhythm', () => {
    const { publish, ask } = setUp(40);
    ask(0, 40);
    for (let frame = 0; frame < FRAMES_TO_BEGIN; frame++) publish();
    const full = Array.from({ length: 400 }, () => publish()).map((carries) => carries === 40);
    const waits = full.flatMap((isFull, at) => (isFull ? [at] : [])).map((at, k, all) => at - (all[k - 1] ?? 0));
    expect(waits.length).to.be.within(60, 110);
    expect(Math.max(...waits)).to.be.at.most(11);
    // Who looks at each second or third frame only sees some that carry all, too.
    for (const every of [2, 3, 4, 5])
      for (let first = 0; first < every; first++)
        expect(full.filter((isFull, at) => isFull && at % every === first).length).to.be.above(40 / every);
  });

  it('tells how many of the pages that were asked for it leaves out', () => {
    const { publish, ask, leftOutPages } = setUp(40);
    const pagesOf = (megabytes: number): number => (megabytes * MEGABYTE) / PAGE_BYTES;
    ask(0, 8);
    // Memory that the ring has not used before.
    expect([publish(), leftOutPages()]).to.deep.equal([3, pagesOf(5)]);
    for (let frame = 0; frame < FRAMES_TO_BEGIN; frame++) publish();
    expect([publish(), leftOutPages()]).to.deep.equal([8, 0]);
    ask(0, 40);
    for (let frame = 0; frame < FRAMES_TO_BEGIN; frame++) publish();
    for (let frame = 0; frame < 20; frame++) {
      const carries = publish();
      expect(leftOutPages()).to.equal(pagesOf(40 - carries));
    }
  });

  it('carries as much less as it is shorter, and a megabyte at least', () => {
    for (const [frameMillis, most] of [
      [100, 8],
      [5, 4],
      [1, 1],
    ] as const) {
      const { publish, ask } = setUp(20, frameMillis);
      ask(0, most);
      for (let frame = 0; frame < FRAMES_TO_BEGIN; frame++) publish();
      expect([publish(), publish()]).to.deep.equal([most, most]);
      ask(most, 2 * most);
      for (let frame = 0; frame < FRAMES_TO_BEGIN; frame++) publish();
      expect(new Set(Array.from({ length: 20 }, () => publish()))).to.deep.equal(new Set([most, 2 * most]));
    }
  });

  it('leaves out the last pages of the state, and those of all others are in each frame', () => {
    const { publish, ask, next } = setUp(40);
    ask(0, 1);
    ask(20, 40);
    for (let frame = 0; frame < FRAMES_TO_BEGIN; frame++) publish();
    const frames = Array.from({ length: 20 }, () => {
      const { carries, has } = next();
      return [carries, has(0), has(26), has(39)];
    });
    const full = [21, true, true, true];
    const light = [8, true, true, false];
    for (const each of frames) expect([full, light]).to.deep.include(each);
    expect(frames).to.deep.include(full).and.to.deep.include(light);
  });

  it('carries all of the state when it is the last one', () => {
    const { publish } = setUp(20);
    publish();
    expect(publish(Mode.exit)).to.equal(20);
  });
});
