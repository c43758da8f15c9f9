// The drawing turns of the page: all plots share each animation frame.
import { DrawingTurns } from './drawing-turns.js';

export const PAGE_TURNS = new DrawingTurns({
  nowMillis: () => performance.now(),
  onNextFrame: (draw) => void requestAnimationFrame(draw),
});
