// What the names of a session may hold, and what finding that out costs.
import { expect } from 'chai';
import { HeldNames } from './held-names.js';
import { ListValue } from './values.js';

const MIB = 1024 * 1024;

describe('the names of a session', () => {
  /** Whether they are forgotten when they hold a list of texts. */
  function areForgotten(texts: readonly string[]): boolean {
    const held = new HeldNames(4 * MIB);
    held.names.set('L', new ListValue([...texts]));
    return held.settle(32 * MIB, 100);
  }
  /** Equal texts that are not the same in memory, as a block makes them in a loop. */
  const made = (length: number, count: number): string[] => Array.from({ length: count }, () => 'x'.repeat(length));

  it('keep a long text once, however often it is held', () => {
    const text = 'x'.repeat(50_000);
    expect(areForgotten(Array<string>(50).fill(text))).to.equal(false);
    expect(areForgotten(Array.from({ length: 50 }, (_, k) => `${k}${text}`))).to.equal(true);
  });

  it('are forgotten when it would take too long to find out that their texts are equal', () => {
    expect(areForgotten(made(50_000, 50))).to.equal(false);
    expect(areForgotten(made(50_000, 600))).to.equal(true);
    expect(areForgotten(made(3000, 10_000))).to.equal(true);
  });
});
