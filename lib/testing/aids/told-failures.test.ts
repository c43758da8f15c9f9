// Stacks are told with the lines of the TypeScript sources.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { sourceStack } from './told-failures.js';

describe('the stack of a failed test', () => {
  it('names the line of the source that threw', () => {
    const { stack = '' } = new Error('told'); // here
    const source = readFileSync(
      fileURLToPath(new URL('../../../../lib/testing/aids/told-failures.test.ts', import.meta.url)),
      'utf8',
    );
    const line = source.split('\n').findIndex((text) => text.endsWith('// here')) + 1;
    expect(sourceStack(stack)).to.match(new RegExp(`\\(?lib/testing/aids/told-failures\\.test\\.ts:${line}:\\d+`));
  });

  it('keeps places of files without a map, and other text', () => {
    const stack = 'Error: told\n    at a (file:///nowhere/a.js:1:2)\n    at node:internal/b:3:4';
    expect(sourceStack(stack)).to.equal(stack);
  });
});
