// All simulations at a NATS server side by side: those that are there, and those that come.
import { setTimeout as wait } from 'node:timers/promises';
import { LIMITS } from '../../model/bounds/limits.js';
import type { Overlay } from '../../simulation/executive/overlay.js';
import { EdgeSource } from './edge-source.js';
import { connectByNats, connectNats, followRefusals, hearHellos, type NatsLink, shown } from './nats.js';
import { SideBySide } from './side-by-side.js';

const MOST = LIMITS.sideBySide.all;
/** Of others no more are heard. */
const MOST_KNOWN = 1000;
/** A simulation says every 2 seconds that it is there. */
const FIND_MILLIS = 3000;
/** So long those that are there have to show themselves, after that. */
const SHOW_MILLIS = 5000;
/** One that does not show itself is asked again when it is heard after so long. */
const AGAIN_MILLIS = 10_000;
/** After one that has not shown itself, so that false ones take little of what the others need. */
const PAUSE_MILLIS = 100;
const STAYING = { reconnect: true, maxReconnectAttempts: -1, reconnectTimeWait: 2000 } as const;

export class AllByNats extends SideBySide {
  /** Those that are shown or wait for it, and for a while those that have failed. */
  private readonly known = new Set<string>();
  /** Of those that have failed. */
  private readonly told = new Set<string>();
  private readonly pauses = new Set<NodeJS.Timeout>();
  /** One is opened after the other. */
  private opening: Promise<void> = Promise.resolve();
  private isClosed = false;

  /** Resolves when those that are there are shown. Rejects with one sentence. */
  static async open(url: string, overlays: readonly Overlay[]): Promise<AllByNats> {
    const link = await connectNats(url, STAYING);
    const all = new AllByNats(url, link, overlays);
    try {
      await Promise.race([all.refused(), after(FIND_MILLIS)]);
      await Promise.race([all.opening, after(SHOW_MILLIS)]);
    } catch (error) {
      await all.close();
      throw error;
    }
    if (all.alone.size === 0)
      all.host.say(`no simulation is at ${link.address} yet; those that come are shown`, 'warning');
    return all;
  }

  private constructor(
    private readonly url: string,
    private readonly link: NatsLink,
    overlays: readonly Overlay[],
  ) {
    super([], overlays);
    hearHellos(
      link,
      (name) => !this.known.has(name),
      ({ name }) => this.heard(name),
    );
  }

  override async close(): Promise<void> {
    this.isClosed = true;
    for (const pause of this.pauses) clearTimeout(pause);
    await this.link.connection.close().catch(() => undefined);
    await super.close();
  }

  /** Rejects with the first refusal; later ones are said. */
  private refused(): Promise<never> {
    return new Promise((_, reject) => {
      void followRefusals(this.link, (text) => {
        const sentence = `the NATS server at ${this.link.address} refuses: ${text}`;
        reject(new Error(sentence));
        this.host.say(sentence, 'error');
      });
    });
  }

  private heard(name: string): void {
    if (this.known.size === MOST_KNOWN) return;
    this.known.add(name);
    this.opening = this.opening.then(() => this.show(name));
  }

  private async show(name: string): Promise<void> {
    if (this.isClosed) return;
    let source: EdgeSource | undefined;
    try {
      if (this.alone.size === MOST) throw new Error(`an edge shows at most ${MOST} simulations`);
      source = await EdgeSource.open({
        address: `${name} at ${shown(this.url)}`,
        connect: connectByNats(this.url, name),
      });
      if (this.isClosed) await source.close();
      else this.join(name, source);
    } catch (error) {
      await source?.close();
      this.say(name, (error as Error).message);
      this.forgetLater(name);
      await after(PAUSE_MILLIS);
    }
  }

  private forgetLater(name: string): void {
    const pause = setTimeout(() => {
      this.pauses.delete(pause);
      this.known.delete(name);
    }, AGAIN_MILLIS);
    this.pauses.add(pause);
  }

  /** Once of each, as it is heard again and again. */
  private say(name: string, why: string): void {
    if (this.told.has(name) || this.told.size === MOST_KNOWN) return;
    this.told.add(name);
    this.host.say(`${name} is not shown: ${why}`, 'warning');
  }
}

const after = (millis: number): Promise<unknown> => wait(millis, undefined, { ref: false });
