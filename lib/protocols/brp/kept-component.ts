// Components that watches and polls follow: what one had in a frame, to see whether another frame has something else; its text.
import type { Frame } from '../../model/frame/reader.js';
import { holdsPointers } from '../../model/state/pointers.js';
import { sizeOf } from '../../model/state/type.js';
import type { Variable } from '../../model/state/variable.js';
import { tickMillisOf } from '../../serving/session/frame-cadence.js';
import { type FrameFollower, FrameFollowers } from '../../serving/session/frame-followers.js';
import { KeptValue } from '../../serving/session/kept-value.js';
import { valuesIn, valuesOfVariable } from '../../serving/session/value-count.js';
import { AnswerText } from '../json-rpc/answer-text.js';
import { TakenValues } from '../json-rpc/taken-values.js';
import { BRP_STYLE } from './value.js';

export class KeptComponent {
  private readonly value = new KeptValue(this);
  private keptText: string | undefined;

  /**
   * @param current the variable; undefined for a component that is not there, or is Bevy's own.
   * @param text of a component that is Bevy's own.
   */
  constructor(
    public current: Variable | undefined = undefined,
    public text: string | undefined = undefined,
  ) {}

  /** The same component, of which nothing is kept. */
  another(): KeptComponent {
    return new KeptComponent(this.current, this.text);
  }

  keep(frame: Frame): void {
    this.keptText = this.text;
    this.value.keep(frame);
  }

  /** Keeps that the component is not there. */
  forget(): void {
    this.keptText = undefined;
    this.value.forget();
  }

  isIn(frame: Frame): boolean {
    return this.text === this.keptText && this.value.isIn(frame);
  }

  /** What is kept. */
  get bytes(): Uint8Array {
    return this.keptText === undefined ? this.value.copy : Buffer.from(this.keptText);
  }

  isCarriedBy(frame: Frame): boolean {
    return !this.current || frame.carries(this.current);
  }

  /** Bytes of a copy, as large as the component is in a frame. */
  bytesIn(frame: Frame): number {
    const { current } = this;
    if (!current) return 0;
    return holdsPointers(current.type) && !frame.carries(current) ? sizeOf(current.type) : this.value.sizeIn(frame);
  }

  /** How many values the component has in a frame. */
  valuesIn(frame: Frame): number {
    const { current } = this;
    if (!current) return 0;
    return frame.carries(current) ? valuesOfVariable(frame, current) : valuesIn(current.type);
  }
}

/** What looking at components in every frame takes, as large as they are in this one. */
export const costOf = (components: readonly KeptComponent[], frame: Frame) => ({
  keptBytes: components.reduce((sum, one) => sum + one.bytesIn(frame), 0),
  valuesPerSecond: Math.ceil(
    (1000 * components.reduce((sum, one) => sum + one.valuesIn(frame), 0)) / tickMillisOf(frame.header),
  ),
});

/**
 * A component's value as JSON text, of a copy of it.
 * @param turn what a long text waits for; without one it is made at once.
 */
export function textOf(frame: Frame, variable: Variable, turn?: () => Promise<void>): AnswerText | Promise<AnswerText> {
  if (variable.access === 'write-only') return AnswerText.encoded('null');
  const text = new AnswerText();
  const done = (): AnswerText => {
    text.encode();
    return text;
  };
  const taken = new TakenValues([{ current: variable, conversion: undefined }], frame, BRP_STYLE).take();
  const later = taken.writeText(text, 0, turn);
  return later ? later.then(done) : done();
}

export interface ComponentFollower extends FrameFollower {
  /**
   * Called when a client of the protocol has written components of an object: that is a change, whatever their values.
   */
  written?(object: number, paths: readonly string[], frame: number): void;
}

type Text = AnswerText | Promise<AnswerText>;

/** Watches and polls, which look at each frame, and what they share of it. */
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
