// The fragment of a name before a cursor.
import { expect } from 'chai';
import fc from 'fast-check';
import { fragmentBefore } from './fragment.js';

describe('the fragment before a cursor', () => {
  it('is what a regular expression would find', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'Z', '_', '0', '.', '[', ']', ' ', '(', '"'), maxLength: 30 });
    fc.assert(
      fc.property(text, fc.nat(40), (all, cursor) => {
        const found = /[A-Za-z_][\w.[\]]*$/.exec(all.slice(0, cursor))?.[0] ?? '';
        expect(fragmentBefore(all, cursor)).to.equal(found);
      }),
    );
  });

  it('is found at once in a long text', () => {
    const long = 'a'.repeat(190_000);
    // An expression that begins anew at each character would take minutes here.
    expect(fragmentBefore(`${long}!`, 190_001)).to.equal('');
    expect(fragmentBefore(`${long}! ball.pos`, 200_000)).to.equal('ball.pos');
    expect(fragmentBefore(long, 190_000).length).to.equal(4096);
  });
});
