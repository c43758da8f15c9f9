// The connection graph: which topics and services there are, and which clients get the topics, told to those that follow it.

const SERVER = 'varwire';

/** A client that gets topics. */
interface Subscriber {
  readonly facts: { readonly peer: string };
}

/** Names of what a client has been told of. */
export interface Offered {
  readonly topics: ReadonlySet<string>;
  readonly services: ReadonlySet<string>;
}

interface Follower {
  offered: Offered;
  /** Topics whose subscribers it has not been told yet. */
  readonly untold: Set<string>;
}

const NOTHING: Offered = { topics: new Set(), services: new Set() };

export class ConnectionGraph {
  private readonly byTopic = new Map<string, Set<Subscriber>>();
  private readonly followers = new Map<Subscriber, Follower>();

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
    for (const { untold } of this.followers.values()) untold.add(topic);
  }

  /** Begins to follow: `news` tells the whole graph first. */
  follow(client: Subscriber): void {
    this.followers.set(client, { offered: NOTHING, untold: new Set(this.byTopic.keys()) });
  }

  unfollow(client: Subscriber): void {
    this.followers.delete(client);
  }

  /**
   * What has changed since a client was told last, as a message; undefined when nothing has, or it does not follow.
   * @param offered what it has been told of by now. Default: as before.
   */
  news(client: Subscriber, offered?: Offered): string | undefined {
    const follower = this.followers.get(client);
    if (!follower || (!offered && follower.untold.size === 0)) return undefined;
    const before = follower.offered;
    const now = offered ?? before;
    // The subscribers of a topic that has gone went with it.
    const topics = [...follower.untold].filter((topic) => now.topics.has(topic));
    follower.offered = now;
    follower.untold.clear();
    return JSON.stringify({
      op: 'connectionGraphUpdate',
      publishedTopics: missingIn(before.topics, now.topics).map((name) => ({ name, publisherIds: [SERVER] })),
      subscribedTopics: topics.map((name) => ({ name, subscriberIds: this.subscribers(name) })),
      advertisedServices: missingIn(before.services, now.services).map((name) => ({ name, providerIds: [SERVER] })),
      removedTopics: missingIn(now.topics, before.topics),
      removedServices: missingIn(now.services, before.services),
    });
  }

  private subscribers(topic: string): readonly string[] {
    return [...(this.byTopic.get(topic) ?? [])].map(({ facts }) => facts.peer);
  }
}

const missingIn = (these: ReadonlySet<string>, others: ReadonlySet<string>): string[] =>
  [...others].filter((name) => !these.has(name));
