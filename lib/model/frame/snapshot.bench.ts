// Microseconds to publish and read a snapshot, by the size of the state: `node build/lib/model/frame/snapshot.bench.js [all | one]`,
// where all of it or only one value has been asked for.

import { headerAt } from '../../testing/aids/frames.js';
import { Memory } from '../state/memory.js';
import { PAGE_BYTES } from './page-map.js';
import { type Frame, FrameReader } from './reader.js';
import { createRing, FrameWriter } from './ring.js';

const SIZES = [2 ** 10, 2 ** 13, 2 ** 16, 2 ** 18, 2 ** 20, 2 ** 22, 2 ** 24, 2 ** 26];
const MEASURED_BYTES = 2 ** 30;

/** Holds what a reader needs of every frame. */
function ask({ pages }: Frame, bytes: number): void {
  pages?.leases.hold(Uint32Array.from({ length: Math.ceil(bytes / PAGE_BYTES) }, (_, page) => page));
}

const isAll = process.argv[2] !== 'one';

for (const arenaBytes of SIZES) {
  const ring = createRing(arenaBytes);
  const writer = new FrameWriter(ring, () => undefined);
  const reader = new FrameReader(ring);
  const arena = new Memory(new SharedArrayBuffer(arenaBytes));
  const frame = reader.createFrame(headerAt(0));
  const rounds = Math.max(10, Math.min(100_000, Math.floor(MEASURED_BYTES / arenaBytes)));
  let start = 0;
  for (let number = 1; number <= 2 * rounds; number++) {
    if (number === rounds + 1) start = performance.now();
    writer.publish(headerAt(number), arena);
    if (!reader.next(frame)) throw new Error('a frame was lost');
    ask(frame, isAll ? arenaBytes : 8);
  }
  console.log(`${arenaBytes} ${(((performance.now() - start) * 1000) / rounds).toFixed(3)}`);
}
