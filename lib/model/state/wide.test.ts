// Wide characters and texts, and enumerations of one and two bytes.
import { expect } from 'chai';
import fc from 'fast-check';
import { anyCharacter } from '../../testing/aids/any-character.js';
import { array, enumeration, struct, wideChar, wideChars, wideText } from './declare.js';
import { State } from './state.js';
import { sizeOf } from './type.js';

const Small = enumeration('Small', { LOW: 0, HIGH: 200 }, { storedAs: 'unsigned char' });
const Signed = enumeration('Signed', ['A', 'B'], { storedAs: 'short' });

function built() {
  const object = new State().addObject('o');
  const One = struct('One', {
    letter: wideChar(),
    name: wideChars(6),
    rows: wideChars([2, 4]),
    text: wideText(20),
    small: Small,
    smalls: array(Small, 3),
    signed: Signed,
  });
  return object.component('one', One, {
    letter: 0x20ac,
    name: 'été€',
    rows: ['ab', 'c'],
    text: 'wide →',
    small: 'HIGH',
  });
}

describe('wide characters and texts', () => {
  it('are text, of as many characters as were declared', () => {
    const one = built();
    expect([one.letter, one.name, ...one.rows, one.text]).to.deep.equal([0x20ac, 'été€', 'ab', 'c', 'wide →']);
    one.name = '€€€€€';
    expect(one.name).to.equal('€€€€€');
    expect(() => {
      one.name = '€€€€€€';
    }).to.throw(RangeError, 'name has room for 5 characters of text, not 6');
    expect(one.name).to.equal('€€€€€');
  });

  it('keep every text that fits', () => {
    const one = built();
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 5 }), (text) => {
        fc.pre(!text.includes('\0'));
        one.name = text;
        expect(one.name).to.equal(text);
      }),
    );
  });
});

describe('an enumeration of one or two bytes', () => {
  it('takes as much room as its integer', () => {
    expect([Small, Signed, array(Small, 3)].map(({ type }) => sizeOf(type))).to.deep.equal([1, 2, 3]);
    const one = built();
    expect([one.small, one.signed]).to.deep.equal([200, 'A']);
    one.signed = 'B';
    one.smalls[2] = 200;
    expect(one.smalls).to.be.an.instanceOf(Uint8Array);
    expect([one.signed, ...one.smalls, one.small]).to.deep.equal(['B', 0, 0, 200, 200]);
  });

  it('refuses labels that its integer cannot hold', () => {
    expect(() => enumeration('E', { X: 256 }, { storedAs: 'unsigned char' })).to.throw(
      'E.X is an unsigned char, not 256',
    );
    expect(() => enumeration('E', { X: -129 }, { storedAs: 'char' })).to.throw('E.X is a char, not -129');
    expect(() => enumeration('E', { X: 2 ** 31 })).to.throw('E.X is an int, not 2147483648');
  });
});
