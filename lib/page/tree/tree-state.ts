// The variables as the tree shows them: branches loaded as they are looked at, or what a search found.
import { signal } from '@preact/signals';
import type { Server } from '../data/server.js';
import { Branch, type Line, PAGE_ROWS, type TreeRow } from './tree-rows.js';

/** Trick's own variables, which most people look at rarely. */
const TRICKS_OWN = 'trick_*';
const MOST_FOUND = 300;
const SEARCH_DELAY_MILLIS = 120;
const MOST_OPEN_FIRST = 3;

interface ChildrenAnswer {
  readonly total: number;
  readonly offset: number;
  readonly children: readonly TreeRow[];
}

interface SearchAnswer {
  readonly matches: readonly (TreeRow & { readonly rank: string })[];
  readonly is_complete: boolean;
}

export interface SearchResults {
  readonly rows: readonly TreeRow[];
  readonly isComplete: boolean;
  /** True when nothing has the words, and these are only spelled alike. */
  readonly isAlike: boolean;
}

export class TreeState {
  /** Goes up when lines have changed. */
  readonly version = signal(0);
  readonly text = signal('');
  /** What a search found; undefined while there is none. */
  readonly found = signal<SearchResults | undefined>(undefined);
  readonly problem = signal<string | undefined>(undefined);
  readonly showsTricksOwn = signal(false);
  /** The line that the keys are on. */
  readonly cursor = signal(0);
  private root = new Branch('', 1);
  private isFirst = true;
  private searches = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** Whether the text was not searched for yet. */
  private isTyped = false;
  private searching: Promise<void> | undefined;

  constructor(private readonly server: Server) {}

  get height(): number {
    return this.found.value?.rows.length ?? this.root.height;
  }

  lineAt(index: number): Line | undefined {
    const found = this.found.value;
    if (!found) return this.root.lineAt(index);
    const row = found.rows[index];
    return row && { row, level: 1, position: index, siblings: found.rows.length, isOpen: false, branch: this.root };
  }

  /** Loads all variables again, with the same branches open: at the start, and when variables have come or gone. */
  async reload(): Promise<void> {
    const open = new Set(this.root.openPaths());
    const root = new Branch('', 1);
    try {
      await this.load(root, 0);
      await this.openAgain(root, this.isFirst ? firstOpen(root) : open);
      this.isFirst = false;
      this.root = root;
      this.problem.value = undefined;
    } catch (error) {
      this.problem.value = (error as Error).message;
    }
    this.changed();
    if (this.text.peek() !== '') await this.search(this.text.peek());
  }

  /** Asks for the page of a line that is visible and not loaded. */
  want({ row, branch, position }: Line): void {
    if (row || this.found.peek()) return;
    const offset = branch.pageToAsk(position);
    if (offset === undefined) return;
    void this.load(branch, offset).catch(() => branch.failed(offset));
  }

  async toggle(index: number): Promise<void> {
    const line = this.lineAt(index);
    if (!line?.row?.has_children || this.found.peek()) return;
    if (line.isOpen) {
      line.branch.closeChild(line.position);
      this.changed();
      return;
    }
    const child = line.branch.openChild(line.position);
    if (!child) return;
    try {
      await this.load(child, 0);
    } catch (error) {
      this.problem.value = (error as Error).message;
    }
  }

  /** The index of the line above a line's siblings. */
  parentOf(index: number): number | undefined {
    const line = this.root.lineAt(index);
    if (!line || line.level === 1) return undefined;
    for (let above = index - 1; above >= 0; above--) {
      const one = this.root.lineAt(above);
      if (one && one.level < line.level) return above;
    }
    return undefined;
  }

  /** Searches when people stop typing for a moment. */
  type(text: string): void {
    this.text.value = text;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.settle(), SEARCH_DELAY_MILLIS);
    this.isTyped = true;
  }

  /** Searches at once for what was typed last, and resolves when the lines show it. */
  async settle(): Promise<void> {
    clearTimeout(this.timer);
    if (this.isTyped) this.searching = this.search(this.text.peek());
    this.isTyped = false;
    await this.searching;
  }

  setTricksOwn(isShown: boolean): void {
    this.showsTricksOwn.value = isShown;
    void this.reload();
  }

  private async search(text: string): Promise<void> {
    const search = ++this.searches;
    if (text.trim() === '') {
      this.found.value = undefined;
      this.cursor.value = 0;
      this.changed();
      return;
    }
    if (text.trim().startsWith('=')) {
      await this.compute(text.trim(), search);
      return;
    }
    try {
      const asked = { text: text.trim(), limit: MOST_FOUND, ...this.without() };
      const { matches, is_complete } = await this.server.call<SearchAnswer>('var/search', asked);
      // A later search has begun meanwhile.
      if (search !== this.searches) return;
      this.found.value = {
        rows: matches,
        isComplete: is_complete && matches.length < MOST_FOUND,
        isAlike: matches[0]?.rank === 'fuzzy',
      };
      this.problem.value = undefined;
    } catch (error) {
      this.problem.value = (error as Error).message;
    }
    this.cursor.value = 0;
    this.changed();
  }

  /** Shows what the server computes of an expression as what is found, or why it computes nothing. */
  private async compute(expression: string, search: number): Promise<void> {
    const answer = await this.server.facts(expression).catch((error: Error) => error);
    if (search !== this.searches) return;
    const isFault = answer instanceof Error;
    this.problem.value = isFault ? answer.message : undefined;
    const rows = isFault ? [] : [{ ...answer, name: answer.alias, has_children: false }];
    this.found.value = { rows, isComplete: true, isAlike: false };
    this.cursor.value = 0;
    this.changed();
  }

  private async load(branch: Branch, offset: number): Promise<void> {
    branch.pageToAsk(offset);
    const asked = { path: branch.path, offset, count: PAGE_ROWS, ...(branch.path === '' && this.without()) };
    const { total, children } = await this.server.call<ChildrenAnswer>('var/children', asked);
    branch.take(offset, total, children);
    this.changed();
  }

  private async openAgain(branch: Branch, paths: ReadonlySet<string>): Promise<void> {
    for (let position = 0; position < Math.min(branch.total, PAGE_ROWS); position++) {
      const { row } = branch.lineAt(branch.indexOf(position)) ?? {};
      if (!row || !paths.has(row.alias)) continue;
      const child = branch.openChild(position);
      if (!child) continue;
      await this.load(child, 0);
      await this.openAgain(child, paths);
    }
  }

  private without(): { readonly without?: string } {
    return this.showsTricksOwn.peek() ? {} : { without: TRICKS_OWN };
  }

  private changed(): void {
    this.version.value++;
    const last = Math.max(0, this.height - 1);
    if (this.cursor.peek() > last) this.cursor.value = last;
  }
}

/** The objects of a small simulation are open from the start. */
function firstOpen(root: Branch): ReadonlySet<string> {
  const all = Array.from({ length: Math.min(root.total, MOST_OPEN_FIRST + 1) }, (_, k) => root.lineAt(k)?.row?.alias);
  return new Set(all.length > MOST_OPEN_FIRST ? [] : all.filter((alias) => alias !== undefined));
}
