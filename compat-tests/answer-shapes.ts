// Compares the shapes of answers in JSON: their members, and what kind of values they have.

/** Where an answer has other members or kinds of values than expected; an empty list is like any list. */
export function shapeDifferences(found: unknown, expected: unknown, at = ''): string[] {
  if (Array.isArray(found) && Array.isArray(expected))
    return found.length > 0 && expected.length > 0 ? shapeDifferences(found[0], expected[0], `${at}[0]`) : [];
  if (!isObject(found) || !isObject(expected))
    return kindOf(found) === kindOf(expected) ? [] : [`${at} is ${kindOf(found)}, not ${kindOf(expected)}`];
  const names = new Set([...Object.keys(found), ...Object.keys(expected)]);
  return [...names].flatMap((name) => shapeDifferences(found[name], expected[name], `${at}.${name}`));
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const kindOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'a list' : isObject(value) ? 'an object' : typeof value;
