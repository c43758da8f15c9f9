// GET /recordings/FILE: a recording as a download, as far as it is written, and no other file.

import type { FileHandle } from 'node:fs/promises';
import { LIMITS } from '../../model/bounds/limits.js';
import { NetworkCounts } from '../../serving/network/network-counts.js';
import type { Clock } from '../../serving/scheduling/clock.js';
import { hostOf } from '../../serving/transport/address.js';
import type { Admission } from '../../serving/transport/front-end.js';
import type { HttpExchange } from '../../serving/transport/http-exchange.js';
import { openIn } from '../../simulation/files/run-listing.js';
import { sendFile } from './file-stream.js';

export const RECORDINGS_PATH = '/recordings/';

/** Downloads at a time, of all clients together; an address may have as many as it leaves free for others. */
const MOST_DOWNLOADS = LIMITS.downloads.all;

const TYPES = { csv: 'text/csv; charset=utf-8', txt: 'text/plain; charset=utf-8', trk: 'application/octet-stream' };
const TEXT_TYPE = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };

export interface RecordingName {
  readonly name: string;
  readonly format: 'csv' | 'txt' | 'trk';
}

/** The recording that a file's name belongs to; undefined for any other file. */
export function recordingIn(file: string): RecordingName | undefined {
  const [, name, format] = /^log_([A-Za-z0-9_][A-Za-z0-9_.-]{0,99})\.(csv|txt|trk)$/.exec(file) ?? [];
  return name === undefined ? undefined : { name, format: format as 'csv' | 'txt' | 'trk' };
}

export class RecordingDownloads {
  readonly counts = new NetworkCounts((ofNetwork, ofAll) => ofNetwork <= MOST_DOWNLOADS - ofAll);

  constructor(
    private readonly directory: () => string,
    private readonly clock: Clock,
  ) {}

  /** Answers a request for a path below RECORDINGS_PATH. */
  async answer(exchange: HttpExchange, { headers }: Pick<Admission, 'headers'>): Promise<void> {
    const name = exchange.path.slice(RECORDINGS_PATH.length);
    const recording = recordingIn(name);
    const say = (status: number, sentence: string) =>
      exchange.respond(status, { ...TEXT_TYPE, ...headers }, `${sentence}\n`);
    const address = hostOf(exchange.peer);
    // Counted before the file is opened: many may be asked for at once.
    const { counts } = this;
    if (!counts.take(address)) {
      const own = counts.of(address);
      return void say(503, `${counts.held} recordings are being fetched already, ${own} of them by this address`);
    }
    try {
      const file = recording && (await openIn(this.directory(), name));
      if (recording && file) await this.answerWith(file, recording, exchange, headers);
      else say(404, `there is no recording ${JSON.stringify(name.slice(0, 100))}; recording/list lists them`);
    } finally {
      counts.give(address);
    }
  }

  private async answerWith(
    file: FileHandle,
    { name, format }: RecordingName,
    exchange: HttpExchange,
    headers: Admission['headers'],
  ): Promise<void> {
    try {
      const { size } = await file.stat();
      const stream = exchange.stream(200, {
        ...headers,
        'content-type': TYPES[format],
        'content-length': size,
        'content-disposition': `attachment; filename="log_${name}.${format}"`,
        'cache-control': 'no-store',
      });
      await sendFile(file, size, stream, this.clock);
    } finally {
      await file.close();
    }
  }
}
