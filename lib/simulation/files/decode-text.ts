// The text of a file's bytes.

const UTF_8 = new TextDecoder('utf-8', { fatal: true });
/** Latin-1 with the signs that Windows puts in its unused places. */
const LATIN_1 = new TextDecoder('windows-1252');

/** What Python looks for in the first two lines of a source. Python: PEP 263 */
const SAYS_LATIN_1 = /^(?:[^\n]*\n)?[ \t\f]*#[^\n]*?coding[:=][ \t]*(?:latin-?1|iso-?8859-?1|cp1252|windows-1252)\b/i;
const LONGEST_HEAD = 1000;

export interface DecodedText {
  readonly text: string;
  readonly isLatin1: boolean;
}

/** UTF-8 without its mark, or Latin-1 when it is no UTF-8 or its first lines say so. */
export function decodeText(bytes: Uint8Array): DecodedText {
  const saysLatin1 = SAYS_LATIN_1.test(LATIN_1.decode(bytes.subarray(0, LONGEST_HEAD)));
  const text = saysLatin1 ? undefined : utf8(bytes);
  return text === undefined ? { text: LATIN_1.decode(bytes), isLatin1: true } : { text, isLatin1: false };
}

function utf8(bytes: Uint8Array): string | undefined {
  try {
    return UTF_8.decode(bytes);
  } catch {
    return undefined;
  }
}
