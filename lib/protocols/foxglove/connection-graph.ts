// The connection graph: which clients get which topics, told to those clients that follow it.

const SERVER = 'varwire';

/** A client that gets topics. */
interface Subscriber {
  readonly facts: { readonly peer: string };
}

export class ConnectionGraph {
  private readonly byTopic = new Map<string, Set<Subscriber>>();
  /** Of each client that follows the graph: the topics of which it has not been told yet. */
  private readonly untold = new Map<Subscriber, Set<string>>();

  subscribed(client: Subscriber, topic: string): void {
    this.byTopic.set(topic, (this.byTopic.get(topic) ?? new Set()).add(client));
    this.changed(topic);
  }

  unsubscribed(client: Subscriber, topic: string): void {
    const clients = this.byTopic.get(topic);
    clients?.delete(client);
    if (clients?.size === 0) this.byTopic.delete(topic);
    this.changed(topic);
  }

  private changed(topic: string): void {
    for (const topics of this.untold.values()) topics.add(topic);
  }

  /** Begins to follow: the whole graph as a message. */
  follow(client: Subscriber, topics: Iterable<string>, services: Iterable<string>): string {
    this.untold.set(client, new Set());
    return update({
      publishedTopics: [...topics].map((name) => ({ name, publisherIds: [SERVER] })),
      subscribedTopics: [...this.byTopic.keys()].map((topic) => this.subscribers(topic)),
      advertisedServices: [...services].map((name) => ({ name, providerIds: [SERVER] })),
    });
  }

  unfollow(client: Subscriber): void {
    this.untold.delete(client);
  }

  /** What has changed since a client was told last, as a message; undefined when nothing has. */
  news(client: Subscriber): string | undefined {
    const topics = this.untold.get(client);
    if (!topics || topics.size === 0) return undefined;
    const text = update({ subscribedTopics: [...topics].map((topic) => this.subscribers(topic)) });
    topics.clear();
    return text;
  }

  private subscribers(topic: string): object {
    return { name: topic, subscriberIds: [...(this.byTopic.get(topic) ?? [])].map(({ facts }) => facts.peer) };
  }
}

const NOTHING = {
  publishedTopics: [],
  subscribedTopics: [],
  advertisedServices: [],
  removedTopics: [],
  removedServices: [],
};

const update = (changes: object): string => JSON.stringify({ op: 'connectionGraphUpdate', ...NOTHING, ...changes });
