// One line of the tree: it opens, it is dragged into panels, and it says what the variable is.
import type { PageState } from '../state/page-state.js';
import { DRAGGED_VARIABLE } from '../widgets/dragged.js';
import { Icon } from '../widgets/icon.js';
import { type Line, typeText } from './tree-rows.js';
import type { TreeState } from './tree-state.js';

interface Props {
  readonly state: PageState;
  readonly tree: TreeState;
  readonly line: Line;
  readonly index: number;
  readonly top: number;
}

export function TreeLine({ state, tree, line, index, top }: Props) {
  const { row, level, position, siblings, isOpen } = line;
  const isFound = tree.found.value !== undefined;
  const isCursor = tree.cursor.value === index;
  const style = { transform: `translateY(${top}px)`, paddingInlineStart: `${(level - 1) * 14 + 4}px` };
  if (!row) {
    return <div class="line loading" role="presentation" style={style} />;
  }
  const isStructure = row.kind === 'struct';
  const opens = row.has_children && !isFound;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree hears the keys for all of its lines.
    // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus, and names its line.
    <div
      id={`line-${index}`}
      class={`line ${isCursor ? 'cursor' : ''} ${isStructure ? 'structure' : ''}`}
      style={style}
      role="treeitem"
      aria-level={level}
      aria-posinset={position + 1}
      aria-setsize={siblings}
      aria-selected={isCursor}
      aria-expanded={opens ? isOpen : undefined}
      title={titleOf(row)}
      draggable={!isStructure}
      onDragStart={(event) => {
        event.dataTransfer?.setData(DRAGGED_VARIABLE, row.alias);
        event.dataTransfer?.setData('text/plain', row.alias);
      }}
      onClick={() => {
        tree.cursor.value = index;
        if (opens) void tree.toggle(index);
      }}
      onDblClick={() => {
        if (!isStructure) void state.addVariable(row.alias);
      }}
    >
      <span class={`twist ${opens ? '' : 'none'} ${isOpen ? 'open' : ''}`} aria-hidden="true">
        {opens && <Icon name="right" />}
      </span>
      <span class="line-name">{isFound ? row.alias : row.name}</span>{' '}
      <span class="line-type">
        {typeText(row)} {row.unit !== '1' && row.unit !== '' && <span class="line-unit">{row.unit}</span>}
      </span>
      {!isStructure && <LineButtons state={state} alias={row.alias} />}
    </div>
  );
}

/** For the pointer; Enter and Shift Enter do the same. */
function LineButtons({ state, alias }: { readonly state: PageState; readonly alias: string }) {
  const add = (event: Event, type?: string): void => {
    event.stopPropagation();
    void state.addVariable(alias, type === undefined ? {} : { type });
  };
  return (
    <span class="line-buttons" aria-hidden="true">
      {state.kindOf('strip-chart') && (
        <button
          type="button"
          tabIndex={-1}
          class="button tiny"
          title="Plot"
          onClick={(event) => add(event, 'strip-chart')}
        >
          <Icon name="plot" />
        </button>
      )}
      <button type="button" tabIndex={-1} class="button tiny" title="Add to a panel" onClick={(event) => add(event)}>
        <Icon name="plus" />
      </button>
    </span>
  );
}

const titleOf = (row: NonNullable<Line['row']>): string =>
  [`${row.alias}  ${typeText(row)}`, row.about, row.access === 'read-write' ? '' : row.access]
    .filter((part) => part !== '')
    .join('\n');
