// A state of any shape comes back from its checkpoint in another run.
import { expect } from 'chai';
import fc from 'fast-check';
import {
  type AnyDeclared,
  array,
  bool,
  chars,
  double,
  enumeration,
  float,
  int,
  longLong,
  struct,
  text,
} from '../../model/state/declare.js';
import { vector } from '../../model/state/declare-containers.js';
import { State } from '../../model/state/state.js';
import { runs } from '../../testing/aids/run-counts.js';
import { everything, scramble } from '../../testing/aids/scrambled-state.js';
import { modelOf, readModelOf, takeOver } from './plan.js';
import { planLoad } from './reader.js';
import { writeCheckpoint } from './writer.js';

const dump = (state: State): string => writeCheckpoint(modelOf(state), state.arena.memory);
const load = (state: State, checkpoint: string): void =>
  takeOver(state, planLoad(readModelOf(state), checkpoint)).end();

const Plain = struct('Plain', { x: double() });
const Colour = enumeration('Colour', { RED: 0, BLUE: 7 });
let structures = 0;

/** Declarations of every kind within each other, but pointers. */
const { shapes } = fc.letrec<{ shapes: AnyDeclared }>((tie) => ({
  shapes: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    fc.constantFrom<AnyDeclared>(double(), float(), int(), longLong(), bool(), chars(5), text(9), Colour, Plain),
    fc.tuple(tie('shapes'), fc.integer({ min: 1, max: 7 })).map(([inner, length]) => array(inner as never, length)),
    fc.tuple(tie('shapes'), fc.integer({ min: 1, max: 4 })).map(([inner, most]) => vector(inner as never, most)),
    fc
      .array(tie('shapes'), { minLength: 1, maxLength: 4 })
      .map((inner) =>
        struct(`S${structures++}`, Object.fromEntries(inner.map((each, index) => [`m${index}`, each])) as never),
      ),
  ),
}));

describe('a checkpoint of any shape', () => {
  it('is restored in another run, and written again in the same words', () => {
    fc.assert(
      fc.property(shapes, fc.nat(), fc.nat(), (shape, saved, other) => {
        const [first, second] = [shape, shape].map((declared) => {
          const state = new State();
          state.addObject('o').component('any', declared as typeof Plain);
          return state;
        }) as [State, State];
        scramble(first, saved);
        scramble(second, other);
        const checkpoint = dump(first);
        load(second, checkpoint);
        expect(everything(second)).to.deep.equal(everything(first));
        expect(dump(second)).to.equal(checkpoint);
      }),
      { numRuns: runs(100) },
    );
  });
});
