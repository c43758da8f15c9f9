// The pointer on a chart: the wheel zooms and moves, the middle button or shift moves, fingers move and zoom.
import type uPlot from 'uplot';
import { type FingerMove, Fingers } from './fingers.js';

const WHEEL_ZOOM = 1.0015;

/** What the pointer does to the part that a chart shows, in pixels from its left upper corner. */
export interface PointerMove extends FingerMove {
  /** `pinch` zooms and moves at once. */
  readonly kind: 'zoom' | 'pan' | 'pinch';
}

const isPanning = ({ button, shiftKey }: MouseEvent): boolean => button === 1 || (button === 0 && shiftKey);

/** uPlot's own dragging draws a frame; with the shift key or the middle button it moves what is shown. */
export const unlessPanning: uPlot.Cursor.MouseListenerFactory = (_plot, _element, handle) => (event) => {
  if (!isPanning(event)) handle(event);
  return null;
};

/** @param directions `x` where only time can be moved; then up and down with fingers has no effect. */
export function listenToPointer(
  over: HTMLElement,
  directions: 'x' | 'x and y',
  onMove: (move: PointerMove) => void,
  signal: AbortSignal,
): void {
  const onWheel = (event: WheelEvent): void => {
    event.preventDefault();
    const isSideways = Math.abs(event.deltaX) > Math.abs(event.deltaY) || event.shiftKey;
    const center = { x: event.offsetX, y: event.offsetY };
    if (isSideways) onMove({ kind: 'pan', pixels: { x: event.deltaX || event.deltaY, y: 0 }, factor: 1, center });
    else onMove({ kind: 'zoom', pixels: { x: 0, y: 0 }, factor: WHEEL_ZOOM ** -event.deltaY, center });
  };
  over.addEventListener('wheel', onWheel, { signal, passive: false });

  const fingers = new Fingers();
  const placeOf = ({ clientX, clientY }: PointerEvent): { x: number; y: number } => {
    const { left, top } = over.getBoundingClientRect();
    return { x: clientX - left, y: directions === 'x' ? 0 : clientY - top };
  };
  const onDown = (event: PointerEvent): void => {
    if (!isPanning(event) && event.pointerType !== 'touch') return;
    fingers.down(event.pointerId, placeOf(event));
    over.setPointerCapture(event.pointerId);
  };
  const moved = (event: PointerEvent): void => {
    if (fingers.count === 0) return;
    const move = fingers.move(event.pointerId, placeOf(event));
    if (move) onMove({ kind: fingers.count === 2 ? 'pinch' : 'pan', ...move });
  };
  over.addEventListener('pointerdown', onDown, { signal });
  over.addEventListener('pointermove', moved, { signal });
  for (const type of ['pointerup', 'pointercancel'] as const)
    over.addEventListener(type, ({ pointerId }) => fingers.up(pointerId), { signal });
}
