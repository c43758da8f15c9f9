// C escapes in the texts and characters of checkpoints, both ways; one byte a character.

const BY_LETTER: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
  a: '\x07',
  '"': '"',
  "'": "'",
  '\\': '\\',
};

/** The bytes that a text's token means. A backslash that begins no escape stands for itself, because Trick writes it so. */
export function decodeText(image: string): string {
  const content = image.slice(image.indexOf('"') + 1, -1);
  if (!content.includes('\\')) return content;
  return content.replace(/\\(x[0-9a-fA-F]{1,2}|[0-7]{1,3}|[\s\S])/g, (whole, what: string) => decode(what) ?? whole);
}

/** The byte that a character's token means. */
export function decodeCharacter(image: string): number {
  const content = image.slice(1, -1);
  const text = content.startsWith('\\') ? (decode(content.slice(1)) ?? content.slice(1)) : content;
  return text.charCodeAt(0) & 0xff;
}

function decode(what: string): string | undefined {
  if (/^x./.test(what)) return String.fromCharCode(Number.parseInt(what.slice(1), 16));
  if (/^[0-7]/.test(what)) return String.fromCharCode(Number.parseInt(what, 8) & 0xff);
  return BY_LETTER[what];
}

const TEXT_ESCAPES: Readonly<Record<string, string>> = {
  '\n': '\\n',
  '\t': '\\t',
  '\r': '\\r',
  '\b': '\\b',
  '"': '\\"',
  '\\': '\\\\',
  '\0': '\\000',
};

/** Bytes as a text between quotes; other control characters stay as they are, as in Trick. */
export const encodeText = (bytes: string): string =>
  `"${bytes.replace(/[\n\t\r\b"\\\0]/g, (character) => TEXT_ESCAPES[character] as string)}"`;

/** A byte as a character: printable as itself, anything else by its number. Trick: ClassicCheckPointAgent */
export function encodeCharacter(code: number): string {
  const character = String.fromCharCode(code);
  return /[ -&(-[\]-~]/.test(character) ? `'${character}'` : `'\\x${code.toString(16)}'`;
}
