// For tests: how often a text is trimmed while something runs.

/** Returns how often a text that begins with blanks and ends with `ending` was trimmed by what `act` called. */
export async function trimsOf(ending: string, act: () => unknown): Promise<number> {
  const { trim } = String.prototype;
  let count = 0;
  const counting = function (this: string): string {
    const trimmed = trim.call(this);
    if (trimmed === ending && trimmed.length < this.length) count++;
    return trimmed;
  };
  const replace = (value: () => string): void => void Object.defineProperty(String.prototype, 'trim', { value });
  replace(counting);
  try {
    await act();
  } finally {
    replace(trim);
  }
  return count;
}
