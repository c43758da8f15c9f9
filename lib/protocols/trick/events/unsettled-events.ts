// Events of the operator that have changed since the simulation, which waits at their times, was told of them.
import type { TrickEvent } from './event.js';

export class UnsettledEvents {
  /** Whether each begins anew. */
  private readonly events = new Map<TrickEvent, boolean>();

  add(event: TrickEvent, isAnew = this.events.get(event) ?? false): void {
    if (event.owner === '') this.events.set(event, isAnew);
  }

  /** Takes those of which the simulation can be told now. */
  *take(mayTell: (event: TrickEvent) => boolean): Iterable<readonly [event: TrickEvent, isAnew: boolean]> {
    for (const [event, isAnew] of this.events) {
      if (!mayTell(event)) continue;
      this.events.delete(event);
      yield [event, isAnew];
    }
  }
}
