// Arrays that are longer than a piece of a checkpoint: they are read back as they were, whatever they are of.
import { expect } from 'chai';
import { State } from '../../model/state/state.js';
import { NUMBER_FACTS, type NumberName, sizeOf, type Type } from '../../model/state/type.js';
import { modelOf, readModelOf } from './plan.js';
import { planLoad } from './reader.js';
import { writeCheckpoint } from './writer.js';

const COUNT = 60_000;

/** Writes an array of these bytes, in turn, as a variable; returns its bytes in the plan that reads it, and the file. */
function readBack(type: Type, bytes: (index: number) => number): { written: Buffer; read: Buffer; file: string } {
  const state = new State();
  const made = state.allocations.allocate(type, COUNT, false);
  state.allocations.name(made, 'x');
  const [start, end] = [made.offsetBytes, made.offsetBytes + COUNT * sizeOf(type)];
  const { memory } = state.arena;
  for (let at = start; at < end; at++) memory.bytes[at] = bytes(at - start);
  const file = writeCheckpoint(modelOf(state), memory);
  const plan = planLoad(readModelOf(state), file);
  return {
    written: Buffer.from(memory.bytes.subarray(start, end)),
    read: Buffer.from(plan.bytes.slice(start, end)),
    file,
  };
}

describe('a checkpoint of a long array', () => {
  const scattered = (index: number) => (index * 167 + (index >> 8) * 31) & 0xff;
  const floating = (index: number) => (index % 8 === 7 ? 0x40 : index % 4 === 3 ? 0x41 : scattered(index));
  for (const name of Object.keys(NUMBER_FACTS) as NumberName[]) {
    it(`of ${name} is read back`, () => {
      const { family } = NUMBER_FACTS[name];
      const bytes =
        family === 'bool' ? (index: number) => scattered(index) & 1 : family === 'floating' ? floating : scattered;
      const { written, read } = readBack({ kind: 'number', name }, bytes);
      expect(read.equals(written)).to.equal(true);
    });
  }

  it('of arrays is read back', () => {
    const element: Type = { kind: 'array', element: { kind: 'number', name: 'char' }, length: 3, isContainer: false };
    const { written, read } = readBack(element, scattered);
    expect(read.equals(written)).to.equal(true);
  });

  it('is refused for a value that does not fit, with its element and line', () => {
    const { file } = readBack({ kind: 'number', name: 'unsigned char' }, () => 7);
    const state = new State();
    const load = (value: string) => () => planLoad(readModelOf(state), file.replace(/7\};/, `${value}};`));
    for (const value of ['256', '-1', '1.5', '1e1', 'NULL', '12345678901234567890123'])
      expect(load(value)).to.throw(`x[${COUNT - 1}] is an unsigned char; ${value} does not fit`);
    expect(load('0x1f')).to.not.throw();
    expect(load('true')).to.not.throw();
  });
});
