// Files that clients fetch: GET below a path, as far as each is written.
import type { FileHandle } from 'node:fs/promises';
import { LIMITS } from '../../model/bounds/limits.js';
import { NetworkCounts } from '../../serving/network/network-counts.js';
import type { Clock } from '../../serving/scheduling/clock.js';
import { hostOf } from '../../serving/transport/address.js';
import type { Admission } from '../../serving/transport/front-end.js';
import type { HttpExchange, ResponseHeaders } from '../../serving/transport/http-exchange.js';
import { sendFile } from './file-stream.js';

/** Downloads at a time, of all clients together; an address may have as many as it leaves free for others. */
const MOST_DOWNLOADS = LIMITS.downloads.all;

const TEXT_TYPE = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };

/** A file that is there. */
export interface Found {
  readonly file: FileHandle;
  readonly headers: ResponseHeaders;
}

/** The files below a path. */
export interface Folder {
  /** With a slash at both ends. */
  readonly path: string;
  /** The file of a name, open; a sentence when there is none. */
  find(name: string): Promise<Found | string>;
}

export class Downloads {
  readonly counts = new NetworkCounts((ofNetwork, ofAll) => ofNetwork <= MOST_DOWNLOADS - ofAll);

  constructor(
    private readonly folders: readonly Folder[],
    private readonly clock: Clock,
  ) {}

  /** Whether a path lies below one of the folders. */
  holds(path: string): boolean {
    return this.folderOf(path) !== undefined;
  }

  /** Answers a request for a path below a folder. */
  async answer(exchange: HttpExchange, { headers }: Pick<Admission, 'headers'>): Promise<void> {
    const { path, peer } = exchange;
    const say = (status: number, sentence: string) =>
      void exchange.respond(status, { ...TEXT_TYPE, ...headers }, `${sentence}\n`);
    const address = hostOf(peer);
    // Counted before the file is opened: many may be asked for at once.
    const { counts } = this;
    if (!counts.take(address)) {
      const own = counts.of(address);
      return say(503, `${counts.held} files are being fetched already, ${own} of them by this address`);
    }
    try {
      const folder = this.folderOf(path) as Folder;
      const found = await folder.find(path.slice(folder.path.length));
      if (typeof found === 'string') say(404, found);
      else await this.send(found, exchange, headers);
    } finally {
      counts.give(address);
    }
  }

  private folderOf(path: string): Folder | undefined {
    return this.folders.find((folder) => path.startsWith(folder.path));
  }

  private async send({ file, headers }: Found, exchange: HttpExchange, more: ResponseHeaders): Promise<void> {
    try {
      const { size } = await file.stat();
      const stream = exchange.stream(200, { ...more, ...headers, 'content-length': size });
      await sendFile(file, size, stream, this.clock);
    } finally {
      await file.close();
    }
  }
}
