// The command line: Trick's commands in, what they print and their errors out; names are completed.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { PanelContext, PanelKind, PanelSettings } from '../panel.js';
import { CommandHistory, type Completion, completed, sharedStart } from './command-history.js';
import { CompletionList } from './completion-list.js';

interface Answer {
  readonly ok: boolean;
  readonly output: readonly { readonly stream: 'stdout' | 'stderr'; readonly text: string }[];
  readonly value: string | null;
  readonly messages: readonly string[];
}

interface Entry {
  readonly number: number;
  readonly kind: 'command' | 'output' | 'error' | 'value';
  readonly text: string;
}

interface ViewProps {
  readonly panel: PanelContext;
}

/** Lines that are kept to look back at. */
const MOST_ENTRIES = 500;
const HISTORY_KEY = 'varwire-commands';

function CommandLineView({ panel }: ViewProps) {
  const [entries, setEntries] = useState<readonly Entry[]>([]);
  const [history] = useState(() => new CommandHistory(storedCommands()));
  const counter = useRef(0);
  const end = useRef<HTMLDivElement>(null);
  const add = (...added: readonly Omit<Entry, 'number'>[]): void =>
    setEntries((before) =>
      [...before, ...added.map((entry) => ({ ...entry, number: counter.current++ }))].slice(-MOST_ENTRIES),
    );
  useEffect(() => end.current?.scrollIntoView({ block: 'nearest' }), [entries]);
  const run = async (text: string): Promise<void> => {
    history.add(text);
    storeCommands(history.commands);
    add({ kind: 'command', text });
    try {
      add(...entriesOf(await panel.server.call<Answer>('trick/run', { text: `${text}\n` })));
    } catch (error) {
      add({ kind: 'error', text: (error as Error).message });
    }
  };
  return (
    <div class="command-line">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys. */}
      <div class="command-log" role="log" aria-label="Commands and answers" tabIndex={0}>
        {entries.length === 0 && (
          <p class="note">Trick’s command language, as in an input file. Tab completes, ↑ brings back.</p>
        )}
        {entries.map(({ number, kind, text }) => (
          <pre key={number} class={`entry ${kind}`}>
            {text}
          </pre>
        ))}
        <div ref={end} />
      </div>
      {panel.server.mayChange.value ? (
        <Prompt panel={panel} history={history} onRun={run} />
      ) : (
        <p class="note">This token may only read, so it runs no commands.</p>
      )}
    </div>
  );
}

function entriesOf({ ok, output, value, messages }: Answer): Omit<Entry, 'number'>[] {
  const printed = output.map(({ stream, text }, index) => {
    const isFault = stream === 'stderr' || (!ok && index === output.length - 1);
    return { kind: isFault ? ('error' as const) : ('output' as const), text: text.replace(/\n$/, '') };
  });
  const sent = messages.map((text) => ({ kind: 'output' as const, text: text.replace(/\n$/, '') }));
  return [...printed, ...sent, ...(value === null ? [] : [{ kind: 'value' as const, text: value }])];
}

interface PromptProps extends ViewProps {
  readonly history: CommandHistory;
  onRun(text: string): void;
}

