// Those who look at each frame until something holds: their time is counted on their clients' accounts, in turns.
import { Reason } from '../frame/header.js';
import type { Frame } from '../frame/reader.js';
import type { Account } from '../scheduling/account.js';
import type { Slice, Sliced } from '../scheduling/turns.js';
import { ClientFrames, EveryFrame, type PartOfFrame, untilBegun } from './client-frames.js';
import { FORGOTTEN } from './errors.js';
import type { SessionRegistry } from './registry.js';

/** Who is told that it was forgotten counts as so many steps of work. */
const STEPS_PER_CALL = 4;

export interface FrameFollower {
  readonly account: Account;
  /** Looks at a frame, which is borrowed: it is read at once. */
  look(frame: Frame): void;
  /** Called once when the simulation or the server has ended; the follower has been removed. */
  end(reason: string): void;
  /** Called once when a look has failed, or the client was forgotten; the follower has been removed. Default: `end` is called. */
  failed?(sentence: string): void;
}

/** The followers of one client, and its part of each frame. */
interface OfClient<Follower> {
  /** With the number of the frame that was the latest when each came. */
  readonly followers: Map<Follower, number>;
  readonly frames: ClientFrames | EveryFrame;
  /** Called when the last follower has gone. */
  readonly forget: () => void;
}

export class FrameFollowers<Follower extends FrameFollower = FrameFollower> {
  /** Those of a client look one after the other, as one piece of work: most looks take less time than a piece costs. */
  private readonly byAccount = new Map<Account, OfClient<Follower>>();
  /** Frames are followed only while somebody wants them. */
  private stops: (() => void)[] = [];

  /**
   * @param seesEvery whether they look at every frame that the ring has, also when their client's turn comes later; the
   * others skip to the newest one.
   */
  constructor(
    private readonly registry: SessionRegistry,
    private readonly seesEvery = false,
  ) {}

  protected get all(): readonly Follower[] {
    return [...this.byAccount.values()].flatMap(({ followers }) => [...followers.keys()]);
  }

  /** Adds a follower; the returned function removes it. A simulation that has ended calls the follower's end at once. */
  add(follower: Follower): () => void {
    const { account } = follower;
    const { followers } = this.ofClient(account);
    followers.set(follower, this.registry.source.frame.header.number);
    if (this.stops.length === 0) this.follow();
    // Its client may have gone while the call waited.
    if (account.isClosed) this.endOf(account);
    return () => {
      if (followers.delete(follower) && followers.size === 0) this.forget(account);
    };
  }

  private ofClient(account: Account): OfClient<Follower> {
    const known = this.byAccount.get(account);
    if (known) return known;
    const followers = new Map<Follower, number>();
    const Frames = this.seesEvery ? EveryFrame : ClientFrames;
    const frames = new Frames(this.registry, account, () => this.looking(followers));
    const ofClient = { followers, frames, forget: account.onClose(() => this.endOf(account)) };
    this.byAccount.set(account, ofClient);
    return ofClient;
  }

  private forget(account: Account): void {
    this.byAccount.get(account)?.forget();
    this.byAccount.delete(account);
    if (this.byAccount.size === 0) this.unfollow();
  }

  close(): void {
    this.endAll('the server ends');
  }

  /** The last follower has gone. */
  protected unfollow(): void {
    for (const stop of this.stops.splice(0)) stop();
  }

  private follow(): void {
    const { source } = this.registry;
    this.stops = [source.onFrame((frame) => this.onFrame(frame))];
    this.stops.push(source.onEnd((reason) => this.endAll(reason)));
    if (this.byAccount.size === 0) this.unfollow();
  }

  private endAll(reason: string): void {
    const { all } = this;
    for (const { followers, forget } of this.byAccount.values()) {
      forget();
      followers.clear();
    }
    this.byAccount.clear();
    this.unfollow();
    for (const follower of all) follower.end(reason);
  }

  /** The client has gone. */
  private endOf(account: Account): void {
    const followers = this.byAccount.get(account)?.followers;
    if (!followers) return;
    const all = [...followers.keys()];
    followers.clear();
    this.forget(account);
    this.registry.turns
      .run(account, (slice) => tellForgotten(all, slice))
      .catch((error: unknown) => {
        this.registry.turns.failed(error);
      });
  }

  /** A fault in one look ends that follower alone: the client's others and other clients follow on. */
  private look(follower: Follower, followers: Map<Follower, number>, frame: Frame): void {
    try {
      follower.look(frame);
    } catch (error) {
      if (followers.delete(follower) && followers.size === 0) this.forget(follower.account);
      tellFailed(follower, (error as Error).message);
    }
  }

  /** Each client's look in its turns. A scheduled frame may show the middle of a tick. */
  private onFrame(frame: Frame): Promise<void> | undefined {
    if (frame.header.reason === Reason.scheduled) return undefined;
    const later: Promise<void>[] = [];
    for (const { frames } of this.byAccount.values()) {
      const begun = frames.take(frame);
      if (begun) later.push(begun);
    }
    return untilBegun(later);
  }

  private looking(followers: Map<Follower, number>): PartOfFrame {
    // Those who come and go meanwhile are seen and skipped.
    const waiting = followers.entries();
    return (frame) => {
      const { value } = waiting.next();
      if (!value) return false;
      const [follower, since] = value;
      // A frame before it came is not for it.
      if (frame.header.number >= since) this.look(follower, followers, frame);
      return true;
    };
  }
}

function* tellForgotten(followers: readonly FrameFollower[], slice: Slice): Sliced<void> {
  for (const follower of followers) {
    tellFailed(follower, FORGOTTEN);
    if (slice.isOver(STEPS_PER_CALL)) yield;
  }
}

function tellFailed(follower: FrameFollower, sentence: string): void {
  if (follower.failed) follower.failed(sentence);
  else follower.end(sentence);
}
