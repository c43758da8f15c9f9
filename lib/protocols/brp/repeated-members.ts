// Finds members that a request names twice: JSON.parse keeps the last one and says nothing.

/** What ends a text, or stands between texts. */
const SIGNS = /\\.|["{}[\]:,]/gs;
/** So many of them are looked at before others have their turns. */
const RANGE_SIGNS = 2048;

/**
 * The requests of a message that name a member twice, each with that member.
 * @param value what JSON.parse made of the message: one request, or a list of them.
 */
export async function repeatedMembers(
  message: Uint8Array,
  value: unknown,
  turn: () => Promise<void>,
): Promise<[request: object, member: string][]> {
  if (value === null || typeof value !== 'object') return [];
  const found: [object, string][] = [];
  const requests = Array.isArray(value) ? value : [value];
  const depthWanted = Array.isArray(value) ? 2 : 1;
  const text = Buffer.from(message.buffer, message.byteOffset, message.byteLength).toString();
  let names = new Set<string>();
  let isInText = false;
  let [count, depth, index, start, end] = [0, 0, 0, 0, 0];
  for (const { 0: sign, index: at } of text.matchAll(SIGNS)) {
    if (++count % RANGE_SIGNS === 0) await turn();
    if (sign === '"') {
      if (isInText) end = at + 1;
      else start = at;
      isInText = !isInText;
    } else if (isInText) continue;
    else if (sign === ':' && depth === depthWanted) {
      const name = JSON.parse(text.slice(start, end)) as string;
      if (names.has(name)) found.push([requests[index], name]);
      names.add(name);
    } else if (sign === ',' && depth === depthWanted - 1) {
      index++;
      names = new Set();
    } else depth += DEPTHS[sign] ?? 0;
  }
  return found;
}

const DEPTHS: Readonly<Record<string, number>> = { '{': 1, '[': 1, '}': -1, ']': -1 };
