// Bytes that were made one part after another become one message.

/** All parts one after the other; one alone stays as it is. */
export const joined = (parts: readonly Uint8Array[]): Uint8Array =>
  parts.length === 1 ? (parts[0] as Uint8Array) : Buffer.concat(parts);

/**
 * As `joined`, with a turn before each part: memory that is touched for the first time takes a millisecond for some hundred
 * KB.
 */
export async function joinedInTurns(parts: readonly Uint8Array[], turn: () => Promise<void>): Promise<Uint8Array> {
  if (parts.length === 1) return parts[0] as Uint8Array;
  const whole = Buffer.allocUnsafeSlow(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    await turn();
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
