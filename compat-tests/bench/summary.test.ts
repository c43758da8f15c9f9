// docs/performance.md has the short tables of what the bench has measured.
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { PAGE, RESULTS, sectionOf, summarized } from './summary.js';

const [page, results] = [PAGE, RESULTS].map((url) => readFileSync(url, 'utf8')) as [string, string];

describe('docs/performance.md', () => {
  it('summarizes the results; node build/compat-tests/bench/summary.js renews it', () => {
    expect(summarized(page, results)).to.equal(page);
  });

  it('has a figure of each row that Trick was measured in, and counts each attack once', () => {
    const sections = ['table', 'attacks'].map((name) => page.slice(...sectionOf(page, name)).trim());
    const [beside, attacks] = sections.map((text) => text.split('\n').slice(4)) as [string[], string[]];
    const cells = beside.map((line) => line.split(' | '));
    expect(cells).to.have.length.above(10);
    for (const [, , , trick] of cells) expect(Number(trick?.replace(',', ''))).to.be.above(0);
    const names = results
      .slice(...sectionOf(results, 'attacks'))
      .split('\n')
      .filter((line) => /^\| [A-Z]\d?-\S+ \| 10 \|/.test(line));
    const counted = attacks.reduce((sum, line) => sum + Number(line.split(' | ')[1]), 0);
    expect(counted)
      .to.equal(names.length)
      .and.equal(new Set(names.map((line) => line.split(' | ')[0])).size);
  });

  it('is short enough to be read', () => {
    expect(page.split(/\s+/).filter((word) => /\w/.test(word))).to.have.length.at.most(1500);
  });
});
