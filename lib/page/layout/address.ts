// A layout in an address: its JSON, compressed, in letters that an address may have.

/** What follows # in an address that has a layout. */
const MARK = 'layout=';
/** An address that unpacks to more is broken or hostile. */
const MOST_BYTES = 2_000_000;

export async function hashOf(layout: object): Promise<string> {
  const packed = await bytesOf(
    new Blob([JSON.stringify(layout)]).stream().pipeThrough(new CompressionStream('deflate-raw')),
  );
  return MARK + base64Of(packed);
}

/** The JSON in the part of an address after #; undefined when it has none. Rejects with one sentence for a broken one. */
export async function jsonOfHash(hash: string): Promise<unknown> {
  const text = hash.replace(/^#/, '');
  if (!text.startsWith(MARK)) return undefined;
  try {
    const packed = Uint8Array.from(atob(text.slice(MARK.length).replaceAll('-', '+').replaceAll('_', '/')), (letter) =>
      letter.charCodeAt(0),
    );
    const bytes = await bytesOf(new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw')));
    return JSON.parse(new TextDecoder().decode(bytes)) as unknown;
  } catch {
    throw new Error('the layout in this address is broken; it may have been cut when it was copied');
  }
}

async function bytesOf(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  const reader = stream.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    length += next.value.length;
    if (length > MOST_BYTES) throw new Error('too long');
    pieces.push(next.value);
  }
  const all = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

function base64Of(bytes: Uint8Array): string {
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}
