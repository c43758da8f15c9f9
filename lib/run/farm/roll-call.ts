// Who is heard again and again. While the server does not answer nobody is silent.
import { setTimeout as wait } from 'node:timers/promises';

/** Others are not heard. */
const MOST_NAMES = 10_000;
/** Who was not heard in so many looks is gone. */
const MOST_LOOKS = 10;

export class RollCall<Facts> {
  private readonly present = new Map<string, { readonly facts: Facts; silentLooks: number }>();
  private readonly gone = new Set<string>();

  /** @param answers whether the server answers soon, once what it has sent before has been heard. */
  constructor(
    private readonly goneAfterMillis: number,
    private readonly answers: () => Promise<boolean>,
  ) {}

  get size(): number {
    return this.present.size;
  }

  has(name: string): boolean {
    return this.present.has(name);
  }

  /** What those who are there have said last. */
  get all(): readonly Facts[] {
    return [...this.present.values()].map(({ facts }) => facts);
  }

  /** Whether it was gone, and is there again. */
  hear(name: string, facts: Facts): boolean {
    if (this.has(name) || this.size < MOST_NAMES) this.present.set(name, { facts, silentLooks: 0 });
    return this.gone.delete(name);
  }

  forget(name: string): void {
    this.present.delete(name);
  }

  /** Those that are gone since the look before, after a while; none at the signal. */
  async look(over: AbortSignal): Promise<(readonly [name: string, facts: Facts])[]> {
    await wait(this.goneAfterMillis / MOST_LOOKS, undefined, { signal: over }).catch(() => undefined);
    const isAnswered = await this.answers();
    if (over.aborted) return [];
    const silent = [...this.present].filter(([, who]) => {
      who.silentLooks = isAnswered ? who.silentLooks + 1 : 0;
      return who.silentLooks > MOST_LOOKS;
    });
    for (const [name] of silent) {
      this.present.delete(name);
      if (this.gone.size < MOST_NAMES) this.gone.add(name);
    }
    return silent.map(([name, { facts }]) => [name, facts]);
  }
}
