// Writes recordings as MCAP, as the recorder does, with what was said meanwhile.
import { McapFile, type McapOptions } from '../../simulation/recording/mcap-file.js';
import type { Column, Row } from '../../simulation/recording/row.js';
import type { RecordedMessage } from './mcap-log.js';

/** What a form may have of a recording. */
export interface Written {
  readonly columns: readonly Column[];
  readonly rows: Iterable<Row>;
  readonly messages: readonly RecordedMessage[];
  readonly facts: Readonly<Record<string, string>>;
}

export function writeMcap(
  { columns, rows, messages, facts }: Written,
  write: (bytes: Uint8Array) => void,
  options: McapOptions,
): void {
  const file = new McapFile(columns, { ...options, hasLog: messages.length > 0 });
  const put = (bytes: Uint8Array): void => {
    if (bytes.length > 0) write(bytes);
  };
  put(file.start(facts));
  for (const row of rows) put(file.add(row));
  // In a chunk of their own, which is not compressed.
  put(file.endChunk());
  for (const { seconds, level, text, mark } of messages) put(file.say(seconds, level, text, mark));
  put(file.end());
}
