// The variables: a search field and a tree of which only the lines in sight are drawn.
import { useEffect, useRef, useState } from 'preact/hooks';
import { type PageState, TREE_WIDTHS } from '../state/page-state.js';
import { Icon } from '../widgets/icon.js';
import { Splitter } from '../widgets/splitter.js';
import { TreeLine } from './tree-line.js';
import type { SearchResults, TreeState } from './tree-state.js';

const LINE_PIXELS = 26;
/** Lines that are drawn above and below the visible ones. */
const SPARE_LINES = 6;
/** Variables that one Enter puts into a panel. */
const MOST_CHOSEN = 16;

interface Props {
  readonly state: PageState;
  readonly tree: TreeState;
}

export function VariableTree({ state, tree }: Props) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    state.focusSearch = () => field.current?.select();
  }, [state]);
  const found = tree.found.value;
  return (
    <aside class="tree" aria-label="Variables" style={{ '--tree-width': `${state.treeWidth.value}px` }}>
      <Splitter
        label="Width of the variables"
        value={state.treeWidth.value}
        {...TREE_WIDTHS}
        onMove={(width) => {
          state.treeWidth.value = width;
        }}
        onDone={(width) => state.setTreeWidth(width)}
      />
      <div class="search">
        <Icon name="search" />
        <input
          ref={field}
          class="field"
          type="search"
          placeholder="Find variables"
          title="Find variables (/): words of paths, descriptions, units and types, in any order; w[3-7] is five elements; = begins an expression: =sqrt(x^2 + y^2)"
          aria-label="Find variables"
          autocomplete="off"
          spellcheck={false}
          value={tree.text.value}
          onInput={({ currentTarget }) => tree.type(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') {
              tree.type('');
              field.current?.blur();
            }
            const hasText = event.currentTarget.value.trim() !== '';
            if (event.key === 'Enter' && hasText) void chooseFound(state, tree, event.shiftKey);
            else if (event.key === 'ArrowDown' || event.key === 'Enter') document.getElementById('tree-lines')?.focus();
            else return;
            event.preventDefault();
          }}
        />
      </div>
      {tree.problem.value !== undefined && <p class="problem">{tree.problem.value}</p>}
      <Lines state={state} tree={tree} />
      <footer class="tree-foot">
        <output aria-live="polite">{found && countText(found)}</output>
        <label class="check">
          <input
            type="checkbox"
            checked={tree.showsTricksOwn.value}
            onChange={({ currentTarget }) => tree.setTricksOwn(currentTarget.checked)}
          />
          Trick’s own
        </label>
      </footer>
    </aside>
  );
}

function countText({ rows: { length: count }, isComplete, isAlike }: SearchResults): string {
  if (count === 0) return 'nothing found';
  if (isAlike) return `nothing has these words; ${count} found spelled alike`;
  return isComplete ? `${count} found` : `the best ${count}; type more to find others`;
}

function Lines({ state, tree }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 600 });
  // Read, so that this is drawn again when lines have come.
  const version = tree.version.value;
  const { height } = tree;
  useEffect(() => {
    const { current } = box;
    if (!current) return undefined;
    const look = (): void => setView({ top: current.scrollTop, height: current.clientHeight });
    const observer = new ResizeObserver(look);
    observer.observe(current);
    current.addEventListener('scroll', look, { passive: true });
    return () => {
      observer.disconnect();
      current.removeEventListener('scroll', look);
    };
  }, []);
  const first = Math.max(0, Math.floor(view.top / LINE_PIXELS) - SPARE_LINES);
  const last = Math.min(height, Math.ceil((view.top + view.height) / LINE_PIXELS) + SPARE_LINES);
  const indexes = Array.from({ length: Math.max(0, last - first) }, (_, k) => first + k);
  useEffect(() => {
    for (const index of indexes) {
      const line = tree.lineAt(index);
      if (line) tree.want(line);
    }
  }, [first, last, version]);
  const cursor = tree.cursor.value;
  return (
    <div
      ref={box}
      id="tree-lines"
      class="tree-lines"
      role="tree"
      tabIndex={0}
      aria-label="Variables"
      aria-activedescendant={height > 0 ? `line-${cursor}` : undefined}
      onKeyDown={(event) => {
        if (pressed(event, { state, tree, box: box.current })) event.preventDefault();
      }}
    >
      <div class="tree-spacer" role="presentation" style={{ height: `${height * LINE_PIXELS}px` }}>
        {indexes.map((index) => {
          const line = tree.lineAt(index);
          return line && <TreeLine key={index} {...{ state, tree, line, index }} top={index * LINE_PIXELS} />;
        })}
      </div>
    </div>
  );
}

interface KeyParts extends Props {
  readonly box: HTMLDivElement | null;
}

/** True for a key that did something. */
function pressed({ key, shiftKey, ctrlKey, altKey, metaKey }: KeyboardEvent, { state, tree, box }: KeyParts): boolean {
  if (ctrlKey || altKey || metaKey) return false;
  const cursor = tree.cursor.peek();
  const line = tree.lineAt(cursor);
  const page = Math.max(1, Math.floor((box?.clientHeight ?? 0) / LINE_PIXELS) - 1);
  const goTo = (index: number): true => {
    tree.cursor.value = Math.min(Math.max(index, 0), Math.max(0, tree.height - 1));
    showLine(box, tree.cursor.value);
    return true;
  };
  switch (key) {
    case 'ArrowDown':
      return goTo(cursor + 1);
    case 'ArrowUp':
      return goTo(cursor - 1);
    case 'PageDown':
      return goTo(cursor + page);
    case 'PageUp':
      return goTo(cursor - page);
    case 'Home':
      return goTo(0);
    case 'End':
      return goTo(tree.height - 1);
    case 'ArrowRight':
      if (line?.isOpen) return goTo(cursor + 1);
      void tree.toggle(cursor);
      return true;
    case 'ArrowLeft':
      if (line?.isOpen) void tree.toggle(cursor);
      else goTo(tree.parentOf(cursor) ?? cursor);
      return true;
    case 'Escape':
      state.focusSearch();
      return true;
    case 'Enter':
      if (line?.row?.kind === 'struct' && !shiftKey) void state.addVariable(line.row.alias);
      else if (line?.row) void choose(state, tree, cursor, shiftKey);
      return true;
    default:
      return false;
  }
}

function showLine(box: HTMLDivElement | null, index: number): void {
  if (!box) return;
  const top = index * LINE_PIXELS;
  if (top < box.scrollTop) box.scrollTop = top;
  else if (top + LINE_PIXELS > box.scrollTop + box.clientHeight) box.scrollTop = top + LINE_PIXELS - box.clientHeight;
}

/** Chooses the best of what is found for the text in the field, however fast it was typed; of a range all. */
async function chooseFound(state: PageState, tree: TreeState, isPlot: boolean): Promise<void> {
  await tree.settle();
  const isRange = /\[\d+-\d+\]?/.test(tree.text.peek());
  const count = isRange ? Math.min(tree.height, MOST_CHOSEN) : 1;
  for (let index = 0; index < count; index++) await choose(state, tree, index, isPlot && index === 0);
}

/** A structure opens; everything else goes into a panel. */
async function choose(state: PageState, tree: TreeState, index: number, isPlot: boolean): Promise<void> {
  const row = tree.lineAt(index)?.row;
  if (!row) return;
  if (row.kind === 'struct' && !tree.found.peek()) await tree.toggle(index);
  else if (row.kind === 'struct') tree.type(`${row.alias}.`);
  else await state.addVariable(row.alias, isPlot ? { type: 'strip-chart' } : {});
}
