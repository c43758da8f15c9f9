// Declarations as text: what is read, and what is too long to be looked at.
import { expect } from 'chai';
import { readDeclaration } from './named-type.js';

describe('a declaration as text', () => {
  it('may end with a semicolon, with blanks around it', () => {
    const read = { typeName: 'double', stars: 1, extents: [3], name: 'h' };
    for (const end of ['', ';', ' ', ' ; ', ' \t\n;\n'])
      expect(readDeclaration(` double *h[3]${end}`), JSON.stringify(end)).to.deep.equal(read);
    for (const text of ['', ';', ' ; ', 'double h;;', 'double h; ;', 'double; h'])
      expect(readDeclaration(text), text).to.equal(undefined);
  });

  it('is not looked at when it is longer than 1,000 characters, blanks counted', () => {
    const padded = (length: number): string => 'double h;'.padEnd(length);
    expect(readDeclaration(padded(1000))?.name).to.equal('h');
    expect(readDeclaration(padded(1001))).to.equal(undefined);
    expect(readDeclaration(`a${' '.repeat(100_000)}b`)).to.equal(undefined);
  });
});
