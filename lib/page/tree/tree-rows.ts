// The rows of a tree whose branches may have 100,000 children each: only what is looked at is loaded.
import type { ListedVariable, VariableFacts } from '../data/server.js';

/** A row of var/children and var/search. */
export interface TreeRow extends ListedVariable {
  /** The last step of the path: `position`, or `[0]`. */
  readonly name: string;
  readonly kind: VariableFacts['kind'];
  readonly has_children: boolean;
}

/** One line of the list; without a row while it is being loaded. */
export interface Line {
  readonly row: TreeRow | undefined;
  /** 1 at the top. */
  readonly level: number;
  /** From 0, among its siblings. */
  readonly position: number;
  readonly siblings: number;
  readonly isOpen: boolean;
  readonly branch: Branch;
}

export const PAGE_ROWS = 200;

/** The children of one path: how many, and those that are loaded. */
export class Branch {
  total = 0;
  private readonly rows = new Map<number, TreeRow>();
  private readonly open = new Map<number, Branch>();
  private readonly asked = new Set<number>();

  constructor(
    readonly path: string,
    readonly level: number,
  ) {}

  /** Lines of this branch, those of open children among them. */
  get height(): number {
    let height = this.total;
    for (const child of this.open.values()) height += child.height;
    return height;
  }

  lineAt(index: number): Line | undefined {
    let passed = 0;
    for (const [position, child] of this.openInOrder()) {
      if (index <= position + passed) break;
      if (index <= position + passed + child.height) return child.lineAt(index - position - passed - 1);
      passed += child.height;
    }
    const position = index - passed;
    if (position < 0 || position >= this.total) return undefined;
    const { level, total: siblings } = this;
    return { row: this.rows.get(position), level, position, siblings, isOpen: this.open.has(position), branch: this };
  }

  /** The index of a child's line in this branch. */
  indexOf(position: number): number {
    let index = position;
    for (const [at, child] of this.openInOrder()) if (at < position) index += child.height;
    return index;
  }

  /** The place of an open child in this branch. */
  positionOf(child: Branch): number | undefined {
    for (const [position, branch] of this.open) if (branch === child) return position;
    return undefined;
  }

  take(offset: number, total: number, rows: readonly TreeRow[]): void {
    this.total = total;
    rows.forEach((row, k) => void this.rows.set(offset + k, row));
  }

  /** The offset of the page that has a position, the first time it is asked; undefined later. */
  pageToAsk(position: number): number | undefined {
    const offset = position - (position % PAGE_ROWS);
    if (this.asked.has(offset)) return undefined;
    this.asked.add(offset);
    return offset;
  }

  /** Lets a page that could not be loaded be asked for again. */
  failed(offset: number): void {
    this.asked.delete(offset);
  }

  openChild(position: number): Branch | undefined {
    const row = this.rows.get(position);
    if (!row?.has_children) return undefined;
    const child = this.open.get(position) ?? new Branch(row.alias, this.level + 1);
    this.open.set(position, child);
    return child;
  }

  closeChild(position: number): void {
    this.open.delete(position);
  }

  /** The paths of all open branches below. */
  openPaths(): string[] {
    return [...this.open.values()].flatMap((child) => [child.path, ...child.openPaths()]);
  }

  private openInOrder(): [number, Branch][] {
    return [...this.open].sort(([one], [other]) => one - other);
  }
}

/** `double[3]`, `struct BALL`, `enum`: what stands beside a name. */
export function typeText({ type_path, dim, kind }: Pick<TreeRow, 'type_path' | 'dim' | 'kind'>): string {
  const extents = dim.map((extent) => `[${extent === 0 ? '' : extent}]`).join('');
  return `${kind === 'text' ? 'text' : type_path.replace(/^std::/, '')}${extents}`;
}
