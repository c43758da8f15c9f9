// Values with labels in place of numbers.
import { expect } from 'chai';
import { array, double, enumeration, int, struct, text } from './declare.js';
import { vector } from './declare-containers.js';
import { labelled } from './labelled.js';

const Mode = enumeration('Mode', { IDLE: 4, BURN: 7 });

describe('a value with labels', () => {
  it('has them wherever enumerations are, and nothing else changed', () => {
    const Craft = struct('Craft', { name: text(8), mode: Mode, past: vector(Mode, 4), x: double(2), n: int() });
    const value = { name: 'IDLE', mode: 7, past: [4, 5], x: [4, 7], n: 4 };
    const shown = { name: 'IDLE', mode: 'BURN', past: ['IDLE', 5], x: [4, 7], n: 4 };
    expect(labelled(Craft.type, value)).to.deep.equal(shown);
    expect(labelled(array(Craft, 2).type, [value, value])).to.deep.equal([shown, shown]);
    expect(labelled(Mode.type, 9)).to.equal(9);
  });
});
