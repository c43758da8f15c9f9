// The messages in an MCAP file, as varwire and Foxglove write them.
import { MARKS, type RecordedMark } from '../../simulation/recording/mcap-file.js';
import { fieldsOf } from '../../simulation/recording/protobuf.js';

export const LOG_SCHEMA = 'foxglove.Log';

/** A message of what was recorded. */
export interface RecordedMessage {
  /** By the time of the recording. */
  readonly seconds: number;
  readonly level: 'debug' | 'normal' | 'warning' | 'error';
  readonly text: string;
  /** What has happened, if it is more than a message. */
  readonly mark?: RecordedMark;
}

const [MOST_MESSAGES, MOST_TEXT_BYTES] = [10_000, 4096];
/** By foxglove.Log.Level. */
const LEVELS = ['normal', 'debug', 'normal', 'warning', 'error', 'error'] as const;
const FIELDS = { level: 2, message: 3, name: 4 };

export class McapLog {
  channelId: number | undefined;
  /** The first ones, in the order of the file. */
  readonly messages: RecordedMessage[] = [];
  /** Where the last one stands: a file is read again from several places. */
  private last: readonly [offset: number, index: number] = [-1, 0];

  take(
    offset: number,
    index: number,
    { logTime, data }: { readonly logTime: bigint; readonly data: Uint8Array },
  ): void {
    const [lastOffset, lastIndex] = this.last;
    if (offset < lastOffset || (offset === lastOffset && index <= lastIndex)) return;
    this.last = [offset, index];
    if (this.messages.length >= MOST_MESSAGES) return;
    let level: RecordedMessage['level'] = 'normal';
    let text = '';
    let mark: RecordedMark | undefined;
    for (const { number, value, bytes } of fieldsOf(data)) {
      if (number === FIELDS.level) level = LEVELS[Number(value)] ?? 'normal';
      if (number === FIELDS.message) text = Buffer.from(bytes.subarray(0, MOST_TEXT_BYTES)).toString();
      if (number === FIELDS.name) mark = MARKS.find((each) => Buffer.from(each).equals(bytes));
    }
    this.messages.push({ seconds: Number(logTime) / 1e9, level, text, ...(mark && { mark }) });
  }
}
