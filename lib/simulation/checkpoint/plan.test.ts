// The ranges of a plan, and how a state takes them over and gives them back.
import { expect } from 'chai';
import fc from 'fast-check';
import { double, int } from '../../model/state/declare.js';
import { State } from '../../model/state/state.js';
import { joined, type LoadPlan, modelOf, readModelOf, takeOver } from './plan.js';
import { planLoad } from './reader.js';
import { writeCheckpoint } from './writer.js';

const COUNT = 30_000;

describe('the ranges of a plan', () => {
  it('are joined to ranges of the same bytes, in order and apart', () => {
    const range = fc.tuple(fc.nat(60), fc.integer({ min: 1, max: 20 }));
    fc.assert(
      fc.property(fc.array(range), (ranges) => {
        const bytesOf = (all: Iterable<number>): number[] => {
          const numbers = [...all];
          const starts = numbers.filter((_, index) => index % 2 === 0);
          return starts.flatMap((start, at) =>
            Array.from({ length: numbers[2 * at + 1] as number }, (_, k) => start + k),
          );
        };
        const joint = bytesOf(joined(ranges.flat()));
        expect(joint).to.deep.equal([...new Set(bytesOf(ranges.flat()))].toSorted((a, b) => a - b));
      }),
    );
  });

  it('are one range for values side by side, however many clients have made', () => {
    const state = new State();
    for (let k = 0; k < 1000; k++) state.addObject(`o${k}`).component('x', int(), k + 1);
    const file = writeCheckpoint(modelOf(state), state.arena.memory);
    expect([...planLoad(readModelOf(state), file).ranges]).to.deep.equal([64, 8000]);
  });

  it('are taken over and given back, however long they are', () => {
    const state = new State();
    state.addObject('o').component('x', double(COUNT), new Array(COUNT).fill(1));
    const { bytes } = state.arena.memory;
    const before = Buffer.from(bytes);
    const wanted = Buffer.from(before);
    const ranges = [0, 3, 8, 90, 100, 8 * COUNT - 200];
    for (let at = 0; at < ranges.length; at += 2)
      wanted.fill(7, ranges[at], (ranges[at] as number) + (ranges[at + 1] as number));
    const plan: LoadPlan = {
      version: state.version,
      objects: [],
      executive: new Map(),
      bytes: new Uint8Array(bytes.length).fill(7),
      ranges: joined(ranges),
      kept: new Float64Array(),
      fresh: [],
      gone: [],
      skipped: [],
    };
    const { undo } = takeOver(state, plan);
    expect(Buffer.compare(Buffer.from(bytes), wanted)).to.equal(0);
    undo();
    expect(Buffer.compare(Buffer.from(bytes), before)).to.equal(0);
  });
});
