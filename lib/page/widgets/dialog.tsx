// A dialog over the page: the browser keeps the focus inside, and Escape closes it.
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from './icon.js';

interface DialogProps {
  readonly title: string;
  readonly children: ComponentChildren;
  readonly isWide?: boolean;
  onClose(): void;
}

export function DialogView({ title, children, isWide = false, onClose }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  // Before the next picture: somebody may be typing by then.
  useLayoutEffect(() => {
    const { current } = element;
    if (!current) return undefined;
    current.showModal();
    // The browser would choose the cross.
    const body = current.querySelector('.dialog-body');
    for (const kind of ['input, select, textarea', 'button, a']) {
      const found = body?.querySelector<HTMLElement>(`:is(${kind}):not(:disabled)`);
      if (found) {
        found.focus();
        break;
      }
    }
    // Closed, it gives the focus back to where it was.
    return () => current.close();
  }, []);
  return (
    <dialog
      ref={element}
      class={`dialog ${isWide ? 'wide' : ''}`}
      aria-label={title}
      // At once: a key after Escape is one of the page.
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      // Told later; another dialog may be open by then.
      onClose={() => element.current && onClose()}
      onMouseDown={(event) => {
        // A press on the backdrop is one on the dialog element itself.
        if (event.target === element.current) onClose();
      }}
    >
      <div class="dialog-box">
        <header class="dialog-head">
          <h2>{title}</h2>
          <button type="button" class="button icon" aria-label="Close" onClick={onClose}>
            <Icon name="close" />
          </button>
        </header>
        <div class="dialog-body">{children}</div>
      </div>
    </dialog>
  );
}
