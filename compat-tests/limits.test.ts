// docs/limits.md has the table of limits, and is one page.
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { LIMITS, type Limit } from '../lib/model/bounds/limits.js';
import { limitsPage, limitsTable } from './limits-page.js';

describe('docs/limits.md', () => {
  it('has the table of limits; node build/compat-tests/limits-page.js renews it', () => {
    expect(limitsPage()).to.include(`\n${limitsTable()}\n`);
  });

  it('is short enough to be read', () => {
    expect(
      limitsPage()
        .split(/\s+/)
        .filter((word) => /\w/.test(word)).length,
    ).to.be.at.most(1200);
  });

  it('names options that there are', () => {
    const help = readFileSync(new URL('../../lib/clients/cli/run.ts', import.meta.url), 'utf8');
    const named = Object.values<Limit>(LIMITS).flatMap(({ option }) => (option?.startsWith('--') ? [option] : []));
    expect(named.filter((option) => !help.includes(`  ${option} `))).to.deep.equal([]);
  });
});
