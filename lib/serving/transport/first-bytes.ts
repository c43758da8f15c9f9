// Tells HTTP from other protocols by the first bytes of a connection, and recognizes TLS and HTTP/2 on a plain port; and on
// a port without HTTP recognizes both, so that no web page speaks there.
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

const METHOD = "[!#$%&'*+.^_`|~\\w-]{1,64}";
const TARGET = '/\\S*|\\*|[A-Za-z][\\w+.-]{0,30}://\\S*';
const HOST = '[\\w.:[\\]-]{1,300}:\\d{1,5}';
/** RFC 9112, 3: a method, a path or an address, and the version. `POST = 3` is Trick text. */
const REQUEST_LINE = new RegExp(`^${METHOD} (?:${TARGET}|${HOST}) HTTP/`);
const REQUEST_BEGINNING = new RegExp(
  `^(?:${METHOD}(?: (?:${TARGET}|[\\w.:+[\\]-]{0,300}/?)(?: (?:|H|HT|HTT|HTTP))?)?)?$`,
);
/** A path or an address, however long. */
const LONG_TARGET = /^(\S+ (?:\/|\S+?:\/\/))\S*$/;

/** Looks at the first bytes of a connection to a port where HTTP is not spoken, in whatever pieces they come. */
export class WebHello {
  private seen = '';
  private isDecided = false;

  /**
   * Whether, with this piece, the connection has begun as one of a web browser: with the line of an HTTP request, or with a
   * TLS handshake. Nothing before such a piece is a whole line.
   */
  hasCome(piece: Buffer): boolean {
    if (this.isDecided) return false;
    // An HTTP server skips empty lines before a request too.
    const seen = (this.seen + piece.toString('latin1')).replace(/^[\r\n]+/, '');
    if (REQUEST_LINE.test(seen) || seen.startsWith(TLS_START)) return true;
    this.isDecided = !REQUEST_BEGINNING.test(seen) && !TLS_START.startsWith(seen);
    this.seen = this.isDecided ? '' : seen.replace(LONG_TARGET, '$1');
    return false;
  }
}
