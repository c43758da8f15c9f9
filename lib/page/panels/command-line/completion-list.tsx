// What a word on the command line may become.
import { useEffect, useRef } from 'preact/hooks';
import type { Completion } from './command-history.js';

interface ListProps {
  readonly id: string;
  readonly completion: Completion;
  readonly chosen: number;
  onChoose(text: string): void;
}

export function CompletionList({ id, completion, chosen, onChoose }: ListProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => list.current?.children[chosen]?.scrollIntoView({ block: 'nearest' }), [chosen]);
  return (
    <div class="completions" role="listbox" id={id} aria-label="Completions" ref={list}>
      {completion.items.map(({ text, kind, about }, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys of the list are handled by the field that owns it.
        // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field that owns the list.
        <div
          key={text}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === chosen}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(text)}
        >
          <span class="completion-text">{text}</span>
          <span class="completion-kind">{kind}</span>
          <span class="completion-about">{about}</span>
        </div>
      ))}
    </div>
  );
}
