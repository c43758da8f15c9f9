import { expect } from 'chai';
import { Down } from './carrier.js';
import { PartsJoined, partsOf } from './parts.js';

describe('a message in parts', () => {
  const long = Buffer.from(Array.from({ length: 1000 }, (_, index) => (index === 0 ? Down.frame : index % 251)));

  it('comes whole, and is left out when a part is missing', () => {
    const joined = new PartsJoined();
    const parts = [...partsOf(long, 100, 7)];
    expect(parts.every(({ length }) => length <= 100)).to.equal(true);
    const got = parts.map((part) => joined.take(part));
    expect(got.slice(0, -1).every((one) => one === undefined)).to.equal(true);
    expect(got.at(-1)).to.deep.equal(long);
    const broken = [...partsOf(long, 100, 8)].toSpliced(3, 1).map((part) => joined.take(part));
    expect(broken.every((one) => one === undefined)).to.equal(true);
    expect([...partsOf(long, 1000, 9)]).to.deep.equal([long]);
    expect([...partsOf(long, 100, 9)].map((part) => joined.take(part)).at(-1)).to.deep.equal(long);
  });
});
