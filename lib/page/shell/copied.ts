// Text for other programs.

/** Puts text where it can be pasted from. @returns false where the browser has no such place: it has one for https and for this machine. */
export async function isCopied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
