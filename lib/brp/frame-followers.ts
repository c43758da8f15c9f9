// Watches and polls, which look at each frame: their time is counted on their clients' accounts, and they take turns.
import { Reason } from '../frame/header.js';
import type { Frame } from '../frame/reader.js';
import type { AnswerText } from '../json-rpc/answer-text.js';
import type { Account } from '../session/account.js';
import type { SessionRegistry } from '../session/registry.js';

export interface Follower {
  readonly account: Account;
  /** Looks at the source's latest frame. */
  look(frame: Frame): void;
  /**
   * Called when a client of the protocol has written components of an object: that is a change, whatever their values.
   */
  written?(object: number, paths: readonly string[], frame: number): void;
  /** Called when the simulation has ended. */
  end(reason: string): void;
}

/** What followers share of one frame, each by the path of its component. */
interface Shared {
  readonly frame: number;
  readonly texts: Map<string, string>;
  readonly later: Map<string, Promise<AnswerText>>;
  readonly bytes: Map<string, Uint8Array>;
}

const nothingOf = (frame: number): Shared => ({ frame, texts: new Map(), later: new Map(), bytes: new Map() });

export class FrameFollowers {
  private readonly all = new Set<Follower>();
  /** Frames are followed only while somebody wants them. */
  private stops: (() => void)[] = [];

  private latest = nothingOf(0);

  constructor(private readonly registry: SessionRegistry) {}

  get size(): number {
    return this.all.size;
  }

  /** Adds a follower; the returned function removes it. */
  add(follower: Follower): () => void {
    this.all.add(follower);
    if (this.stops.length === 0) this.follow();
    return () => {
      this.all.delete(follower);
      if (this.all.size === 0) this.unfollow();
    };
  }

  close(): void {
    this.unfollow();
    for (const follower of [...this.all]) follower.end('the server ends');
    this.all.clear();
  }

  /** @param frame the number of the frame that shows what was written. */
  written(object: number, paths: readonly string[], frame: number): void {
    for (const follower of [...this.all]) follower.written?.(object, paths, frame);
  }

  /** A component's text, made once a frame. */
  textOf(frame: Frame, path: string, make: () => string): string {
    return once(this.sharedOf(frame).texts, path, make);
  }

  /** As `textOf`, for a text that is made in turns. */
  textInTurns(frame: Frame, path: string, make: () => Promise<AnswerText>): Promise<AnswerText> {
    return once(this.sharedOf(frame).later, path, make);
  }

  /** A component's bytes, copied once a frame. */
  bytesOf(frame: Frame, path: string, make: () => Uint8Array): Uint8Array {
    return once(this.sharedOf(frame).bytes, path, make);
  }

  private sharedOf({ header: { number } }: Frame): Shared {
    if (number !== this.latest.frame) this.latest = nothingOf(number);
    return this.latest;
  }

  private follow(): void {
    const { source } = this.registry;
    this.stops = [source.onFrame((frame) => this.onFrame(frame))];
    const stopEnd = source.onEnd((reason) => {
      for (const follower of [...this.all]) follower.end(reason);
    });
    this.stops.push(stopEnd);
  }

  private unfollow(): void {
    for (const stop of this.stops.splice(0)) stop();
  }

  /** The frame stays valid until all have looked. */
  private onFrame(frame: Frame): Promise<unknown> | undefined {
    // A scheduled frame may show the middle of a tick.
    if (frame.header.reason === Reason.scheduled) return undefined;
    const later: Promise<void>[] = [];
    for (const follower of this.all) {
      const looked = this.registry.sending.due(follower.account, () => {
        if (this.all.has(follower)) follower.look(frame);
      });
      if (looked) later.push(looked);
    }
    return later.length > 0 ? Promise.all(later) : undefined;
  }
}

function once<Value>(made: Map<string, Value>, key: string, make: () => Value): Value {
  const value = made.get(key) ?? make();
  made.set(key, value);
  return value;
}
