// A crowd of clients: who is let go when it is too large.
import { expect } from 'chai';
import { Crowd } from './crowd.js';

function setUp(most: number) {
  const said: string[] = [];
  const crowd = new Crowd('wait', most, (sentence) => said.push(sentence));
  const member = (network: string, name: string) => ({
    network,
    address: `${network}:${name}`,
    cut: () => void said.push(`cut ${name}`),
  });
  return { crowd, said, member };
}

describe('a crowd', () => {
  it('lets the first of the address with most go when one comes that is too many', () => {
    const { crowd, said, member } = setUp(3);
    crowd.note(member('10.0.0.1', 'honest'), true);
    for (const name of ['a', 'b']) crowd.note(member('10.0.0.2', name), true);
    expect(said).to.deep.equal([]);
    crowd.note(member('10.0.0.2', 'c'), true);
    expect(said).to.deep.equal(['cut a', '10.0.0.2:a was let go: more than 3 clients wait, most of them from there']);
    const { held, refusals } = crowd.counts;
    expect([held, refusals]).to.deep.equal([3, 1]);
  });

  it('lets one of the address that came last go when all have as many', () => {
    const { crowd, said, member } = setUp(2);
    for (const k of [1, 2, 3]) crowd.note(member(`10.0.0.${k}`, `${k}`), true);
    expect(said[0]).to.equal('cut 3');
  });

  it('has room again when one is in the state no more, however often that is said', () => {
    const { crowd, said, member } = setUp(1);
    const first = member('10.0.0.1', 'first');
    crowd.note(first, true);
    crowd.note(first, true);
    crowd.note(first, false);
    crowd.note(first, false);
    crowd.note(member('10.0.0.1', 'second'), true);
    expect(said).to.deep.equal([]);
  });
});
