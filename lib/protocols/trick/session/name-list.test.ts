// Names with commas between: the same ones as splitting the text gives, but one by one.
import { expect } from 'chai';
import fc from 'fast-check';
import { NameList } from './name-list.js';

/** All names at once. */
function split(text: string): string[] {
  const names = text.split(',').map((part) => part.trim());
  if (names.at(-1) === '') names.pop();
  return names;
}

describe('a list of names', () => {
  for (const text of ['', ' ', 'a', ' a ', 'a,', 'a, b', 'a,b , ', ',', ',,', ',a', 'a,,b'])
    it(`has the names of ${JSON.stringify(text)}`, () => {
      const names = new NameList(text);
      expect([...names]).to.deep.equal(split(text));
      expect(names.length).to.equal(split(text).length);
    });

  it('has the names of any text', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'bc', ',', ' ', '\t')), (characters) => {
        const text = characters.join('');
        expect([...new NameList(text)]).to.deep.equal(split(text));
      }),
    );
  });
});
