// What a varwire server lists, such as its events: as aligned columns, as JSON or as comma-separated values.
import { CONNECTION_OPTIONS, jsonClient, OUTPUT_OPTIONS } from './client-options.js';
import { type CommandLine, type GivenLine, parseLine } from './command-line.js';
import type { JsonClient } from './json-client.js';
import { csvLine, outputForm } from './rows.js';
import { splitServer } from './server-name.js';
import { jsonText, printable } from './value-text.js';

const ONLY_VARWIRE = "Uses JSON-RPC, which NASA's Trick does not speak.";

/** A command line that asks a varwire server. */
export const asking = (line: Omit<CommandLine, 'options'>, options: CommandLine['options'] = []): CommandLine => ({
  ...line,
  about: `${line.about} ${ONLY_VARWIRE}`,
  options: [...options, ...OUTPUT_OPTIONS, ...CONNECTION_OPTIONS],
});

export interface AskedServer {
  readonly given: GivenLine;
  readonly client: JsonClient;
  /** The words after the server. */
  readonly words: readonly string[];
}

/** Undefined when the user has asked for help. Throws a UsageError. */
export function askedServer(line: CommandLine, args: readonly string[], advice: string): AskedServer | undefined {
  const given = parseLine(line, args);
  if (!given) return undefined;
  const [server, ...words] = splitServer(given.words, advice);
  return { given, client: jsonClient(server, given), words };
}

/** The columns of a table: what stands above each, and its text of a row. */
export type Columns<Row> = Readonly<Record<string, (row: Row) => string>>;

/** As JSON the rows are as they came. */
export function tableText<Row>(given: GivenLine, rows: readonly Row[], columns: Columns<Row>): string {
  const form = outputForm(given);
  if (form === 'json') return jsonText(rows, 2);
  const names = Object.keys(columns);
  const cells = rows.map((row) => Object.values(columns).map((textOf) => textOf(row)));
  if (form === 'csv') return [names, ...cells].map(csvLine).join('\n');
  const lines = [names.map((name) => name.toUpperCase()), ...cells.map((texts) => texts.map(printable))];
  const widths = names.map((_, index) => Math.max(...lines.map((texts) => texts[index]?.length ?? 0)));
  const padded = lines.map((texts) =>
    texts
      .map((text, index) => text.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return padded.join('\n');
}

/** Simulation time in seconds; empty where there is none. */
export const secondsText = (seconds: number | null): string => (seconds === null ? '' : String(seconds));
