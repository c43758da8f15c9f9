// A layered map holds what a Map would, in the same order, and its earlier versions stay as they were.
import { expect } from 'chai';
import fc from 'fast-check';
import { LayeredMap } from './layered-map.js';

describe('a layered map', () => {
  it('is like a Map after any changes', () => {
    const name = fc.constantFrom(...'abcdefghij');
    const change = fc.tuple(fc.array(name, { maxLength: 3 }), fc.array(fc.tuple(name, fc.nat()), { maxLength: 3 }));
    fc.assert(
      fc.property(fc.array(fc.tuple(name, fc.nat())), fc.array(change, { maxLength: 60 }), (first, changes) => {
        const plain = new Map(first);
        let layered = LayeredMap.of(first);
        const versions: [LayeredMap<number>, [string, number][]][] = [];
        for (const [removed, set] of changes) {
          for (const one of removed) plain.delete(one);
          for (const [one, value] of set) plain.set(one, value);
          layered = layered.with(removed, set);
          versions.push([layered, [...plain]]);
        }
        for (const [version, entries] of versions) {
          expect([...version.entries()]).to.deep.equal(entries);
          expect(version.size).to.equal(entries.length);
          for (const one of 'abcdefghij') expect(version.get(one)).to.equal(new Map(entries).get(one));
        }
      }),
    );
  });
});
