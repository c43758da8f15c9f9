// Those who look at each frame until something holds: their time is counted on their clients' accounts, in turns.
import type { Frame } from '../../model/frame/reader.js';
import type { Account } from '../scheduling/account.js';
import type { PartOfFrame } from './client-frames.js';
import { FORGOTTEN } from './errors.js';
import { FrameClients } from './frame-clients.js';
import type { SessionRegistry } from './registry.js';

/** So many are told between two turns that they were forgotten. */
const TOLD_AT_ONCE = 64;

export interface FrameFollower {
  readonly account: Account;
  /** Looks at a frame, which is borrowed: it is read at once. */
  look(frame: Frame): void;
  /** Called once when the simulation or the server has ended; the follower has been removed. */
  end(reason: string): void;
  /** Called once when a look has failed, or the client was forgotten; the follower has been removed. Default: `end` is called. */
  failed?(sentence: string): void;
}

/** A follower, with the number of the frame that was the latest when it came. */
interface Following<Follower> {
  readonly follower: Follower;
  readonly since: number;
}

export class FrameFollowers<Follower extends FrameFollower = FrameFollower> {
  /** Those of a client look one after the other, as one piece of work: most looks take less time than a piece costs. */
  private readonly clients: FrameClients<Following<Follower>>;
  private stopEnd: (() => void) | undefined;

  /**
   * @param seesEvery whether they look at every frame that the ring has, also when their client's turn comes later; the
   * others skip to the newest one.
   */
  constructor(
    private readonly registry: SessionRegistry,
    seesEvery = false,
  ) {
    const rule = {
      begin: (all: ReadonlySet<Following<Follower>>) => this.looking(all),
      gone: (all: ReadonlySet<Following<Follower>>, account: Account) => this.gone(all, account),
    };
    this.clients = new FrameClients(registry, rule, seesEvery);
  }

  protected get all(): readonly Follower[] {
    return this.clients.all.map(({ follower }) => follower);
  }

  /** Adds a follower; the returned function removes it. A simulation that has ended calls the follower's end at once. */
  add(follower: Follower): () => void {
    const { account } = follower;
    const { source } = this.registry;
    const following = { follower, since: source.frame.header.number };
    this.clients.add(account, following);
    this.stopEnd ??= source.onEnd((reason) => this.endAll(reason));
    if (this.clients.size === 0) this.unfollow();
    // Its client may have gone while the call waited.
    if (account.isClosed) this.gone(this.clients.of(account), account);
    return () => this.remove(following);
  }

  private remove(following: Following<Follower>): boolean {
    const isRemoved = this.clients.remove(following.follower.account, following);
    if (isRemoved && this.clients.size === 0) this.unfollow();
    return isRemoved;
  }

  close(): void {
    this.endAll('the server ends');
  }

  /** The last follower has gone. */
  protected unfollow(): void {
    this.stopEnd?.();
    this.stopEnd = undefined;
  }

  private endAll(reason: string): void {
    const ended = this.clients.all.filter((following) => this.remove(following));
    for (const { follower } of ended) follower.end(reason);
  }

  private gone(all: ReadonlySet<Following<Follower>>, account: Account): void {
    const ended = [...all].filter((following) => this.remove(following));
    this.tellForgotten(ended, account).catch((error: unknown) => this.registry.turns.failed(error));
  }

  private async tellForgotten(ended: readonly Following<Follower>[], account: Account): Promise<void> {
    for (const [index, { follower }] of ended.entries()) {
      if (index % TOLD_AT_ONCE === 0) await this.registry.turns.turn(account);
      tellFailed(follower, FORGOTTEN);
    }
  }

  private looking(all: ReadonlySet<Following<Follower>>): PartOfFrame {
    // Those who come and go meanwhile are seen and skipped.
    const waiting = all.values();
    return (frame) => {
      const { value } = waiting.next();
      // A frame before it came is not for it.
      if (value && frame.header.number >= value.since) this.look(value, frame);
      return value !== undefined;
    };
  }

  /** A fault in one look ends that follower alone: the client's others and other clients follow on. */
  private look(following: Following<Follower>, frame: Frame): void {
    try {
      following.follower.look(frame);
    } catch (error) {
      this.remove(following);
      tellFailed(following.follower, (error as Error).message);
    }
  }
}

function tellFailed(follower: FrameFollower, sentence: string): void {
  if (follower.failed) follower.failed(sentence);
  else follower.end(sentence);
}
