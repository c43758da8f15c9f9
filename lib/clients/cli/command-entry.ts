// What the command knows of each of its commands.

export type CommandFunction = (args: readonly string[]) => Promise<void>;

export interface CommandEntry {
  readonly name: string;
  readonly takes: string;
  readonly about: string;
  /** Loaded when it is called: help is fast, and a client command loads no server. */
  readonly load: () => Promise<CommandFunction>;
}
