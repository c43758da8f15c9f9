// What the page keeps in the browser: per simulation, so that two simulations at one address do not mix, the layout per tab too.

/** The part of the browser's storage that is used. */
export interface KeptTexts {
  getItem(key: string): string | null;
  setItem(key: string, text: string): void;
  removeItem(key: string): void;
}

export class Kept {
  constructor(
    private readonly texts: KeptTexts,
    private readonly simulation: string,
    /** That of the tab alone, so that no tab changes the layout of another; a new tab begins with the latest of all. */
    private readonly own?: KeptTexts,
  ) {}

  private storagesOf(name: string): readonly KeptTexts[] {
    return this.own && name === 'layout' ? [this.own, this.texts] : [this.texts];
  }

  /** Undefined when there is nothing, or nothing that can be read. */
  read(name: string): unknown {
    for (const texts of this.storagesOf(name)) {
      try {
        const text = texts.getItem(this.keyOf(name));
        if (text !== null) return JSON.parse(text) ?? undefined;
      } catch {
        // Another may have it.
      }
    }
    return undefined;
  }

  /** False when the browser does not keep it: its storage is full or switched off. */
  write(name: string, value: unknown): boolean {
    try {
      for (const texts of this.storagesOf(name)) {
        if (value === undefined) texts.removeItem(this.keyOf(name));
        else texts.setItem(this.keyOf(name), JSON.stringify(value));
      }
      return true;
    } catch {
      return false;
    }
  }

  private keyOf(name: string): string {
    return `varwire ${this.simulation} ${name}`;
  }
}
