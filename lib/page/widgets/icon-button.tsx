// A button that shows an icon, and beside it a word where there is room.
import { Icon, type IconName } from './icon.js';

interface IconButtonProps {
  readonly icon: IconName;
  /** For screen readers. */
  readonly label: string;
  /** The tooltip, with the key that does the same; default: the label. */
  readonly title?: string;
  readonly class?: string;
  /** Shown on a desk only. */
  readonly word?: string;
  readonly isDisabled?: boolean;
  /** Of a button that is in or out. */
  readonly isPressed?: boolean;
  onClick(): void;
}

export function IconButton({
  icon,
  label,
  title = label,
  class: look = 'button icon',
  word,
  isDisabled = false,
  isPressed,
  onClick,
}: IconButtonProps) {
  return (
    <button
      type="button"
      class={look}
      aria-label={label}
      title={title}
      aria-pressed={isPressed}
      disabled={isDisabled}
      onClick={onClick}
    >
      <Icon name={icon} />
      {word !== undefined && <span class="desk-only">{word}</span>}
    </button>
  );
}
