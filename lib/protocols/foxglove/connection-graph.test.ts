// The connection graph as messages: first all of it, then what has changed.
import { expect } from 'chai';
import { ConnectionGraph } from './connection-graph.js';

const NOTHING = {
  publishedTopics: [],
  subscribedTopics: [],
  advertisedServices: [],
  removedTopics: [],
  removedServices: [],
};
const offered = (topics: readonly string[], services: readonly string[]) => ({
  topics: new Set(topics),
  services: new Set(services),
});

describe('the connection graph of Foxglove', () => {
  it('is told whole to who begins to follow, then in changes, and to nobody else', () => {
    const graph = new ConnectionGraph();
    const [follower, other] = ['1.2.3.4:5', '1.2.3.4:6'].map((peer) => ({ facts: { peer } }));
    if (!follower || !other) throw new Error('two clients');
    const news = (...about: Parameters<ConnectionGraph['news']>): object | undefined => {
      const text = graph.news(...about);
      if (text === undefined) return undefined;
      const { op, ...changes } = JSON.parse(text);
      expect(op).to.equal('connectionGraphUpdate');
      return changes;
    };
    graph.subscribed(other, '/a');
    expect(news(other, offered(['/a'], []))).to.equal(undefined);
    graph.follow(follower);
    expect(news(follower, offered(['/a', '/b'], ['/run']))).to.deep.equal({
      ...NOTHING,
      publishedTopics: ['/a', '/b'].map((name) => ({ name, publisherIds: ['varwire'] })),
      subscribedTopics: [{ name: '/a', subscriberIds: ['1.2.3.4:6'] }],
      advertisedServices: [{ name: '/run', providerIds: ['varwire'] }],
    });
    expect(news(follower)).to.equal(undefined);
    graph.subscribed(follower, '/b');
    graph.unsubscribed(other, '/a');
    expect(news(follower)).to.deep.equal({
      ...NOTHING,
      subscribedTopics: [
        { name: '/b', subscriberIds: ['1.2.3.4:5'] },
        { name: '/a', subscriberIds: [] },
      ],
    });
    // The subscribers of what has gone are told no more.
    graph.unsubscribed(follower, '/b');
    expect(news(follower, offered(['/a'], []))).to.deep.equal({
      ...NOTHING,
      removedTopics: ['/b'],
      removedServices: ['/run'],
    });
    graph.unfollow(follower);
    graph.subscribed(other, '/a');
    expect(news(follower)).to.equal(undefined);
  });
});
