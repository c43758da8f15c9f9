// A client that stays for a whole soak: each of its messages is checked, and none may be missing without a reason.
import { demand } from '../demand.js';
import type { Succession } from './ball-course.js';
import type { Logbook } from './logbook.js';

/** Where simulation time is. */
export interface Moment {
  /** How often time has gone back. */
  readonly returns: number;
  /** Of `trick_sys.sched`. */
  readonly frameCount: number;
}

export interface Watcher {
  readonly name: string;
  readonly succession: Succession;
  /** Resolves when it has got the values of that moment, or of a later one. */
  upTo(moment: Moment): Promise<void>;
  drop(): void;
}

/** What a look asks the server. */
export interface Looked {
  /** How many frames and cycles it has left out so far for lack of time. */
  readonly leftOut: () => Promise<number>;
  readonly moment: () => Promise<Moment>;
}

/** What is not in the messages of some watchers, compared with what the server says it has left out. */
export class Completeness {
  private readonly missing = new Map<Watcher, number>();
  private leftOut = 0;

  constructor(
    private readonly watchers: readonly Watcher[],
    private readonly server: Looked,
    private readonly logbook: Logbook,
  ) {}

  /**
   * Throws when a watcher has missed more since the last look than the server has left out.
   * @param isFast whether the simulation has run as fast as possible meanwhile: it then makes more than a client can take.
   */
  async look(isFast: boolean): Promise<void> {
    const { watchers, server, logbook } = this;
    // What is left out from now on may be missing in messages that come after this look.
    const leftOutBefore = await server.leftOut();
    const moment = await server.moment();
    await Promise.all(watchers.map((watcher) => watcher.upTo(moment)));
    const missed = watchers.map((watcher) => [watcher.name, this.missedBy(watcher)] as const);
    const leftOut = (await server.leftOut()) - this.leftOut;
    this.leftOut = leftOutBefore;
    for (const [name, count] of missed) {
      if (isFast) logbook.did(`missed by ${name} when fast`, count);
      else logbook.did(`missed by ${name}`, count);
      demand(
        isFast || count <= leftOut,
        `${name}: ${count} messages are missing, and the server has left out ${leftOut}`,
      );
    }
  }

  private missedBy(watcher: Watcher): number {
    const { missing } = watcher.succession;
    const before = this.missing.get(watcher) ?? 0;
    this.missing.set(watcher, missing);
    return missing - before;
  }
}
