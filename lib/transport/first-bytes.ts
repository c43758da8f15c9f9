// Tells HTTP from other protocols by the first bytes of a connection, and recognizes TLS and HTTP/2 on a plain port.
import { METHODS } from 'node:http';

/** What a proxy is asked with, whose target is a host. */
const TUNNEL_START = 'CONNECT ';
const REQUEST_STARTS: readonly string[] = [
  ...METHODS.flatMap((method) => ['/', '*', 'http'].map((target) => `${method} ${target}`)),
  TUNNEL_START,
];
/** The first bytes of HTTP/2 when the client has not asked for it beforehand. */
const HTTP2_START = 'PRI * HTTP/2';
/** A TLS handshake record, version 3. */
const TLS_START = '\x16\x03';

const STARTS = [...REQUEST_STARTS, HTTP2_START, TLS_START];
const LONGEST_START = Math.max(...STARTS.map((start) => start.length));

export type Language = 'http' | 'http2' | 'tls' | 'stream' | 'undecided';

/** `undecided` only while the bytes so far may be the beginning of more than one language. */
export function languageOf(firstBytes: Buffer): Language {
  const text = firstBytes.toString('latin1', 0, LONGEST_START);
  if (REQUEST_STARTS.some((start) => text.startsWith(start))) return 'http';
  if (text.startsWith(HTTP2_START)) return 'http2';
  if (text.startsWith(TLS_START)) return 'tls';
  return STARTS.some((start) => start.startsWith(text)) ? 'undecided' : 'stream';
}
