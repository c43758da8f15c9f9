// The simulation's messages: the latest below, those of the past above.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { PanelContext, PanelKind } from '../panel.js';
import { usePolled } from '../polling/polled.js';
import { recordOf } from '../values/given.js';
import { clockText } from '../values/number-text.js';
import { type MessageLevel, matching, type SimMessage, withMessages } from './message-list.js';

interface MessagesSettings {
  readonly [name: string]: unknown;
  readonly level: MessageLevel;
}

interface ViewProps {
  readonly panel: PanelContext<MessagesSettings>;
}

const POLL_MILLIS = 500;
const LEVELS: readonly MessageLevel[] = ['debug', 'normal', 'warning', 'error'];

function MessagesView({ panel }: ViewProps) {
  const [messages, setMessages] = useState<readonly SimMessage[]>([]);
  const [text, setText] = useState('');
  const after = messages.at(-1)?.number;
  const { answer, fault } = usePolled<{ readonly messages: readonly SimMessage[] }>(
    panel,
    'sim/messages',
    POLL_MILLIS,
    after === undefined ? { last: 500 } : { after },
  );
  useEffect(() => {
    if (answer) setMessages((known) => withMessages(known, answer.messages));
  }, [answer]);
  const shown = matching(messages, panel.settings.value.level, text);
  return (
    <div class="messages">
      <div class="messages-bar">
        <input
          class="field"
          type="search"
          placeholder="Find in messages"
          aria-label="Find in messages"
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        <select
          class="field"
          aria-label="Least level"
          value={panel.settings.value.level}
          onChange={({ currentTarget }) => panel.change({ level: currentTarget.value as MessageLevel })}
        >
          {LEVELS.map((level) => (
            <option key={level} value={level}>
              {level === 'debug' ? 'all' : `${level} and above`}
            </option>
          ))}
        </select>
      </div>
      {fault !== undefined && <p class="note fault">{fault}</p>}
      <Lines messages={shown} isEmpty={messages.length === 0} />
    </div>
  );
}

/** Stays at the end while a person is there, and stands still while the person looks at earlier lines. */
function Lines({ messages, isEmpty }: { readonly messages: readonly SimMessage[]; readonly isEmpty: boolean }) {
  const list = useRef<HTMLOListElement>(null);
  const isAtEnd = useRef(true);
  useEffect(() => {
    if (isAtEnd.current && list.current) list.current.scrollTop = list.current.scrollHeight;
  }, [messages]);
  const note = ({
    currentTarget: { scrollTop, scrollHeight, clientHeight },
  }: {
    readonly currentTarget: HTMLElement;
  }): void => {
    isAtEnd.current = scrollHeight - scrollTop - clientHeight < 24;
  };
  if (messages.length === 0) return <p class="empty">{isEmpty ? 'No messages yet.' : 'No message fits.'}</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys.
    <ol ref={list} class="message-lines" onScroll={note} tabIndex={0} aria-label="Messages">
      {messages.map(({ number, level, text, elapsed_sec }) => (
        <li key={number} class={`message ${level}`}>
          <span class="message-time number">{clockText(elapsed_sec)}</span>
          <span class="message-text">
            {(level === 'warning' || level === 'error') && <b>{level} </b>}
            {text.trimEnd()}
          </span>
        </li>
      ))}
    </ol>
  );
}

export const messages: PanelKind<MessagesSettings> = {
  type: 'messages',
  name: 'Messages',
  about: 'What the simulation says.',
  icon: 'M2.5 3h11v8h-6l-3 2.5V11h-2zM5 6h6M5 8.5h4',
  size: { columns: 12, rows: 6 },
  leastSize: { columns: 5, rows: 3 },
  settings: (given) => {
    const { level } = recordOf(given);
    return { level: LEVELS.find((known) => known === level) ?? 'debug' };
  },
  title: () => 'Messages',
  isOffered: (server) => server.has('sim/messages'),
  View: MessagesView,
};
