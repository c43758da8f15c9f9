// A layered map holds what a Map would, in the same order, and its earlier versions stay as they were.
import { expect } from 'chai';
import fc from 'fast-check';
import { LayeredMap } from './layered-map.js';

describe('a layered map', () => {
  it('is like a Map after any changes', () => {
    // Both layers are merged several times.
    const names = Array.from({ length: 400 }, (_, index) => `n${index}`);
    const name = fc.constantFrom(...names);
    const some = { maxLength: 30, size: 'max' } as const;
    const change = fc.tuple(fc.array(name, some), fc.array(fc.tuple(name, fc.nat()), some));
    fc.assert(
      fc.property(
        fc.array(fc.tuple(name, fc.nat())),
        fc.array(change, { maxLength: 30, size: 'max' }),
        (first, changes) => {
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
            expect(JSON.stringify([...version.entries()])).to.equal(JSON.stringify(entries));
            expect(version.size).to.equal(entries.length);
            const known = new Map(entries);
            for (const one of names) if (version.get(one) !== known.get(one)) expect.fail(`${one} differs`);
          }
        },
      ),
    );
  });

  it('seldom copies all names', () => {
    const count = 8000;
    let map = LayeredMap.of(Array.from({ length: count }, (_, index) => [`n${index}`, index] as const));
    const { set } = Map.prototype;
    let [copied, wholeCopies] = [0, 0];
    Map.prototype.set = function (key, value) {
      copied++;
      return set.call(this, key, value);
    };
    try {
      for (let change = 0; change < count; change++) {
        const before = copied;
        map = map.with([`n${change}`], [[`n${count + change}`, change]]);
        if (copied - before > count / 2) wholeCopies++;
      }
    } finally {
      Map.prototype.set = set;
    }
    // Each change is two: one name goes, one comes.
    expect(wholeCopies).to.be.within(1, 16);
    expect(copied).to.be.below(100 * count);
    expect([...map.keys()]).to.deep.equal(Array.from({ length: count }, (_, index) => `n${count + index}`));
  });
});
