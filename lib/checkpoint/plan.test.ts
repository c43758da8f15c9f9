// The ranges of a plan, and how a state takes them over and gives them back.
import { expect } from 'chai';
import fc from 'fast-check';
import { double } from '../model/declare.js';
import { State } from '../model/state.js';
import { joined, type LoadPlan, takeOver } from './plan.js';

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

  it('are taken over and given back, however long they are', () => {
    const state = new State();
    state.addObject('o').component('x', double(COUNT), new Array(COUNT).fill(1));
    const { bytes } = state.arena.memory;
    const before = Buffer.from(bytes);
    const wanted = Buffer.from(before);
    const ranges = [0, 3, 100, 8 * COUNT - 200];
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
