// The frame ring: whole frames in order, on one thread and between threads.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import fc from 'fast-check';
import { headerAt } from '../../testing/aids/frames.js';
import type { StressOrder, StressReport } from '../../testing/aids/ring-stress.js';
import { Memory } from '../state/memory.js';
import { PAGE_BYTES, WHOLE_BYTES } from './page-map.js';
import { FrameReader } from './reader.js';
import { createRing, FrameWriter, slotsFor } from './ring.js';

/** A ring with both its ends; `publish` fills the arena with one byte. */
function bench(slots: number, lastSeen = 0) {
  const ring = createRing(16, slots);
  const pokes = { count: 0 };
  const writer = new FrameWriter(ring, () => {
    pokes.count++;
  });
  const reader = new FrameReader(ring, lastSeen);
  const memory = new Memory(new ArrayBuffer(64));
  const frame = reader.createFrame(headerAt(0));
  const publish = (number: number) => {
    memory.bytes.fill(number & 0xff);
    writer.publish(headerAt(number), memory);
  };
  const drain = (): number[] => {
    const numbers: number[] = [];
    while (reader.next(frame)) numbers.push(frame.header.number);
    return numbers;
  };
  return { ring, pokes, reader, frame, publish, drain };
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);

describe('the frame ring', () => {
  it('carries what an arena has grown by in place', () => {
    const ring = createRing(128, 4);
    const writer = new FrameWriter(ring, () => undefined);
    const reader = new FrameReader(ring);
    const frame = reader.createFrame(headerAt(0));
    const buffer = new SharedArrayBuffer(64, { maxByteLength: 256 });
    const memory = new Memory(buffer);
    writer.publish(headerAt(1), memory);
    buffer.grow(256);
    memory.remap();
    memory.bytes[100] = 7;
    writer.publish(headerAt(2), memory);
    expect(reader.read(2, frame)).to.equal(true);
    expect(frame.memory.bytes[100]).to.equal(7);
  });

  it('hands frames on in order with their header and the used part of the arena', () => {
    const { publish, reader, frame } = bench(4);
    publish(1);
    publish(2);
    expect(reader.next(frame)).to.equal(true);
    expect(frame.header).to.deep.equal(headerAt(1));
    expect([...frame.memory.bytes]).to.deep.equal(Array(16).fill(1));
    expect(frame.timeSeconds).to.equal(0.01);
    expect(reader.next(frame)).to.equal(true);
    expect(frame.header.number).to.equal(2);
    expect(reader.next(frame)).to.equal(false);
    expect(frame.header.number).to.equal(2);
  });

  it('drops the oldest frames for a reader that is late, and counts them', () => {
    const { publish, reader, drain } = bench(8);
    for (const number of range(1, 20)) publish(number);
    // One slot is always reserved for the writer.
    expect(drain()).to.deep.equal(range(14, 20));
    expect(reader.lapped).to.equal(13);
  });

  it('gives every frame exactly once, as read or as lapped, whatever the turns of writer and reader', () => {
    const turns = fc.array(fc.record({ publish: fc.nat(12), isRead: fc.boolean() }), { maxLength: 30 });
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 9 }), turns, (slots, plan) => {
        const { publish, reader, drain } = bench(slots);
        const read: number[] = [];
        let last = 0;
        for (const turn of plan) {
          for (let i = 0; i < turn.publish; i++) publish(++last);
          if (turn.isRead) read.push(...drain());
        }
        read.push(...drain());
        expect(read.length + reader.lapped).to.equal(last);
        expect(read).to.deep.equal([...new Set(read)].sort((a, b) => a - b));
      }),
    );
  });

  for (const wrap of [2 ** 31, 2 ** 32, 2 ** 33]) {
    it(`goes on in order over frame number ${wrap}`, () => {
      const { publish, reader, drain } = bench(5, wrap - 4);
      for (const number of range(wrap - 3, wrap - 2)) publish(number);
      expect(drain()).to.deep.equal(range(wrap - 3, wrap - 2));
      for (const number of range(wrap - 1, wrap + 1)) publish(number);
      expect(drain()).to.deep.equal(range(wrap - 1, wrap + 1));
      for (const number of range(wrap + 2, wrap + 10)) publish(number);
      expect(drain()).to.deep.equal(range(wrap + 7, wrap + 10));
      expect(reader.lapped).to.equal(5);
    });
  }

  it('reads past frames by number as long as they are in the ring', () => {
    const { publish, reader, frame, drain } = bench(4);
    for (const number of range(1, 6)) publish(number);
    drain();
    expect(reader.oldest).to.equal(4);
    for (const number of [3, 4, 5, 6]) {
      expect(reader.read(number, frame), `${number}`).to.equal(true);
      expect(frame.header.number).to.equal(number);
      expect(frame.memory.bytes[0]).to.equal(number);
    }
    expect([1, 2, 7, 10].map((number) => reader.read(number, frame))).to.deep.equal([false, false, false, false]);
  });

  it('knows no frame of a number that never was', () => {
    const { publish, reader, frame } = bench(4);
    for (const number of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(reader.read(number, frame), `${number}`).to.equal(false);
    }
    publish(4);
    expect(reader.read(4 + 2 ** 31, frame)).to.equal(false);
    expect(reader.read(4, frame)).to.equal(true);
  });

  it('refuses a frame that is being written', () => {
    const { publish, reader, frame, ring } = bench(4);
    publish(1);
    // The second slot's sequence word follows the 128 control bytes and one slot of 256 (64 + 128 + 16, rounded up).
    const sequence = new Int32Array(ring.buffer, 128 + 256, 1);
    expect(sequence[0]).to.equal(2);
    sequence[0] = 3;
    expect(reader.read(1, frame)).to.equal(false);
    sequence[0] = 2;
    expect(reader.read(1, frame)).to.equal(true);
  });

  it('pokes once until the reader has acknowledged', () => {
    const { publish, reader, pokes, drain } = bench(8);
    for (const number of range(1, 5)) publish(number);
    expect(pokes.count).to.equal(1);
    drain();
    publish(6);
    expect(pokes.count).to.equal(1);
    reader.acknowledge();
    for (const number of range(7, 9)) publish(number);
    expect(pokes.count).to.equal(2);
  });

  it('has history for a small state and at least four slots for a large one', () => {
    expect(slotsFor(1000)).to.equal(256);
    expect(slotsFor(2 ** 20)).to.equal(15);
    expect(slotsFor(2 ** 29)).to.equal(4);
  });

  describe('between threads', () => {
    for (const [frames, slots, arenaBytes] of [
      [200_000, 4, 256],
      [100_000, 64, 1024],
      // Not carried whole: frames carry only some of its pages.
      [300, 4, WHOLE_BYTES + 2 * PAGE_BYTES],
    ] as const) {
      it(`tears none of ${frames} frames of ${arenaBytes} bytes written at full speed into ${slots} slots`, async () => {
        for (const report of await stress(frames, slots, arenaBytes)) {
          expect(report).to.include({ torn: 0, disorder: 0, lastNumber: frames });
          expect(report.read + report.lapped).to.equal(frames);
        }
      });
    }
  });
});

async function stress(frames: number, slots: number, arenaBytes: number): Promise<StressReport[]> {
  const ring = createRing(arenaBytes, slots);
  const gate = new SharedArrayBuffer(8);
  const start = (role: StressOrder['role']): Worker => {
    const order: StressOrder = { role, ring, frames, gate, threads: 3 };
    return new Worker(new URL('../../testing/aids/ring-stress.js', import.meta.url), { workerData: order });
  };
  const writer = start('writer');
  const reports = [start('reader'), start('reader')].map(async (reader) => {
    const [[report]] = await Promise.all([once(reader, 'message'), once(reader, 'exit')]);
    return report as StressReport;
  });
  await once(writer, 'exit');
  return Promise.all(reports);
}
