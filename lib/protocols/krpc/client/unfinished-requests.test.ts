// Which request ends when unfinished ones take too much.
import { expect } from 'chai';
import { UnfinishedRequests } from './unfinished-requests.js';

describe('unfinished requests', () => {
  const LARGE = 100_000;
  const setUp = () => {
    const gone: string[] = [];
    const told: string[] = [];
    const requests = new UnfinishedRequests((sentence) => told.push(sentence), 3 * LARGE);
    const client = (address: string) => ({ address, network: '10.0.0.1', cut: () => void gone.push(address) });
    return { gone, told, requests, client };
  };

  it('end when there is no room, the one begun first', () => {
    const { gone, told, requests, client } = setUp();
    const [first, second, third, fourth] = ['first', 'second', 'third', 'fourth'].map(client);
    for (const one of [first, second, third]) requests.hold(one as never, LARGE);
    requests.hold(first as never, LARGE);
    expect(gone).to.deep.equal([]);
    requests.hold(fourth as never, LARGE);
    expect(gone).to.deep.equal(['first']);
    expect(told).to.deep.equal([
      'first was let go: unfinished requests took too much memory, its address had most, and its own was begun first',
    ]);
  });

  it('of one address end nobody else’s, however many they are', () => {
    const { gone, requests, client } = setUp();
    requests.hold({ ...client('honest'), network: '10.0.0.2' }, LARGE);
    for (let k = 0; k < 50; k++) requests.hold(client(`${k}`), 1.5 * LARGE);
    expect(gone).to.have.length(49);
    expect(gone).to.not.include('honest');
  });

  it('make room when they are whole', () => {
    const { gone, requests, client } = setUp();
    for (let k = 0; k < 100; k++) {
      const one = client(`${k}`);
      requests.hold(one, 2 * LARGE);
      requests.hold(one, 0);
    }
    expect(gone).to.deep.equal([]);
  });

  it('do not count while they are short', () => {
    const { gone, requests, client } = setUp();
    for (let k = 0; k < 1000; k++) requests.hold(client(`${k}`), 60_000);
    expect(gone).to.deep.equal([]);
  });
});
