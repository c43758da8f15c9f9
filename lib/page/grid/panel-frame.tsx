// One panel: its title bar, what moves and resizes it, and its content.
import { type Signal, signal } from '@preact/signals';
import { Component, type ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { changeRun, changeSettings, removePanel, renamePanel } from '../layout/changes.js';
import { LONGEST_NAME, type PlacedPanel } from '../layout/layout.js';
import type { PanelContext, PanelKind } from '../panels/panel.js';
import type { PageState } from '../state/page-state.js';
import { DRAGGED_VARIABLE } from '../widgets/dragged.js';
import { Icon } from '../widgets/icon.js';
import { IconButton } from '../widgets/icon-button.js';
import { Popover } from '../widgets/popover.js';

interface Props {
  readonly state: PageState;
  readonly panel: PlacedPanel;
  /** Begins to move or to resize it by the pointer. */
  onGrab(event: PointerEvent, what: 'move' | 'resize'): void;
}

/** Signals that exist as long as the panel is drawn. */
interface Own {
  readonly settings: Signal<PlacedPanel['settings']>;
  readonly size: Signal<{ width: number; height: number }>;
  readonly isVisible: Signal<boolean>;
  readonly context: PanelContext;
}

function ownOf(state: PageState, panel: PlacedPanel, kind: PanelKind | undefined): Own {
  const settings = signal(kind?.settings(panel.settings) ?? panel.settings);
  const size = signal({ width: 0, height: 0 });
  const isVisible = signal(true);
  const context: PanelContext = {
    id: panel.id,
    server: state.server,
    settings,
    size,
    isVisible,
    isDark: state.isDark,
    limits: state.limits,
    runs: state.runs,
    changeRun: (run, part) => state.change((layout) => changeRun(layout, run, part)),
    open: (type, settings) => {
      const opened = state.kindOf(type);
      if (opened) state.addPanel(opened, settings);
    },
    change: (part) => state.change((layout) => changeSettings(layout, panel.id, part)),
    say: (sentence, how) => state.say(sentence, how),
  };
  return { settings, size, isVisible, context };
}

export function PanelFrame({ state, panel, onGrab }: Props) {
  const kind = state.kindOf(panel.type);
  const body = useRef<HTMLDivElement>(null);
  const own = useMemo(() => ownOf(state, panel, kind), [state, panel.id, kind]);
  // Before the next picture, which would show values of before beside what has just been chosen for them.
  useLayoutEffect(() => {
    own.settings.value = kind?.settings(panel.settings) ?? panel.settings;
  }, [own, kind, panel.settings]);
  useEffect(() => follow(body.current, own), [own]);
  useEffect(() => {
    // A new panel has the focus, and may lie below the visible part.
    if (state.focused.peek() === panel.id) body.current?.parentElement?.scrollIntoView({ block: 'nearest' });
  }, [state, panel.id]);
  const usual = kind?.title(own.settings.value) ?? (state.hasAllKinds.value ? panel.type : '');
  const title = panel.name ?? usual;
  const isEnlarged = state.enlarged.value === panel.id;
  return (
    <section
      class={`panel ${state.focused.value === panel.id ? 'focused' : ''} ${isEnlarged ? 'enlarged' : ''}`}
      aria-label={`${kind?.name ?? 'Panel'}: ${title}`}
      data-panel={panel.id}
      data-type={panel.type}
      onFocusCapture={() => state.focus(panel.id)}
      onPointerDownCapture={() => state.focus(panel.id)}
      onDragOver={(event) => {
        if (!kind?.add || !event.dataTransfer?.types.includes(DRAGGED_VARIABLE)) return;
        event.preventDefault();
        event.stopPropagation();
        event.currentTarget.classList.add('drop');
      }}
      onDragLeave={({ currentTarget }) => currentTarget.classList.remove('drop')}
      onDrop={(event) => {
        event.currentTarget.classList.remove('drop');
        const alias = event.dataTransfer?.getData(DRAGGED_VARIABLE);
        if (!alias || !kind?.add) return;
        event.preventDefault();
        event.stopPropagation();
        void state.addVariable(alias, { panel: panel.id });
      }}
    >
      <header class="panel-head">
        {/* biome-ignore lint/a11y/noStaticElementInteractions: keys move the panel too. */}
        <div
          class="panel-grip"
          onPointerDown={(event) => onGrab(event, 'move')}
          onDblClick={() => enlarge(state, panel.id)}
        >
          <h2 class="panel-title" title={title}>
            {title}
          </h2>
        </div>
        <PanelTools {...{ kind, own, state, panel, usual, isEnlarged }} />
      </header>
      <div class="panel-body" ref={body}>
        {kind ? (
          <Fenced key={panel.id}>
            <kind.View panel={own.context} />
          </Fenced>
        ) : (
          state.hasAllKinds.value && <p class="empty">This page has no panel of the kind “{panel.type}”.</p>
        )}
      </div>
      <div class="panel-corner" aria-hidden="true" onPointerDown={(event) => onGrab(event, 'resize')} />
    </section>
  );
}

interface ToolsProps {
  readonly kind: PanelKind | undefined;
  readonly own: Own;
  readonly state: PageState;
  readonly panel: PlacedPanel;
  /** Its title when nobody has named it. */
  readonly usual: string;
  readonly isEnlarged: boolean;
}

function PanelTools({ kind, own, state, panel, usual, isEnlarged }: ToolsProps) {
  const Settings = kind?.SettingsView;
  const { id, name = '' } = panel;
  const rename = (text: string): void => state.change((layout) => renamePanel(layout, id, text.trim()));
  return (
    <div class="panel-tools">
      {kind?.ToolsView && <kind.ToolsView panel={own.context} />}
      <Popover label="Settings of the panel" face={<Icon name="gear" />} buttonClass="button tiny quiet">
        {() => (
          <>
            {Settings && <Settings panel={own.context} />}
            <label class="labelled">
              Name of the panel
              <input
                class="field"
                value={name}
                placeholder={usual}
                maxLength={LONGEST_NAME}
                onChange={({ currentTarget }) => rename(currentTarget.value)}
              />
            </label>
          </>
        )}
      </Popover>
      <IconButton
        icon="enlarge"
        label={isEnlarged ? 'Back to its place' : 'Fill the window'}
        title={isEnlarged ? 'Back to its place (f)' : 'Fill the window (f)'}
        class="button tiny quiet"
        onClick={() => enlarge(state, id)}
      />
      <IconButton
        icon="close"
        label="Remove the panel"
        title="Remove the panel (Delete)"
        class="button tiny quiet"
        onClick={() => state.change((layout) => removePanel(layout, id))}
      />
    </div>
  );
}

export function enlarge(state: PageState, id: string): void {
  state.enlarged.value = state.enlarged.peek() === id ? undefined : id;
}

/** Tells the panel its size, and whether anybody can see it. */
function follow(body: HTMLDivElement | null, { size, isVisible }: Own): (() => void) | undefined {
  if (!body) return undefined;
  const sizes = new ResizeObserver(() => {
    size.value = { width: body.clientWidth, height: body.clientHeight };
  });
  const sights = new IntersectionObserver((entries) => {
    isVisible.value = entries.at(-1)?.isIntersecting ?? true;
  });
  sizes.observe(body);
  sights.observe(body);
  return () => {
    sizes.disconnect();
    sights.disconnect();
  };
}

/** A panel that throws says so in its place; the others go on. */
class Fenced extends Component<{ readonly children: ComponentChildren }, { readonly sentence?: string }> {
  override state: { readonly sentence?: string } = {};

  override componentDidCatch(error: Error): void {
    this.setState({ sentence: error.message });
  }

  override render() {
    const { sentence } = this.state;
    if (sentence === undefined) return this.props.children;
    return <p class="empty error">This panel failed: {sentence}</p>;
  }
}
