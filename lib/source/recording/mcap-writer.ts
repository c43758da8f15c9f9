// Writes recordings as MCAP, as the recorder does.
import { McapFile } from '../../simulation/recording/mcap-file.js';
import type { Column, Row } from '../../simulation/recording/row.js';

export function writeMcap(columns: readonly Column[], rows: Iterable<Row>, write: (bytes: Uint8Array) => void): void {
  const file = new McapFile(columns);
  write(file.start({}));
  for (const row of rows) {
    const bytes = file.add(row);
    if (bytes.length > 0) write(bytes);
  }
  write(file.end());
}
