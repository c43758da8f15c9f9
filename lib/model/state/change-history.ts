// Which objects have changed in the last versions of a catalog.

/** The most versions that are remembered, and the most names in all of them. */
const MOST_VERSIONS = 1000;
const MOST_NAMES = 10_000;

interface Step {
  readonly from: number;
  readonly names: readonly string[];
}

export class ChangeHistory {
  /** By the version that a step leads to, the oldest first. */
  private readonly steps = new Map<number, Step>();
  private nameCount = 0;

  /** Adds the step from one version to the next. */
  add(from: number, version: number, names: readonly string[]): void {
    if (version <= from) return;
    this.steps.set(version, { from, names });
    this.nameCount += names.length;
    for (const [oldest, step] of this.steps) {
      if (this.steps.size <= MOST_VERSIONS && this.nameCount <= MOST_NAMES) return;
      this.steps.delete(oldest);
      this.nameCount -= step.names.length;
    }
  }

  /**
   * The names that changed after one version up to another; undefined when not all steps are known, or when there are
   * more than `most`.
   */
  between(first: number, last: number, most = MOST_NAMES): ReadonlySet<string> | undefined {
    const names = new Set<string>();
    for (let version = last; version !== first; ) {
      const step = this.steps.get(version);
      if (!step) return undefined;
      for (const name of step.names) names.add(name);
      if (names.size > most) return undefined;
      version = step.from;
    }
    return names;
  }
}
