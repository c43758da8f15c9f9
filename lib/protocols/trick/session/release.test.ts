// Variables that a session gives back: all of them, a few at a time.
import { expect } from 'chai';
import type { TrickReference } from '../wire/reference.js';
import { releaseAll } from './release.js';

describe('the variables of a list', () => {
  function release(count: number): { readonly parts: number[]; readonly isWhole: () => boolean } {
    const held = Array.from({ length: count }, (_, id) => ({ id }) as unknown as TrickReference);
    const released: TrickReference[] = [];
    const references = { release: (reference: TrickReference): void => void released.push(reference) };
    const parts: number[] = [];
    void releaseAll(held, references, () => Promise.resolve(void parts.push(released.length)));
    return { parts, isWhole: () => released.every((one, k) => one === held[k]) && released.length === count };
  }

  it('are given back in turns when they are many, each once and in order', async () => {
    const { parts, isWhole } = release(20_000);
    while (!isWhole()) await null;
    const most = Math.max(...parts.map((count, k) => count - (parts[k - 1] ?? 0)));
    expect([parts.length > 50, most < 2500]).to.deep.equal([true, true]);
  });

  it('are given back at once when they are few', () => {
    const { parts, isWhole } = release(200);
    expect([parts, isWhole()]).to.deep.equal([[], true]);
  });
});
