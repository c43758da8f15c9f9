// The trees of short texts that events run again and again; the ones used last are kept. Clients' texts push each other
// out of the cache of blocks, and events would be parsed in every frame; docs/performance.md has what that costs.
import type { Block } from '../../python/index.js';
import type { KnownTexts } from './block-text.js';

/** Characters of a text whose tree is kept. */
const LONGEST_TEXT = 1000;
/** Characters of all texts; the tree of a character takes some 32 bytes. */
const MOST_CHARACTERS = 200_000;

export class TreeCache implements KnownTexts {
  /** The one used last comes last. */
  private readonly trees = new Map<string, Block>();
  private characters = 0;

  get(text: string): Block | undefined {
    const tree = this.trees.get(text);
    if (!tree) return undefined;
    this.trees.delete(text);
    this.trees.set(text, tree);
    return tree;
  }

  set(text: string, tree: Block): void {
    if (text.length > LONGEST_TEXT || this.trees.has(text)) return;
    this.trees.set(text, tree);
    this.characters += text.length;
    for (const oldest of this.trees.keys()) {
      if (this.characters <= MOST_CHARACTERS) break;
      this.trees.delete(oldest);
      this.characters -= oldest.length;
    }
  }
}
