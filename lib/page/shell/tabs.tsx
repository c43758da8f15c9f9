// The tabs of the layout: shown by a press, named by a double press, closed, added.
import { useState } from 'preact/hooks';
import { addTab, removeTab, renameTab, showTab } from '../layout/changes.js';
import type { Tab } from '../layout/layout.js';
import type { PageState } from '../state/page-state.js';
import { Icon } from '../widgets/icon.js';

export function Tabs({ state }: { readonly state: PageState }) {
  const { tabs, shown } = state.layout.value;
  return (
    <nav class="tabs" aria-label="Tabs">
      <div class="tab-list" role="tablist">
        {tabs.map((tab) => (
          <TabView key={tab.id} state={state} tab={tab} isShown={tab.id === shown} isOnly={tabs.length === 1} />
        ))}
      </div>
      <button
        type="button"
        class="button tiny"
        aria-label="New tab"
        title="New tab"
        onClick={() => state.change((layout) => addTab(layout, `Tab ${layout.tabs.length + 1}`))}
      >
        <Icon name="plus" />
      </button>
    </nav>
  );
}

interface TabProps {
  readonly state: PageState;
  readonly tab: Tab;
  readonly isShown: boolean;
  readonly isOnly: boolean;
}

function TabView({ state, tab, isShown, isOnly }: TabProps) {
  const [isNaming, setNaming] = useState(false);
  if (isNaming) {
    const name = (text: string): void => {
      setNaming(false);
      const trimmed = text.trim();
      if (trimmed !== '' && trimmed !== tab.name) state.change((layout) => renameTab(layout, tab.id, trimmed));
    };
    return (
      <input
        class="field tab-name"
        aria-label="Name of the tab"
        maxLength={100}
        value={tab.name}
        ref={(field) => field?.select()}
        onBlur={({ currentTarget }) => name(currentTarget.value)}
        onKeyDown={({ key, currentTarget }) => {
          if (key === 'Enter') name(currentTarget.value);
          if (key === 'Escape') setNaming(false);
        }}
      />
    );
  }
  return (
    <div class={`tab ${isShown ? 'shown' : ''}`} role="presentation">
      <button
        type="button"
        role="tab"
        aria-selected={isShown}
        title="Double click or F2: another name"
        onClick={() => state.change((layout) => showTab(layout, tab.id))}
        onDblClick={() => setNaming(true)}
        onKeyDown={({ key }) => {
          if (key === 'F2') setNaming(true);
        }}
      >
        {tab.name}
      </button>
      {!isOnly && isShown && (
        <button
          type="button"
          class="button tiny quiet"
          aria-label={`Close ${tab.name}`}
          title="Close the tab"
          onClick={() => state.change((layout) => removeTab(layout, tab.id))}
        >
          <Icon name="close" />
        </button>
      )}
    </div>
  );
}
