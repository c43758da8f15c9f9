// A listing that many ask for at once is made once for those who wait, and never from before they asked.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type ListedFile, SharedListing, sharedListings } from './run-listing.js';

describe('a shared listing', () => {
  it('is made one at a time, and anew for those who ask while one is made', async () => {
    const made: ((files: ListedFile[]) => void)[] = [];
    const listing = new SharedListing(() => new Promise((resolve) => made.push(resolve)));
    const first = listing.ask();
    const others = [listing.ask(), listing.ask(), listing.ask()];
    expect(made).to.have.length(1);
    made[0]?.([]);
    expect(await first).to.deep.equal([]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(made).to.have.length(2);
    const file = { name: 'a', bytes: 1, modifiedMillis: 2 };
    made[1]?.([file]);
    expect(await Promise.all(others)).to.deep.equal([[file], [file], [file]]);
    await new Promise((resolve) => setImmediate(resolve));
    void listing.ask();
    expect(made).to.have.length(3);
  });

  it('is made anew after one that has failed', async () => {
    let tries = 0;
    const listing = new SharedListing(async () => {
      tries++;
      if (tries === 1) throw new Error('no disk');
      return [];
    });
    const [first, second] = [listing.ask(), listing.ask()];
    expect(await first.catch((error: Error) => error.message)).to.equal('no disk');
    expect(await second).to.deep.equal([]);
  });

  it('has no file whose writing was begun and never ended', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'varwire-listing-'));
    try {
      for (const name of ['.00112233445566778899aabb.partial', 'chk.partial'])
        writeFileSync(join(directory, name), 'x');
      const found = await sharedListings(() => true)({}, directory);
      expect(found.map(({ name }) => name)).to.deep.equal(['chk.partial']);
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});
