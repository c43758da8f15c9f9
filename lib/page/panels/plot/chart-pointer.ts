// The pointer on a chart: the wheel zooms and moves, the middle button or shift moves, fingers move and zoom.
import { type FingerMove, Fingers } from './fingers.js';

const WHEEL_ZOOM = 1.0015;

/** The time axis of a chart, in pixels from its left edge. */
export interface PointedAxis {
  timeAt(left: number): number;
}

export interface PointerGestures {
  onZoom(factor: number, at: number): void;
  onPan(seconds: number): void;
  /** Two fingers: zooms around a time, and moves. */
  onPinch(factor: number, at: number, seconds: number): void;
}

export const isPanning = ({ button, shiftKey }: MouseEvent): boolean => button === 1 || (button === 0 && shiftKey);

export function listenToPointer(
  over: HTMLElement,
  axis: PointedAxis,
  gestures: PointerGestures,
  signal: AbortSignal,
): void {
  const secondsOf = (pixels: number): number => axis.timeAt(pixels) - axis.timeAt(0);
  const onWheel = (event: WheelEvent): void => {
    event.preventDefault();
    const isSideways = Math.abs(event.deltaX) > Math.abs(event.deltaY) || event.shiftKey;
    const distance = event.deltaX || event.deltaY;
    if (isSideways) gestures.onPan(secondsOf(distance));
    else gestures.onZoom(WHEEL_ZOOM ** -event.deltaY, axis.timeAt(event.offsetX));
  };
  over.addEventListener('wheel', onWheel, { signal, passive: false });

  const fingers = new Fingers();
  const moved = ({ pixels, factor, center }: FingerMove): void => {
    if (fingers.count === 2) gestures.onPinch(factor, axis.timeAt(center), secondsOf(pixels));
    else gestures.onPan(secondsOf(pixels));
  };
  const leftOf = ({ clientX }: PointerEvent): number => clientX - over.getBoundingClientRect().left;
  const onDown = (event: PointerEvent): void => {
    if (!isPanning(event) && event.pointerType !== 'touch') return;
    fingers.down(event.pointerId, leftOf(event));
    over.setPointerCapture(event.pointerId);
  };
  const onMove = (event: PointerEvent): void => {
    if (fingers.count === 0) return;
    const move = fingers.move(event.pointerId, leftOf(event));
    if (move) moved(move);
  };
  over.addEventListener('pointerdown', onDown, { signal });
  over.addEventListener('pointermove', onMove, { signal });
  for (const type of ['pointerup', 'pointercancel'] as const)
    over.addEventListener(type, ({ pointerId }) => fingers.up(pointerId), { signal });
}
