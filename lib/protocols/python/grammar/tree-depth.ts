// How deep a tree is, found without recursion so that the answer cannot overflow the stack it protects.

/** Whether some node lies more than `limit` nodes below the given ones. */
export function isDeeperThan(roots: readonly object[], limit: number): boolean {
  let level: readonly object[] = roots;
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limit) return true;
    level = level.flatMap(children);
  }
  return false;
}

function children(node: object): object[] {
  return Object.values(node).flatMap((value: unknown): object[] => {
    if (Array.isArray(value)) return value.filter(isObject);
    return isObject(value) ? [value] : [];
  });
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
