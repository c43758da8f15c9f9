// Watches and polls, which look at each frame, and what they share of it.
import type { Frame } from '../../model/frame/reader.js';
import { type FrameFollower, FrameFollowers } from '../../serving/session/frame-followers.js';
import type { AnswerText } from '../json-rpc/answer-text.js';

export interface ComponentFollower extends FrameFollower {
  /**
   * Called when a client of the protocol has written components of an object: that is a change, whatever their values.
   */
  written?(object: number, paths: readonly string[], frame: number): void;
}

/** What followers share of one frame, each by the path of its component. */
interface Shared {
  readonly frame: number;
  readonly texts: Map<string, AnswerText | Promise<AnswerText>>;
  readonly bytes: Map<string, Uint8Array>;
}

const nothingOf = (frame: number): Shared => ({ frame, texts: new Map(), bytes: new Map() });

export class ComponentFollowers extends FrameFollowers<ComponentFollower> {
  private latest = nothingOf(0);

  /** @param frame the number of the frame that shows what was written. */
  written(object: number, paths: readonly string[], frame: number): void {
    for (const follower of this.all) follower.written?.(object, paths, frame);
  }

  /** A component's text, made once a frame; one that is made in turns resolves later. */
  textOf(frame: Frame, path: string, make: () => AnswerText | Promise<AnswerText>): AnswerText | Promise<AnswerText> {
    return once(this.sharedOf(frame).texts, path, make);
  }

  /** A component's bytes, copied once a frame. */
  bytesOf(frame: Frame, path: string, make: () => Uint8Array): Uint8Array {
    return once(this.sharedOf(frame).bytes, path, make);
  }

  /** Copies of components would stay in memory until somebody watches again. */
  protected override unfollow(): void {
    super.unfollow();
    this.latest = nothingOf(0);
  }

  private sharedOf({ header: { number } }: Frame): Shared {
    if (number !== this.latest.frame) this.latest = nothingOf(number);
    return this.latest;
  }
}

function once<Value>(made: Map<string, Value>, key: string, make: () => Value): Value {
  const value = made.get(key) ?? make();
  made.set(key, value);
  return value;
}
