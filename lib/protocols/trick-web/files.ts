// The files of the document root: nothing outside of it is read, whatever a path or a link says.
import { constants } from 'node:fs';
import { type FileHandle, open, readdir, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { lookup } from 'mrmime';
import { LIMITS } from '../../model/bounds/limits.js';
import { NetworkCounts } from '../../serving/network/network-counts.js';
import type { Clock } from '../../serving/scheduling/clock.js';
import { hostOf } from '../../serving/transport/address.js';
import type { Admission } from '../../serving/transport/front-end.js';
import type { HttpExchange } from '../../serving/transport/http-exchange.js';
import { sendFile } from '../run-files/file-stream.js';

/** Files that are sent at a time; an address may have as many as it leaves free for others. */
const MOST_FILES = LIMITS.downloads.all;
/** Names of a directory that are shown. */
const MOST_NAMES = 1000;
/** Neither links nor pipes are opened. */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

const HTML = { 'content-type': 'text/html', 'cache-control': 'no-cache' };
const TEXT = { 'content-type': 'text/plain', 'cache-control': 'no-store' };

export class WebFiles {
  private readonly counts = new NetworkCounts((ofNetwork, ofAll) => ofNetwork <= MOST_FILES - ofAll);

  /** @param directory the document root; where it is not there, a small page stands at /. */
  constructor(
    private readonly directory: string,
    private readonly clock: Clock,
  ) {}

  async answer(exchange: HttpExchange, { headers }: Pick<Admission, 'headers'>): Promise<void> {
    const { method, path, peer } = exchange;
    const say = (status: number, sentence: string) =>
      void exchange.respond(status, { ...TEXT, ...headers }, `${sentence}\n`);
    if (method !== 'GET' && method !== 'HEAD') return say(405, `${method} method not allowed`);
    const address = hostOf(peer);
    if (!this.counts.take(address)) return say(503, `${this.counts.held} files are being fetched already`);
    try {
      const root = await realpath(this.directory).catch(() => undefined);
      if (root !== undefined) await this.answerFrom(root, exchange, headers);
      else if (path === '/') exchange.respond(200, { ...HTML, ...headers }, OWN_PAGE);
      if (!exchange.isAnswered) say(404, `there is nothing at ${JSON.stringify(path.slice(0, 100))}`);
    } finally {
      this.counts.give(address);
    }
  }

  /** Answers nothing when there is no such file. */
  private async answerFrom(root: string, exchange: HttpExchange, headers: Admission['headers']): Promise<void> {
    const { path } = exchange;
    const names = namesOf(path);
    const place = names && (await realpath(join(root, ...names)).catch(() => undefined));
    if (place === undefined || !(place === root || place.startsWith(root + (root.endsWith(sep) ? '' : sep)))) return;
    if (!path.endsWith('/') && (await this.answerFile(place, exchange, headers))) return;
    const listed = await readdir(place, { withFileTypes: true }).catch(() => undefined);
    if (!listed) return;
    if (!path.endsWith('/')) {
      const location = `./${encodeURIComponent(names?.at(-1) ?? '')}/`;
      return void exchange.respond(301, { ...TEXT, ...headers, location }, `it is at ${location}\n`);
    }
    if (await this.answerFile(join(place, 'index.html'), exchange, headers)) return;
    const shown = listed.filter(({ name }) => !name.startsWith('.')).slice(0, MOST_NAMES);
    const rows = shown.map((one) => linkTo(`${one.name}${one.isDirectory() ? '/' : ''}`));
    exchange.respond(200, { ...HTML, ...headers }, pageOf(path, rows));
  }

  /** False when there is no such file. */
  private async answerFile(place: string, exchange: HttpExchange, headers: Admission['headers']): Promise<boolean> {
    const file = await open(place, FLAGS).catch(() => undefined);
    if (!file) return false;
    try {
      const stats = await file.stat();
      if (stats.isFile()) await this.send(file, stats.size, place, exchange, headers);
      return stats.isFile();
    } finally {
      await file.close();
    }
  }

  private async send(
    file: FileHandle,
    size: number,
    place: string,
    exchange: HttpExchange,
    headers: Admission['headers'],
  ): Promise<void> {
    const stream = exchange.stream(200, {
      ...headers,
      'content-type': lookup(place) ?? 'text/plain',
      'content-length': size,
      'cache-control': 'no-cache',
    });
    if (exchange.method !== 'HEAD') await sendFile(file, size, stream, this.clock);
  }
}

/** The names of a path, decoded; undefined for one that leads elsewhere, or to what is hidden. */
function namesOf(path: string): readonly string[] | undefined {
  try {
    const names = path
      .split('/')
      .filter((name) => name !== '')
      .map(decodeURIComponent);
    return names.some((name) => name.startsWith('.') || /[/\\\0]/.test(name)) ? undefined : names;
  } catch {
    return undefined;
  }
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const html = (text: string): string => text.replace(/[&<>"]/g, (found) => ENTITIES[found] as string);

const linkTo = (name: string): string =>
  `<li><a href="./${html(encodeURIComponent(name).replace(/%2F$/, '/'))}">${html(name)}</a></li>\n`;

const pageOf = (path: string, rows: readonly string[]): string =>
  `<!doctype html>\n<meta charset="utf-8">\n<title>${html(path)}</title>\n<ul>\n${rows.join('')}</ul>\n`;

const OWN_PAGE = `<!doctype html>
<meta charset="utf-8">
<title>varwire</title>
<h1>Trick's web interfaces</h1>
<ul>
<li><a href="/api/http/vs_connections">/api/http/vs_connections</a></li>
<li><a href="/api/http/alloc_info?start=0&amp;count=20">/api/http/alloc_info</a></li>
<li>WebSocket: /api/ws/VariableServer</li>
</ul>
<p>Files of a directory <code>www</code>, or of the one that --www PORT:DIR names, are served here.</p>
`;
