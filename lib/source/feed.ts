// A source that is not a simulation: data from elsewhere, shown in a frame whenever their owner says so.
import { performance } from 'node:perf_hooks';
import { requireFrameSeconds } from '../executive/executive.js';
import type { Overlay } from '../executive/overlay.js';
import type { ObjectHandle, ObjectOptions } from '../model/state.js';
import { FeedHost, type FeedOptions } from './feed-host.js';
import { RemoteSource } from './remote-source.js';
import type { SimMessage, Source } from './source.js';

/** What a feed is given to build itself with, and may use later on, too. */
export interface FeedObjects {
  object(name: string, options?: ObjectOptions): ObjectHandle;
  removeObject(name: string): void;
}

/** A source whose owner says when there is something new. */
export interface Feed extends Source {
  /**
   * Shows what the variables hold now, at a time in seconds from 0 up, which may go back. Returns false once the feed has
   * ended or been closed. Throws a RangeError for what is no time, and what a mirror's getter throws.
   */
  publish(timeSeconds: number): boolean;
  /** Says something to the operator and to message clients. */
  say(text: string, level?: SimMessage['level']): void;
  /** Ends the feed; what it shows last says so. */
  finish(reason: string): void;
}

export class FeedSource extends RemoteSource implements Feed {
  private readonly host: FeedHost;

  /** Builds the feed and shows its first frame, at time 0. Throws what `build` throws. */
  constructor(
    options: FeedOptions,
    build: (objects: FeedObjects) => void,
    overlays: readonly Overlay[],
    nowMillis: () => number = () => performance.now(),
  ) {
    requireFrameSeconds(options.frameSeconds, 'frameSeconds');
    const link: { host?: FeedHost } = {};
    super(
      (message) => link.host?.receive(message),
      async () => undefined,
      true,
    );
    this.host = new FeedHost(options, nowMillis, (message) => this.receive(message));
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

  finish(reason: string): void {
    this.host.finish(reason);
  }
}
