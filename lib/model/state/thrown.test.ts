// What was thrown, as text.
import { expect } from 'chai';
import { HOSTILE_THROWS } from '../../testing/aids/hostile-throws.js';
import { causeOf, errorOf, isThrown, thrownStack, thrownText } from './thrown.js';

describe('what was thrown', () => {
  it('is told by its message, or as text', () => {
    expect(thrownText(new RangeError('too far'))).to.equal('too far');
    expect(thrownText({ message: 'no fuel' })).to.equal('no fuel');
    expect(thrownText(Object.assign(Object.create(null), { message: 'no fuel' }))).to.equal('no fuel');
    expect(['no fuel', 7, null, undefined, Symbol('x')].map(thrownText)).to.deep.equal([
      'no fuel',
      '7',
      'null',
      'undefined',
      'Symbol(x)',
    ]);
    const error = new TypeError('bad', { cause: 3 });
    expect(errorOf(error)).to.equal(error);
    expect([causeOf(error), thrownStack(error)]).to.deep.equal([3, error.stack]);
    expect([isThrown(error, TypeError), isThrown(error, RangeError), isThrown(null, Error)]).to.deep.equal([
      true,
      false,
      false,
    ]);
  });

  for (const [what, make] of Object.entries(HOSTILE_THROWS))
    it(`may be ${what}`, () => {
      const thrown = make();
      expect(thrownText(thrown)).to.be.a('string').and.not.include('\n');
      expect(thrownStack(thrown)).to.be.a('string');
      expect(isThrown(thrown, RangeError)).to.equal(false);
      expect(() => causeOf(thrown)).not.to.throw();
      const { message } = errorOf(thrown);
      expect(message).to.equal(thrownText(thrown));
    });
});
