// Tells HTTP from any other language by the first bytes of a connection.

const REQUEST_STARTS: readonly string[] = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'DELETE',
  'OPTIONS',
  'PATCH',
  'CONNECT',
  'TRACE',
].flatMap((method) => ['/', '*', 'http'].map((target) => `${method} ${target}`));

const LONGEST_START = Math.max(...REQUEST_STARTS.map((start) => start.length));

export type Language = 'http' | 'stream' | 'undecided';

/** `undecided` only while the bytes so far are the beginning of a request line that is not yet told from other text. */
export function languageOf(firstBytes: Buffer): Language {
  const text = firstBytes.toString('latin1', 0, LONGEST_START);
  if (REQUEST_STARTS.some((start) => text.startsWith(start))) return 'http';
  return REQUEST_STARTS.some((start) => start.startsWith(text)) ? 'undecided' : 'stream';
}
