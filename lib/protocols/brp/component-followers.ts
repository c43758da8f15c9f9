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

type Text = AnswerText | Promise<AnswerText>;

export class ComponentFollowers extends FrameFollowers<ComponentFollower> {
  /** Texts of components in one frame, by path. */
  private readonly texts = new Map<string, Text>();
  private textsFrame = 0;

  /** @param frame the number of the frame that shows what was written. */
  written(object: number, paths: readonly string[], frame: number): void {
    for (const follower of this.all) follower.written?.(object, paths, frame);
  }

  /** A component's text, made once a frame; one that is made in turns resolves later. */
  textOf({ header: { number } }: Frame, path: string, make: () => Text): Text {
    if (number !== this.textsFrame) this.texts.clear();
    this.textsFrame = number;
    const text = this.texts.get(path) ?? make();
    this.texts.set(path, text);
    return text;
  }

  /** Texts would stay in memory until somebody watches again. */
  protected override unfollow(): void {
    super.unfollow();
    this.texts.clear();
  }
}
