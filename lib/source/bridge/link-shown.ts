// Whether there is a connection to the simulation, in variables of every frame: clients of each language can read them.
import { bool, double } from '../../model/state/declare.js';
import type { FeedHost } from '../feed-host.js';

/** Trick has a frame of a freeze as often. */
const TELL_EVERY_MILLIS = 1000;

export class LinkShown {
  private readonly connected: { value: boolean };
  private readonly age: { value: number };
  private timer: NodeJS.Timeout | undefined;

  constructor(host: FeedHost) {
    const object = host.object('trick_bridge');
    const about = 'whether the values are those of the simulation now';
    this.connected = object.component('connected', bool({ about, access: 'read-only' }), true);
    this.age = object.component('age', double({ units: 's', about: 'how old the values are', access: 'read-only' }));
  }

  /** @param publish shows in a frame how old the values are, again and again. */
  lost(heardMillis: number, publish: () => void): void {
    this.found();
    this.connected.value = false;
    const tell = (): void => {
      this.age.value = Math.max(0, Date.now() - heardMillis) / 1000;
      publish();
    };
    this.timer = setInterval(tell, TELL_EVERY_MILLIS);
    tell();
  }

  /** The next frame shows that there is a connection. */
  found(): void {
    clearInterval(this.timer);
    this.connected.value = true;
    this.age.value = 0;
  }
}
