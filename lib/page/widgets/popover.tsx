// A small box under a button, closed by Escape, by a press elsewhere, or when the focus goes elsewhere.
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

interface PopoverProps {
  /** What the button shows. */
  readonly face: ComponentChildren;
  /** For screen readers and as a tooltip. */
  readonly label: string;
  readonly buttonClass?: string;
  readonly isDisabled?: boolean;
  readonly children: (close: () => void) => ComponentChildren;
}

export function Popover({ face, label, buttonClass = 'button icon', isDisabled = false, children }: PopoverProps) {
  const [isOpen, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isOpen) return undefined;
    const pressed = (event: Event): void => {
      if (!root.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener('pointerdown', pressed);
    return () => document.removeEventListener('pointerdown', pressed);
  }, [isOpen]);
  // Before the next picture: somebody may be typing into another field by then.
  useLayoutEffect(() => {
    if (isOpen) root.current?.querySelector<HTMLElement>('.popover :is(input, select, button, a)')?.focus();
  }, [isOpen]);
  const close = (): void => {
    setOpen(false);
    button.current?.focus();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape is heard from the controls inside.
    <div
      class="popover-root"
      ref={root}
      onFocusOut={({ currentTarget, relatedTarget }) => {
        // Null when the window loses the focus, or a control that had it has gone.
        if (relatedTarget && !currentTarget.contains(relatedTarget as Node)) setOpen(false);
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isOpen) return;
        event.stopPropagation();
        close();
      }}
    >
      <button
        type="button"
        ref={button}
        class={buttonClass}
        aria-label={label}
        title={label}
        aria-expanded={isOpen}
        disabled={isDisabled}
        onClick={() => setOpen(!isOpen)}
      >
        {face}
      </button>
      {/* Takes the focus of a press between its controls, so that Escape is heard. */}
      {isOpen && (
        <div class="popover" tabIndex={-1}>
          {children(close)}
        </div>
      )}
    </div>
  );
}
