// What has changed in a state's catalog, version by version.
/** After more changes than these, the whole catalog is sent instead. */
const LONGEST_JOURNAL = 8192;

export interface Entry {
  readonly version: number;
  readonly name: string;
  readonly isRemoved: boolean;
}

export class Journal {
  private entries: Entry[] = [];
  /** Changes after this version are known. */
  private sinceVersion = 0;

  note(version: number, name: string, isRemoved = false): void {
    if (this.entries.length >= LONGEST_JOURNAL) this.forget();
    this.entries.push({ version, name, isRemoved });
  }

  /** Changes after a version; undefined when they are not known any more. */
  since(version: number): readonly Entry[] | undefined {
    if (version < this.sinceVersion) return undefined;
    let first = this.entries.length;
    while (first > 0 && (this.entries[first - 1] as Entry).version > version) first--;
    return this.entries.slice(first);
  }

  private forget(): void {
    const half = this.entries.length >> 1;
    this.sinceVersion = (this.entries[half - 1] as Entry).version;
    this.entries = this.entries.slice(half);
  }
}
