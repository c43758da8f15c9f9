// The files of the page at GET /: its HTML, and what the build has made, with their content in their names.
// By hand: they are a dozen, packed when the page is built.
import { readFileSync } from 'node:fs';
import type { HttpRoute, RouteHandler } from '../../serving/transport/front-end.js';
import type { HttpExchange, ResponseHeaders } from '../../serving/transport/http-exchange.js';

const FOLDER = new URL('../../page/assets/', import.meta.url);

/** What the build says of its files (lib/run/page-bundle). */
interface Manifest {
  readonly script: string;
  readonly firstCalls: string;
  readonly imported: readonly string[];
  readonly style: string;
  readonly files: readonly string[];
}

const SECURITY = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const;

/** The page runs its own files and asks its own server only. */
const PAGE_HEADERS = {
  ...SECURITY,
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    // A glTF file may have its numbers in itself, as data.
    "connect-src 'self' data:",
    "img-src 'self' data: blob:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
} as const;

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

/** Names with a hash never change their content. */
const FOREVER = 'public, max-age=31536000, immutable';
const ASK_AGAIN = 'no-cache';

/**
 * All addresses are relative, so that the page works below a path of a proxy. The largest file comes first, on the
 * connection that is open already.
 */
const htmlOf = ({ script, firstCalls, imported, style }: Manifest, version: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="varwire-version" content="${version}">
<title>varwire</title>
<link rel="icon" href="data:,">
${imported.map((name) => `<link rel="modulepreload" href="assets/${name}">`).join('\n')}
<script type="module" async src="assets/${firstCalls}"></script>
<link rel="stylesheet" href="assets/${style}">
<script type="module" src="assets/${script}"></script>
</head>
<body>
<noscript>This page shows a running simulation, for which it needs JavaScript. Without it: GET openrpc.json, metrics.</noscript>
</body>
</html>
`;

/** The routes of the page. They hold no secret, so that a page without a token can ask for one. */
export function pageRoutes(version: string): readonly HttpRoute[] {
  const manifest = readManifest();
  if (!manifest) return [{ method: 'GET', path: '/', answer: sayUnbuilt, isOpen: true }];
  const html = htmlOf(manifest, version);
  const page: RouteHandler = (exchange) => void exchange.respond(200, PAGE_HEADERS, html);
  const fileRoute = (path: string, name: string, caching: string): HttpRoute => {
    const file = new PageFile(name, caching);
    return { method: 'GET', path, answer: (exchange, { headers }) => file.answer(exchange, headers), isOpen: true };
  };
  return [
    { method: 'GET', path: '/', answer: page, isOpen: true },
    fileRoute('/varwire.js', 'varwire.js', ASK_AGAIN),
    ...manifest.files.map((name) => fileRoute(`/assets/${name}`, name, FOREVER)),
  ];
}

/** A weight of 0 refuses an encoding (RFC 9110, 12.4.2). */
const TAKES_GZIP = /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i;

export const takesGzip = ({ headers }: Pick<HttpExchange, 'headers'>): boolean =>
  TAKES_GZIP.test(String(headers['accept-encoding'] ?? ''));

/** One file, read when it is first asked for, and kept. */
class PageFile {
  private plain: Buffer | undefined;
  private packed: Buffer | undefined;

  constructor(
    private readonly name: string,
    private readonly caching: string,
  ) {}

  /** @param cors headers for a page of another origin that may use this server. */
  answer(exchange: HttpExchange, cors: ResponseHeaders): void {
    const isPacked = takesGzip(exchange);
    const headers = {
      ...cors,
      ...SECURITY,
      'content-type': TYPES[this.name.split('.').at(-1) as string] ?? 'application/octet-stream',
      'cache-control': this.caching,
      vary: 'accept-encoding, origin',
      ...(isPacked && { 'content-encoding': 'gzip' }),
    };
    exchange.respond(200, headers, isPacked ? this.gzip() : this.bytes());
  }

  private bytes(): Buffer {
    this.plain ??= readFileSync(new URL(this.name, FOLDER));
    return this.plain;
  }

  private gzip(): Buffer {
    this.packed ??= readFileSync(new URL(`${this.name}.gz`, FOLDER));
    return this.packed;
  }
}

function readManifest(): Manifest | undefined {
  try {
    return JSON.parse(readFileSync(new URL('manifest.json', FOLDER), 'utf8')) as Manifest;
  } catch {
    return undefined;
  }
}

const sayUnbuilt: RouteHandler = (exchange) =>
  void exchange.respond(
    503,
    { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
    'the page was not built; "npm run build" makes it\n',
  );
