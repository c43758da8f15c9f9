// The border between two parts side by side: dragged, or moved by the arrow keys, it makes the left one wider.
import { useRef } from 'preact/hooks';

interface SplitterProps {
  readonly label: string;
  /** The width of the left part, in any unit. */
  readonly value: number;
  readonly least: number;
  readonly most: number;
  readonly perPixel?: number;
  onMove(value: number): void;
  /** Called once when it has been moved. */
  onDone(value: number): void;
}

const STEP_PIXELS = 16;

export function Splitter({ label, value, least, most, perPixel = 1, onMove, onDone }: SplitterProps) {
  const grabbed = useRef<{ readonly x: number; readonly value: number }>();
  const within = (wanted: number): number => Math.round(Math.min(Math.max(wanted, least), most));
  const drop = (): void => {
    if (grabbed.current) onDone(within(value));
    grabbed.current = undefined;
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule cannot be moved.
    <div
      class="splitter"
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={Math.round(value)}
      aria-valuemin={least}
      aria-valuemax={most}
      tabIndex={0}
      title={`${label}: drag, or arrow keys`}
      onPointerDown={(event) => {
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
        grabbed.current = { x: event.clientX, value };
      }}
      onPointerMove={({ clientX }) => {
        const from = grabbed.current;
        if (from) onMove(within(from.value + (clientX - from.x) * perPixel));
      }}
      onPointerUp={drop}
      onPointerCancel={drop}
      onKeyDown={(event) => {
        const direction = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        if (direction === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        onDone(within(value + direction * STEP_PIXELS * perPixel));
      }}
    />
  );
}
