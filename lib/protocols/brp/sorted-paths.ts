// What sorted lists of type paths have and lack against others.

interface Difference {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

interface Known extends Difference {
  readonly before: readonly string[];
}

/** By the later list: all who watch the same list share its latest difference. */
const known = new WeakMap<readonly string[], Known>();

/** What comes and goes from one sorted list to the next. */
export function differenceOf(before: readonly string[], after: readonly string[]): Difference {
  const latest = known.get(after);
  if (latest?.before === before) return latest;
  const [added, removed]: [string[], string[]] = [[], []];
  let [from, to] = [0, 0];
  while (from < before.length || to < after.length) {
    const [one, other] = [before[from], after[to]];
    if (one !== undefined && (other === undefined || one < other)) {
      removed.push(one);
      from++;
    } else if (other !== undefined && (one === undefined || other < one)) {
      added.push(other);
      to++;
    } else {
      from++;
      to++;
    }
  }
  const difference = { before, added, removed };
  known.set(after, difference);
  return difference;
}
