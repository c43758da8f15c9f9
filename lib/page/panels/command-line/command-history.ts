// What was typed into a command line before, as the arrows up and down bring it back.

const MOST_COMMANDS = 200;

export class CommandHistory {
  private readonly kept: string[];
  /** Index of the command that is shown; the length when it is the one being typed. */
  private place: number;
  private draft = '';

  constructor(commands: readonly string[] = []) {
    this.kept = commands.slice(-MOST_COMMANDS);
    this.place = this.kept.length;
  }

  get commands(): readonly string[] {
    return this.kept;
  }

  /** Remembers a command that was run; the same one twice in a row counts once. */
  add(command: string): void {
    if (command.trim() !== '' && this.kept.at(-1) !== command) this.kept.push(command);
    if (this.kept.length > MOST_COMMANDS) this.kept.shift();
    this.place = this.kept.length;
    this.draft = '';
  }

  /** The command before (-1) or after (1) the one that is shown; what was being typed waits at the end. */
  move(by: -1 | 1, shown: string): string | undefined {
    const place = this.place + by;
    if (place < 0 || place > this.kept.length) return undefined;
    if (this.place === this.kept.length) this.draft = shown;
    this.place = place;
    return this.kept[place] ?? this.draft;
  }
}

export interface Completion {
  readonly start: number;
  readonly end: number;
  readonly items: readonly { readonly text: string; readonly kind: string; readonly about: string }[];
}

/** The text with an item put in, and where the cursor then stands. */
export function completed(text: string, { start, end }: Completion, item: string): { text: string; cursor: number } {
  return { text: `${text.slice(0, start)}${item}${text.slice(end)}`, cursor: start + item.length };
}

/** What all items begin with, if that is more than was typed: Tab puts it in before anyone has to choose. */
export function sharedStart({ items }: Completion): string {
  const [first, ...others] = items.map(({ text }) => text);
  let length = first?.length ?? 0;
  for (const other of others) {
    while (length > 0 && !other.startsWith((first as string).slice(0, length))) length--;
  }
  return (first ?? '').slice(0, length);
}
