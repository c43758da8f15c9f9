// Lines to paste: how other programs reach the same values.
import { useRef, useState } from 'preact/hooks';
import { shownTab } from '../layout/changes.js';
import type { PageState } from '../state/page-state.js';
import { DialogView } from '../widgets/dialog.js';
import { isCopied } from './copied.js';
import { lines, type PastedServer } from './paste-lines.js';

export function ConnectDialog({ state, onClose }: { readonly state: PageState; onClose(): void }) {
  const place: PastedServer = {
    base: new URL('./', document.baseURI).href,
    hasToken: state.hasToken,
    alias: firstAlias(state) ?? 'ball.position',
  };
  return (
    <DialogView title="Other programs" onClose={onClose} isWide>
      {lines(place).map(({ title, text }) => (
        <Paste key={title} title={title} text={text} />
      ))}
      <p class="quiet">
        All methods with schemas and examples: <a href="openrpc.json">openrpc.json</a>. For Prometheus:{' '}
        <a href="metrics">metrics</a>. For watchdogs: <a href="healthz">healthz</a>. For pages of your own:{' '}
        <a href="varwire.js">varwire.js</a>.
      </p>
    </DialogView>
  );
}

/** A variable that is in sight, for lines that can be run as they are. */
function firstAlias(state: PageState): string | undefined {
  const text = JSON.stringify(shownTab(state.layout.value).panels.map(({ settings }) => settings));
  return /"alias":"([^"\\]+)"/.exec(text)?.[1];
}

function Paste({ title, text }: { readonly title: string; readonly text: string }) {
  const [face, setFace] = useState('copy');
  const pre = useRef<HTMLPreElement>(null);
  const copy = async (): Promise<void> => {
    const isDone = await isCopied(text);
    setFace(isDone ? 'copied' : 'press Ctrl c');
    if (!isDone && pre.current) getSelection()?.selectAllChildren(pre.current);
  };
  return (
    <section class="paste">
      <h3>{title}</h3>
      <pre ref={pre}>{text}</pre>
      <button type="button" class="button tiny" aria-label={`Copy: ${title}`} onClick={() => void copy()}>
        {face}
      </button>
    </section>
  );
}
