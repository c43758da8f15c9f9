// The tables of the pages: each is one piece, so that readers see it as a table.
import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';

const PROJECT = new URL('../../', import.meta.url);
const PAGES = ['README.md', 'CHANGELOG.md', ...readdirSync(new URL('docs/', PROJECT)).map((name) => `docs/${name}`)];

/** The lines at which a row begins a table that has no line under its heads. */
function strayRows(page: string): string[] {
  let isCode = false;
  const lines = page.split('\n').map((line) => {
    if (line.startsWith('```')) isCode = !isCode;
    return isCode ? '' : line;
  });
  const isRow = (line = ''): boolean => line.startsWith('|');
  const isUnderline = (line = ''): boolean => /^\|[ :|-]+\|$/.test(line);
  return lines.filter((line, at) => isRow(line) && !isRow(lines[at - 1]) && !isUnderline(lines[at + 1]));
}

describe('a table of the documentation', () => {
  for (const page of PAGES.filter((name) => name.endsWith('.md')))
    it(`has no gap in ${page}`, () => {
      expect(strayRows(readFileSync(new URL(page, PROJECT), 'utf8'))).to.deep.equal([]);
    });

  it('with a gap is found', () => {
    expect(strayRows('| a |\n|---|\n| 1 |\n\n| 2 |\n\n```\n| x |\n```\n')).to.deep.equal(['| 2 |']);
  });
});
