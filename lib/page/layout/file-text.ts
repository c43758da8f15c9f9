// The text of a file that somebody chose.

/** UTF-8, or Latin-1 when it is no UTF-8: Trick View writes its files in the encoding of its machine. */
export function fileText(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
