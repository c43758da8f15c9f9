// Names of variables as kRPC's identifiers.
import { expect } from 'chai';
import fc from 'fast-check';
import { Identifiers, identifierOf } from './identifiers.js';

describe("kRPC's identifiers", () => {
  it('are the words of a name, each with a capital', () => {
    expect(['worst_delay', 'dyn.cannon.fire', 'isOpen', '3d', '_', 'krpc-test'].map(identifierOf)).to.deep.equal([
      'WorstDelay',
      'DynCannonFire',
      'IsOpen',
      'N3d',
      'N',
      'KrpcTest',
    ]);
  });

  it('are found at once when thousands of names become the same', () => {
    let looks = 0;
    const identifiers = new Identifiers('', () => {
      looks++;
      return [];
    });
    const names = Array.from({ length: 2000 }, (_, index) => `worst${'_'.repeat(index)}delay`);
    expect(new Set(names.map((name) => identifiers.take(name))).size).to.equal(names.length);
    expect(looks).to.be.at.most(4 * names.length);
  });

  it('hold letters and digits only, start with a letter, and differ', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (names) => {
        const identifiers = new Identifiers('Taken');
        const made = names.map((name) => identifiers.take(name));
        for (const one of made) expect(one).to.match(/^[A-Za-z][A-Za-z0-9]*$/);
        expect(new Set(made.map((one) => one.toLowerCase())).size).to.equal(names.length);
        expect(made).not.to.include('Taken');
      }),
    );
  });
});
