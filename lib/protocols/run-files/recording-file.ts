// GET /recordings/FILE: a recording as a download, as far as it is written, and no other file.

import type { FileHandle } from 'node:fs/promises';
import { LIMITS } from '../../model/bounds/limits.js';
import { NetworkCounts } from '../../serving/network/network-counts.js';
import type { Clock } from '../../serving/scheduling/clock.js';
import { hostOf } from '../../serving/transport/address.js';
import type { Admission } from '../../serving/transport/front-end.js';
import type { HttpExchange, HttpStream } from '../../serving/transport/http-exchange.js';
import { openIn } from '../../simulation/files/run-listing.js';

export const RECORDINGS_PATH = '/recordings/';

/** Downloads at a time, of all clients together; an address may have as many as it leaves free for others. */
const MOST_DOWNLOADS = LIMITS.downloads.all;
/** Bytes that are read at a time, and how many may wait for the client. */
const PIECE_BYTES = 64 * 1024;
const AHEAD_BYTES = 256 * 1024;
/** How long a client may take nothing. */
const PATIENCE_MILLIS = 60_000;

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
      if (recording && file) await this.sendFile(file, recording, exchange, headers);
      else say(404, `there is no recording ${JSON.stringify(name.slice(0, 100))}; recording/list lists them`);
    } finally {
      counts.give(address);
    }
  }

  private async sendFile(
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
      await this.send(file, size, stream);
    } finally {
      await file.close();
    }
  }

  /** Sends as much as the file had at the beginning, as fast as the client takes it. */
  private async send(file: FileHandle, size: number, stream: HttpStream): Promise<void> {
    let isGone = false;
    let taken = (): void => undefined;
    stream.listen({
      drain: () => taken(),
      close: () => {
        isGone = true;
        taken();
      },
    });
    const listen = (call: () => void): void => {
      taken = call;
    };
    for (let at = 0; at < size && !isGone; ) {
      const piece = Buffer.allocUnsafe(Math.min(PIECE_BYTES, size - at));
      const { bytesRead } = await file.read(piece, 0, piece.length, at);
      // A file that has become shorter cannot be what was announced.
      if (bytesRead === 0) return stream.destroy();
      at += bytesRead;
      stream.write(piece.subarray(0, bytesRead));
      while (stream.pendingBytes > AHEAD_BYTES && !isGone)
        if (!(await this.untilTaken(listen))) return stream.destroy();
    }
    if (!isGone) stream.end();
  }

  /** False when the client has taken nothing for too long. */
  private untilTaken(listen: (call: () => void) => void): Promise<boolean> {
    return new Promise((resolve) => {
      const cancel = this.clock.after(PATIENCE_MILLIS, () => resolve(false));
      listen(() => {
        cancel();
        resolve(true);
      });
    });
  }
}
