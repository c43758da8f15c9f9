// The threads of the ring's stress test: one writer at full speed, readers that check every byte they get.
import { parentPort, workerData } from 'node:worker_threads';
import type { FrameHeader } from '../../model/frame/header.js';
import { PAGE_BYTES } from '../../model/frame/page-map.js';
import { type Frame, FrameReader } from '../../model/frame/reader.js';
import { FrameWriter, type RingDescription } from '../../model/frame/ring.js';
import { Memory } from '../../model/state/memory.js';
import { headerAt } from './frames.js';

export interface StressOrder {
  readonly role: 'writer' | 'reader';
  readonly ring: RingDescription;
  readonly frames: number;
  /** Two words: how many threads are ready, and 1 when the writer has published all frames. */
  readonly gate: SharedArrayBuffer;
  readonly threads: number;
}

export interface StressReport {
  readonly read: number;
  readonly lapped: number;
  readonly torn: number;
  readonly disorder: number;
  readonly lastNumber: number;
}

const Gate = { ready: 0, finished: 1 } as const;

const headerOf = (number: number): FrameHeader => ({
  ...headerAt(number),
  tick: 2 * number,
  timeTics: 3 * number,
  wallMillis: 5 * number,
});

/** The word at an index of a frame's arena: different in every frame and at every index. */
const patternOf = (number: number, index: number): number => (Math.imul(number, 0x9e3779b1) + index) | 0;

function write({ ring, frames }: StressOrder): void {
  const memory = new Memory(new ArrayBuffer(ring.arenaBytes));
  const words = new Int32Array(memory.buffer);
  const writer = new FrameWriter(ring, () => {});
  for (let number = 1; number <= frames; number++) {
    for (let i = 0; i < words.length; i++) words[i] = patternOf(number, i);
    writer.publish(headerOf(number), memory);
  }
}

function isWhole({ header, pages }: Frame, words: Int32Array): boolean {
  const { number } = header;
  const isHeaderWhole =
    header.tick === 2 * number && header.timeTics === 3 * number && header.wallMillis === 5 * number;
  if (!pages) return isHeaderWhole && words.every((word, index) => word === patternOf(number, index));
  const isThere = (index: number): boolean => pages.carried.has(4 * index, 4);
  return isHeaderWhole && words.every((word, index) => !isThere(index) || word === patternOf(number, index));
}

/** Holds another page of a large state in each frame, and gives back the one before. */
function askForSome({ header, pages }: Frame, arenaBytes: number): void {
  const pageAt = (number: number) => Uint32Array.of(Math.floor(((number * 7 * PAGE_BYTES) % arenaBytes) / PAGE_BYTES));
  pages?.leases.hold(pageAt(header.number));
  held.push(pageAt(header.number));
  if (held.length > HELD_PAGES) pages?.leases.release(held.shift() as Uint32Array);
}

/** So many pages are held at a time. */
const HELD_PAGES = 100;
const held: Uint32Array[] = [];

function read({ ring }: StressOrder, gate: Int32Array): StressReport {
  const reader = new FrameReader(ring);
  const frame = reader.createFrame(headerOf(0));
  const words = new Int32Array(frame.memory.buffer, 0, frame.memory.bytes.length / 4);
  const report = { read: 0, torn: 0, disorder: 0, lastNumber: 0 };
  for (;;) {
    const isLastRound = Atomics.load(gate, Gate.finished) === 1;
    while (reader.next(frame)) {
      report.read++;
      if (!isWhole(frame, words)) report.torn++;
      askForSome(frame, ring.arenaBytes);
      if (frame.header.number <= report.lastNumber) report.disorder++;
      report.lastNumber = frame.header.number;
    }
    if (isLastRound) return { ...report, lapped: reader.lapped };
  }
}

/** Starts all threads at the same moment, so that they meet in the ring. */
function awaitOthers(gate: Int32Array, threads: number): void {
  Atomics.add(gate, Gate.ready, 1);
  while (Atomics.load(gate, Gate.ready) < threads);
}

const order = workerData as StressOrder;
const gate = new Int32Array(order.gate);
awaitOthers(gate, order.threads);
if (order.role === 'reader') parentPort?.postMessage(read(order, gate));
else {
  write(order);
  Atomics.store(gate, Gate.finished, 1);
}
