// The writes of all clients to a simulation elsewhere. Many go there together, so that one who writes without end keeps no
// other one waiting.
import type { SettingElsewhere } from './settings.js';

/** So many values are set together. */
const MOST_AT_ONCE = 1000;
/** Of requests of more, one goes with the short ones. */
const MOST_OF_SHORT = 10;

interface Waiting {
  readonly settings: readonly SettingElsewhere[];
  readonly named: Named;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Resolves to why each was not set, in their order, when frames show all others. */
export type SetAll = (settings: readonly SettingElsewhere[]) => Promise<readonly (Error | undefined)[]>;

export class Writes {
  private waiting: Waiting[] = [];
  private isWriting = false;

  constructor(private readonly setAll: SetAll) {}

  /** Resolves when frames show the values. Rejects with why the first of those that were not set was not. */
  write(settings: readonly SettingElsewhere[]): Promise<void> {
    const last = [...new Map(settings.map((setting) => [setting.path, setting])).values()];
    return new Promise((resolve, reject) => {
      this.waiting.push({ settings: last, named: new Named().add({ settings: last }), resolve, reject });
      void this.work();
    });
  }

  private async work(): Promise<void> {
    if (this.isWriting) return;
    this.isWriting = true;
    while (this.waiting.length > 0) await this.setSome(this.next());
    this.isWriting = false;
  }

  private async setSome(some: readonly Waiting[]): Promise<void> {
    try {
      const errors = await this.setAll(some.flatMap(({ settings }) => settings));
      let done = 0;
      for (const { settings, resolve, reject } of some) {
        const error = errors.slice(done, done + settings.length).find((one) => one !== undefined);
        done += settings.length;
        if (error) reject(error);
        else resolve();
      }
    } catch (error) {
      for (const { reject } of some) reject(error);
    }
  }

  /** Short requests, and one long one; what sets the same as one before it waits for that. */
  private next(): Waiting[] {
    const short = new Named();
    const long: Waiting[] = [];
    const taken = new Set<Waiting>();
    let count = 0;
    for (const one of this.waiting) {
      if (count >= MOST_AT_ONCE) break;
      const isLong = one.settings.length > MOST_OF_SHORT;
      const mayGo = !isLong || long.length === 0;
      if (mayGo && !short.meets(one) && !long.some(({ named }) => named.meets(one))) {
        taken.add(one);
        if (!isLong) count += one.settings.length;
      }
      if (isLong) long.push(one);
      else short.add(one);
    }
    this.waiting = this.waiting.filter((one) => !taken.has(one));
    return [...taken];
  }
}

/** What is set, and what it is an element of. */
class Named {
  private readonly set = new Set<string>();
  private readonly around = new Set<string>();

  add({ settings }: Pick<Waiting, 'settings'>): this {
    for (const { path } of settings) {
      this.set.add(path);
      for (const array of arraysAround(path)) this.around.add(array);
    }
    return this;
  }

  /** Whether something of it is set here too. */
  meets({ settings }: Waiting): boolean {
    return settings.some(
      ({ path }) =>
        this.set.has(path) || this.around.has(path) || arraysAround(path).some((array) => this.set.has(array)),
    );
  }
}

/** `a.b` and `a.b[1].c` of `a.b[1].c[2]`. */
const arraysAround = (path: string): string[] => [...path.matchAll(/\[/g)].map(({ index }) => path.slice(0, index));
