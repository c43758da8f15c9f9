// A button that shows an icon, and beside it a word where there is room.
import { Icon, type IconName } from './icon.js';

interface IconButtonProps {
  readonly icon: IconName;
  /** For screen readers. */
  readonly label: string;
  /** The tooltip, with the key that does the same; default: the label. */
  readonly title?: string;
  readonly class?: string;
  /** A word that only wide windows show. */
  readonly word?: string;
  readonly isDisabled?: boolean;
  /** Only for a button that stays pressed. */
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