function Prompt({ panel, history, onRun }: PromptProps) {
  const input = useRef<HTMLTextAreaElement>(null);
  const [completion, setCompletion] = useState<Completion>();
  const [chosen, setChosen] = useState(0);
  const put = (text: string, cursor: number = text.length): void => {
    const element = input.current as HTMLTextAreaElement;
    element.value = text;
    element.setSelectionRange(cursor, cursor);
    fit(element);
  };
  const accept = (found: Completion, item: string): void => {
    const { text, cursor } = completed(input.current?.value ?? '', found, item);
    put(text, cursor);
    setCompletion(undefined);
    input.current?.focus();
  };
  const complete = async (): Promise<void> => {
    const element = input.current as HTMLTextAreaElement;
    const asked = { text: element.value, cursor: element.selectionStart };
    const found = await panel.server.call<Completion>('trick/complete', asked).catch(() => undefined);
    if (!found || found.items.length === 0 || element.value !== asked.text) return setCompletion(undefined);
    const shared = sharedStart(found);
    const typed = asked.text.slice(found.start, found.end);
    if (found.items.length === 1 || shared.length > typed.length) accept(found, shared);
    if (found.items.length > 1) setCompletion({ ...found, end: found.start + Math.max(shared.length, typed.length) });
    setChosen(0);
  };
  const run = (): void => {
    const text = input.current?.value ?? '';
    if (text.trim() === '') return;
    put('');
    setCompletion(undefined);
    onRun(text);
  };
  const recall = (by: -1 | 1): void => {
    const recalled = history.move(by, input.current?.value ?? '');
    if (recalled !== undefined) put(recalled);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    event.stopPropagation();
    const act = completion ? listAction(event) : undefined;
    const action = act ?? promptAction(event);
    if (!action) return;
    event.preventDefault();
    action();
  };
  function listAction({ key }: KeyboardEvent): (() => void) | undefined {
    const found = completion as Completion;
    const count = found.items.length;
    if (key === 'ArrowDown') return () => setChosen((chosen + 1) % count);
    if (key === 'ArrowUp') return () => setChosen((chosen + count - 1) % count);
    if (key === 'Escape') return () => setCompletion(undefined);
    if (key === 'Enter' || key === 'Tab') return () => accept(found, found.items[chosen]?.text ?? '');
    return undefined;
  }
  function promptAction({ key, shiftKey }: KeyboardEvent): (() => void) | undefined {
    const isOneLine = !input.current?.value.includes('\n');
    if (key === 'Enter' && !shiftKey) return run;
    if (key === 'Tab' && !shiftKey && input.current?.value.trim() !== '') return () => void complete();
    if (key === 'ArrowUp' && isOneLine) return () => recall(-1);
    if (key === 'ArrowDown' && isOneLine) return () => recall(1);
    return undefined;
  }
  const listId = `${panel.id}-completions`;
  return (
    <div class="prompt">
      {completion && (
        <CompletionList
          id={listId}
          completion={completion}
          chosen={chosen}
          onChoose={(text) => accept(completion, text)}
        />
      )}
      <span class="prompt-mark" aria-hidden="true">
        ›
      </span>
      <textarea
        ref={input}
        rows={1}
        aria-label="Command"
        aria-haspopup="listbox"
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={completion && `${listId}-${chosen}`}
        spellcheck={false}
        autocapitalize="off"
        autocomplete="off"
        placeholder="trick.exec_freeze()"
        onKeyDown={onKeyDown}
        onInput={({ currentTarget }) => {
          fit(currentTarget);
          setCompletion(undefined);
        }}
      />
    </div>
  );
}

/** As many rows as there are lines, up to six. */
function fit(element: HTMLTextAreaElement): void {
  element.rows = Math.min(element.value.split('\n').length, 6);
}

function storedCommands(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(HISTORY_KEY) ?? '[]');
    return Array.isArray(stored) ? stored.filter((command) => typeof command === 'string') : [];
  } catch {
    return [];
  }
}

function storeCommands(commands: readonly string[]): void {
  try {
    localStorage.setItem(HISTORY_KEY, JSON.stringify(commands));
  } catch {
    // Without storage, commands are remembered only until the page is closed.
  }
}

export const commandLine: PanelKind<PanelSettings> = {
  type: 'command-line',
  name: 'Commands',
  about: 'Trick’s command language: commands in, answers and errors out.',
  icon: 'M2 3h12v10H2zM4.5 6l2 2-2 2M8 10h3',
  size: { columns: 10, rows: 7 },
  leastSize: { columns: 5, rows: 4 },
  settings: () => ({}),
  title: () => 'Commands',
  isOffered: (server) => server.has('trick/run'),
  View: CommandLineView,
};
