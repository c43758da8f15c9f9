// The error classes that a program can get: the documentation describes each of them.
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import * as errors from './errors.js';

describe('the error classes', () => {
  it('that docs/embedding.md explains are there', () => {
    const page = readFileSync(new URL('../../docs/embedding.md', import.meta.url), 'utf8');
    const section = page.slice(page.indexOf('## Errors'));
    const named = new Set([...section.matchAll(/`(\w+Error)`/g)].map(([, name = '']) => name));
    for (const own of ['Error', 'RangeError', 'TypeError']) named.delete(own);
    expect(named.size).to.be.greaterThan(5);
    expect(Object.keys(errors)).to.include.members([...named]);
  });

  it('have the name of their class', () => {
    for (const [name, made] of Object.entries(errors)) {
      expect(new (made as unknown as new (...given: string[]) => Error)('a', 'b')).to.include({ name });
    }
  });
});
