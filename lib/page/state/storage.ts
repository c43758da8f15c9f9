// What the page keeps in the browser: per simulation, so that two simulations at one address do not mix.

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
  ) {}

  /** Undefined when there is nothing, or nothing that can be read. */
  read(name: string): unknown {
    try {
      return JSON.parse(this.texts.getItem(this.keyOf(name)) ?? 'null') ?? undefined;
    } catch {
      return undefined;
    }
  }

  /** False when the browser does not keep it: its storage is full or switched off. */
  write(name: string, value: unknown): boolean {
    try {
      if (value === undefined) this.texts.removeItem(this.keyOf(name));
      else this.texts.setItem(this.keyOf(name), JSON.stringify(value));
      return true;
    } catch {
      return false;
    }
  }

  private keyOf(name: string): string {
    return `varwire ${this.simulation} ${name}`;
  }
}
