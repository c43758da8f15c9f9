// What a simulation elsewhere sends by itself: what readers hold, as often as they need it.
import { performance } from 'node:perf_hooks';
import type { PageMap } from '../../model/frame/page-map.js';
import type { Catalog } from '../../model/state/catalog.js';
import type { MomentElsewhere } from '../feed-host.js';
import { Asked, frameMultiple } from './asked.js';
import { COUNTERS } from './moment.js';
import type { Placed } from './placed.js';
import type { ShownObjects } from './shown.js';
import type { TrickEndList } from './trick-end.js';

/** What nobody reads any longer is asked for until then: who has read once often reads again. */
const LINGER_MILLIS = 2000;

/** What decides about it. */
interface Readers {
  /** The pages that readers hold; undefined before the first frame. */
  readonly wanted: PageMap | undefined;
  readonly catalog: Pick<Catalog, 'arenaBytes'>;
  /** Seconds from one value to the next that somebody reads. */
  readonly cycles: Iterable<number>;
  readonly moment: Pick<MomentElsewhere, 'frameSeconds'>;
  /** Resolves when containers, which the simulation does not send by itself, have been read. */
  readonly read: (containers: readonly Placed[]) => Promise<void>;
}

export class Asking {
  private now: Asked;
  private names: readonly string[] = [];
  /** In every how many frames it is sent. */
  private multiple = 1;
  private askedMillis = 0;
  /** What the simulation has been told, until it has taken it. */
  private asking: Promise<void> | undefined;

  constructor(
    private readonly shown: ShownObjects,
    private readonly readers: Readers,
  ) {
    this.now = shown.nothing;
  }

  get asked(): Asked {
    return this.now;
  }

  /** In every how many frames an update comes. */
  get frameMultiple(): number {
    return this.multiple;
  }

  get isChanging(): boolean {
    return this.asking !== undefined;
  }

  /** Whether an update is of what is asked for now; others were on their way. */
  isOf(names: readonly string[]): boolean {
    return names === this.names;
  }

  /** Nothing has been asked for: there is another connection, or other objects are shown. */
  forget(): void {
    this.now = this.shown.nothing;
    this.names = [];
  }

  /** Asks for what readers hold now, one change after the other. */
  async ask(list: TrickEndList, isAnew = false): Promise<void> {
    while (this.asking) await this.asking.catch(() => undefined);
    const next = this.next(isAnew);
    if (!next) return;
    const multiple = this.multipleFor(next);
    this.asking = this.change(list, next, multiple).finally(() => {
      this.asking = undefined;
    });
    await this.asking;
  }

  private async change(list: TrickEndList, next: Asked, multiple: number): Promise<void> {
    const { places } = this.shown;
    await this.readers.read(next.containers);
    const names = await list.ask([...COUNTERS, ...next.names], multiple);
    // Other objects may be shown by now.
    if (places !== this.shown.places) return;
    this.names = names;
    this.now = next;
    this.multiple = multiple;
    this.askedMillis = performance.now();
  }

  /** What is to be asked for; undefined for what is asked for already. */
  private next(isAnew: boolean): Asked | undefined {
    const { now, shown } = this;
    const { wanted, catalog } = this.readers;
    if (!wanted) return undefined;
    const cycle = this.multipleFor(now);
    if (!isAnew && cycle === this.multiple && wanted.equals(now.wanted)) return undefined;
    const next = new Asked(shown.places, catalog.arenaBytes, wanted.copyOfMarks());
    const isLess = cycle >= this.multiple && now.includes(next);
    return isAnew || !isLess || performance.now() - this.askedMillis > LINGER_MILLIS ? next : undefined;
  }

  private multipleFor({ names }: Asked): number {
    const { cycles, moment } = this.readers;
    return frameMultiple(cycles, moment.frameSeconds, names.length + COUNTERS.length);
  }
}
