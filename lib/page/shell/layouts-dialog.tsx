// Layouts: saved under names in this browser and on the server, shared as an address, as files, and the one that the simulation ships.
import { useRef, useState } from 'preact/hooks';
import { hashOf } from '../layout/address.js';
import { addLayout } from '../layout/changes.js';
import { EMPTY_LAYOUT, type Layout, layoutOf } from '../layout/layout.js';
import type { PageState } from '../state/page-state.js';
import { DialogView } from '../widgets/dialog.js';
import { Icon } from '../widgets/icon.js';
import { isCopied } from './copied.js';
import { layoutOfFile, saveLayout } from './layout-files.js';
import { QuestionView, ServerLayoutList, useServerLayouts } from './server-layouts.js';

interface Props {
  readonly state: PageState;
  readonly shipped: Layout | undefined;
  onClose(): void;
}

type Saved = Readonly<Record<string, unknown>>;

export function LayoutsDialog({ state, shipped, onClose }: Props) {
  const show = (layout: Layout, sentence: string): void => {
    state.change(() => layout);
    state.say(sentence);
    onClose();
  };
  return (
    <DialogView title="Layouts" onClose={onClose}>
      <SavedLayouts state={state} onShow={show} />
      <h3>Elsewhere</h3>
      <div class="stack">
        <button type="button" class="menu-item" onClick={() => void share(state)}>
          <Icon name="link" /> Copy an address that has this layout
        </button>
        <button
          type="button"
          class="menu-item"
          onClick={() => saveLayout(state.layout.peek(), state.server.status.peek()?.name ?? 'varwire')}
        >
          <Icon name="save" /> Save as a file
        </button>
        <label class="menu-item">
          <Icon name="load" /> Open a file: a layout, a .tv file of Trick View, or a DP file
          <input
            class="file-input"
            type="file"
            accept=".json,.tv,.xml,.dp"
            onChange={({ currentTarget: { files } }) => {
              const file = files?.[0];
              if (file) void state.attempt(async () => show(await opened(state, file), `${file.name} is open`));
            }}
          />
        </label>
        {shipped && (
          <button type="button" class="menu-item" onClick={() => show(shipped, 'as the simulation ships it')}>
            <Icon name="undo" /> As the simulation ships it
          </button>
        )}
        <button type="button" class="menu-item" onClick={() => show(EMPTY_LAYOUT, 'an empty layout')}>
          <Icon name="layouts" /> Begin anew
        </button>
      </div>
      <p class="quiet">
        <kbd>Ctrl z</kbd> takes back any change.
      </p>
    </DialogView>
  );
}

/** A layout of JSON takes the place of the present one; what Trick's files have comes as further tabs. */
export async function opened(state: PageState, file: File): Promise<Layout> {
  const layout = await layoutOfFile(state, file);
  return /\.json$/i.test(file.name) ? layout : addLayout(state.layout.peek(), layout);
}

async function share(state: PageState): Promise<void> {
  await state.attempt(async () => {
    const address = new URL(location.href);
    address.hash = await hashOf(state.layout.peek());
    history.replaceState(null, '', address);
    state.say(
      (await isCopied(address.href))
        ? 'the address is copied; it has the whole layout'
        : 'the layout is in the address of this page now; copy it there',
    );
  });
}

interface SavedProps {
  readonly state: PageState;
  onShow(layout: Layout, sentence: string): void;
}

function SavedLayouts({ state, onShow }: SavedProps) {
  const [saved, setSaved] = useState<Saved>(() => (state.keptValue('saved') ?? {}) as Saved);
  const [name, setName] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const onServer = useServerLayouts(state);
  const write = (next: Saved): void => {
    state.keep('saved', next);
    setSaved(next);
  };
  const names = Object.keys(saved);
  return (
    <>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          const key = name.trim();
          if (key === '') return;
          write({ ...saved, [key]: state.layout.peek() });
          setName('');
          state.say(`saved as ${key}, in this browser`);
        }}
      >
        <input
          ref={field}
          class="field"
          aria-label="Name of this layout"
          placeholder="Name of this layout"
          maxLength={60}
          value={name}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
        <button type="submit" class="button primary">
          Save
        </button>
        {onServer.listed.may_save && (
          <button type="button" class="button" disabled={name.trim() === ''} onClick={() => onServer.save(name.trim())}>
            Save on the server
          </button>
        )}
      </form>
      <QuestionView
        question={onServer.question}
        onAnswer={(isYes) => {
          onServer.answer(isYes);
          field.current?.focus();
        }}
      />
      {names.length > 0 && <h3>In this browser</h3>}
      {names.length > 0 && (
        <ul class="files">
          {names.map((key) => (
            <li key={key} class="row">
              <button
                type="button"
                class="menu-item"
                onClick={() => void state.attempt(async () => onShow(layoutOf(saved[key]), `${key} is open`))}
              >
                {key}
              </button>
              <button
                type="button"
                class="button tiny quiet"
                aria-label={`Forget ${key}`}
                title="Forget"
                onClick={() => write(Object.fromEntries(Object.entries(saved).filter(([other]) => other !== key)))}
              >
                <Icon name="close" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <ServerLayoutList state={state} layouts={onServer} onShow={onShow} />
    </>
  );
}
