// Recorded variables from one catalog to the next: only what has changed is looked up again.
import { isDeepStrictEqual } from 'node:util';
import type { Catalog } from '../../model/state/catalog.js';
import type { Memory } from '../../model/state/memory.js';
import { isSameType, sizeOf } from '../../model/state/type.js';
import { locate, type Variable } from '../../model/state/variable.js';
import type { Column, Recordable } from './row.js';

/** An object's component, or a variable of its own with at most one member: what paths begin with. */
const ROOT = /^([^.[]*)(?:\.[^.[]*)?/;

/** What some of the variables lie in. */
interface Root {
  variable: Variable;
  /** Which variables lie in it. */
  readonly indices: number[];
}

export class FollowedVariables {
  private readonly all: Recordable[];
  /** Undefined after a variable has moved. */
  private plan: Plan | undefined;
  /** By their paths. */
  private readonly roots = new Map<string, Root>();
  /** By the object or variable that they belong to. */
  private readonly byTop = new Map<string, Root[]>();

  constructor(variables: readonly Recordable[], catalog: Catalog) {
    this.all = [...variables];
    for (const [index, { variable }] of variables.entries()) {
      const [path, top] = ROOT.exec(variable.path) as unknown as [string, string];
      const root = this.roots.get(path) ?? this.addRoot(path, top, catalog);
      root.indices.push(index);
    }
  }

  get variables(): readonly Recordable[] {
    return this.all;
  }

  /**
   * Copies all values to where columns have them; one that cannot be reached now counts as zero. Values that lie together in both
   * are copied together.
   */
  copy(source: Memory, target: Memory, columns: readonly Column[]): void {
    this.plan ??= planOf(this.all, columns);
    const [from, to] = [source.bytes, target.bytes];
    for (const span of this.plan.spans) {
      if (span.bytes > SHORT_SPAN_BYTES) to.set(from.subarray(span.from, span.from + span.bytes), span.to);
      else for (let at = 0; at < span.bytes; at++) to[span.to + at] = from[span.from + at] as number;
    }
    for (const { variable, to: at, bytes } of this.plan.moving) {
      const offset = locate(variable, source);
      if (offset < 0) to.fill(0, at, at + bytes);
      else to.set(from.subarray(offset, offset + bytes), at);
    }
  }

  /** Paths of the components that the variables lie in. */
  get components(): Iterable<string> {
    return this.roots.keys();
  }

  /**
   * Finds the variables where they lie now.
   * @param changed names of objects and variables that have changed since.
   * @returns false when that takes more than a look at what holds them: it has gone or is of another type.
   */
  follow(changed: ReadonlySet<string>, catalog: Catalog): boolean {
    for (const name of changed) {
      for (const root of this.byTop.get(name) ?? []) if (!this.followRoot(root, catalog)) return false;
    }
    return true;
  }

  private addRoot(path: string, top: string, catalog: Catalog): Root {
    const root = { variable: catalog.find(path) as Variable, indices: [] };
    this.roots.set(path, root);
    if (!this.byTop.get(top)?.push(root)) this.byTop.set(top, [root]);
    return root;
  }

  private followRoot(root: Root, catalog: Catalog): boolean {
    const before = root.variable;
    const now = catalog.find(before.path);
    if (!now || !isAlike(before, now)) return false;
    root.variable = now;
    const shiftBytes = now.offsetBytes - before.offsetBytes;
    this.plan = undefined;
    for (const index of shiftBytes === 0 ? [] : root.indices) {
      const { name, variable } = this.all[index] as Recordable;
      this.all[index] = { name, variable: { ...variable, offsetBytes: variable.offsetBytes + shiftBytes } };
    }
    return true;
  }
}

/** From where to where values are copied. */
interface Plan {
  readonly spans: readonly Span[];
  /** Variables behind pointers and in sequences, which move. */
  readonly moving: readonly { readonly variable: Variable; readonly to: number; readonly bytes: number }[];
}

interface Span {
  readonly from: number;
  readonly to: number;
  bytes: number;
}

/** Copied byte by byte, which is quicker than by a view of them. */
const SHORT_SPAN_BYTES = 32;

/** @param columns of the variables, behind that of the time. */
function planOf(variables: readonly Recordable[], columns: readonly Column[]): Plan {
  const spans: Span[] = [];
  const moving: Plan['moving'][number][] = [];
  for (const [index, { variable }] of variables.entries()) {
    const to = columns[index + 1]?.offsetBytes as number;
    const bytes = sizeOf(variable.type);
    const last = spans.at(-1);
    const from = variable.offsetBytes;
    if (variable.hops.length > 0) moving.push({ variable, to, bytes });
    else if (last && last.from + last.bytes === from && last.to + last.bytes === to) last.bytes += bytes;
    else spans.push({ from, to, bytes });
  }
  return { spans, moving };
}

/** Whether all that lies in both is the same but for its place. */
const isAlike = (one: Variable, other: Variable): boolean =>
  one.units === other.units &&
  (isSameType(one.type, other.type) || isDeepStrictEqual(one.type, other.type)) &&
  isDeepStrictEqual(one.hops, other.hops);
