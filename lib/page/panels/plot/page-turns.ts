// What all plots of the page share: each animation frame, and the moments at which texts change.
import { batch } from '@preact/signals';
import { DrawingTurns } from './drawing-turns.js';
import { SlowNews } from './slow-news.js';

export const PAGE_TURNS = new DrawingTurns({
  nowMillis: () => performance.now(),
  onNextFrame: (draw) => void requestAnimationFrame(draw),
});

/** Updates of texts beside plots. */
export const PAGE_NEWS = new SlowNews(
  { nowMillis: () => performance.now(), after: (millis, call) => void setTimeout(call, millis) },
  (tell) => batch(tell),
);
