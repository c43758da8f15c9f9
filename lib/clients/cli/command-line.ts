// Parses the command line of a client command, and prints its help.
import { Command, CommanderError } from 'commander';
import { UsageError } from './usage.js';

export interface CommandLine {
  readonly name: string;
  /** What it takes besides options. */
  readonly takes: string;
  readonly about: string;
  /** Flags as help shows them, and what they are for. */
  readonly options: readonly (readonly [flags: string, about: string])[];
}

/** What was given: options by name, and the words. */
export interface GivenLine {
  readonly values: Readonly<Record<string, string | boolean | undefined>>;
  readonly words: readonly string[];
}

/** Undefined when the user has asked for help, which is printed then. Throws a UsageError with one sentence. */
export function parseLine(
  { name, takes, about, options }: CommandLine,
  args: readonly string[],
): GivenLine | undefined {
  const command = new Command(`varwire ${name}`)
    .usage(`${takes} [options]`.trim())
    .description(about)
    .argument('[words...]')
    .helpOption('-h, --help', 'this text')
    .exitOverride()
    .configureOutput({ writeErr: () => undefined });
  for (const [flags, text] of options) command.option(flags, text);
  try {
    command.parse(args.map(guarded), { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.code === 'commander.helpDisplayed') return undefined;
    throw new UsageError(`${sentenceOf(error.message)}; varwire ${name} --help lists the options`);
  }
  return { values: command.opts(), words: command.args.map(unguarded) };
}

/** Words such as -1.5 are values, which a blank keeps from being taken for options. */
const guarded = (word: string): string => (/^-(\d|\.\d|inf)/.test(word) ? ` ${word}` : word);
const unguarded = (word: string): string => word.replace(/^ -/, '-');

const sentenceOf = (message: string): string =>
  message.replace(/^error: (.)/, (_, first: string) => first.toUpperCase()).replace(/\n.*/s, '');

/** The text of an option; undefined when it is not given. */
export const textOf = ({ values }: GivenLine, name: string): string | undefined => {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
};

/** The words of an option that takes several; none when it is not given. */
export const wordsOf = ({ values }: GivenLine, name: string): readonly string[] => {
  const value: unknown = values[name];
  return Array.isArray(value) ? value : [];
};
