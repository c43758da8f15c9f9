// A source that is not a simulation: its owner sets values and publishes each frame.
import { performance } from 'node:perf_hooks';
import { requireOptions } from '../model/state/option-names.js';
import type { ObjectHandle, ObjectOptions } from '../model/state/state.js';
import { requireFrameSeconds } from '../simulation/executive/frame-length.js';
import type { Overlay } from '../simulation/executive/overlay.js';
import type { PlayedStudy } from '../simulation/recording/study.js';
import { FeedHost, type FeedOptions, type FilledPages } from './feed-host.js';
import type { FromSimulation } from './protocol.js';
import { RemoteSource } from './remote-source.js';
import type { PlaybackState, SimMessage, Source } from './source.js';

const OPTIONS = Object.keys({
  name: true,
  what: true,
  frameSeconds: true,
  clock: true,
  directory: true,
  file: true,
  write: true,
  playback: true,
  poses: true,
  folder: true,
} satisfies Record<keyof FeedOptions, true>);

/** What the build function of a feed gets; its owner may use it later too. */
export interface FeedObjects {
  /**
   * The object of a name, made when it is asked for first. In its name, and in those of its components, dots lead into
   * structures: `object('dyn').component('cannon.time', double())` is `dyn.cannon.time`, and so is
   * `object('dyn.cannon').component('time', double())`. The members of a structure are known when `build` returns.
   */
  object(name: string, options?: ObjectOptions): ObjectHandle;
  removeObject(name: string): void;
}

/** A source whose owner publishes each frame. */
export interface Feed extends Source {
  /**
   * Publishes the current values as a frame, at a time in seconds from 0 up, which may go back. Returns false once the
   * feed has ended or been closed. Throws a RangeError for a time that is not valid, and whatever a mirror's getter
   * throws.
   */
  publish(timeSeconds: number): boolean;
  /** Sends a message to the operator and to message clients. */
  say(text: string, level?: SimMessage['level']): void;
  /**
   * Shows clients that a playback stands still, for example at its end; they may run it and seek again. Throws an Error
   * for a feed without `playback`.
   */
  freeze(): void;
  /** Ends the feed; its last frame shows the exit mode. */
  finish(reason: string): void;
}

export class FeedSource extends RemoteSource implements Feed {
  study?: PlayedStudy | undefined;
  protected readonly host: FeedHost;

  /** Builds the feed and publishes its first frame, at time 0. Throws what `build` throws. */
  constructor(
    options: FeedOptions,
    build: (objects: FeedObjects) => void,
    overlays: readonly Overlay[],
    nowMillis: () => number = () => performance.now(),
    filled?: FilledPages,
    pageBytes?: number,
  ) {
    requireOptions('a feed', options, OPTIONS);
    requireFrameSeconds(options.frameSeconds, 'frameSeconds');
    const link: { host?: FeedHost } = {};
    super(
      (message) => link.host?.receive(message),
      async () => undefined,
      true,
    );
    const send = (message: FromSimulation): void => this.receive(message);
    this.host = new FeedHost(options, nowMillis, send, undefined, filled, pageBytes);
    link.host = this.host;
    build(this.host);
    this.host.start(overlays);
  }

  publish(timeSeconds: number): boolean {
    return this.host.publish(timeSeconds);
  }

  say(text: string, level: SimMessage['level'] = 'normal'): void {
    this.host.say(text, level);
  }

  override get playback(): PlaybackState | undefined {
    return this.host.playback;
  }

  freeze(): void {
    this.host.freeze();
  }

  finish(reason: string): void {
    this.host.finish(reason);
  }
}
