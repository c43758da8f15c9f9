// The limits of a chart's lines, in the units in which they are drawn.
import { effect } from '@preact/signals';
import { limitsIn } from '../form/shared-limits.js';
import type { Limits } from '../values/limits.js';
import type { ChartPanel, ChartState } from './chart-state.js';

/** Keeps them until the returned function is called. */
export function followLimits(panel: ChartPanel, state: ChartState): () => void {
  let asked = 0;
  const stop = effect(() => {
    const all = panel.limits.value;
    const lines = panel.settings.value.lines.filter(({ alias }) => all[alias] !== undefined);
    const question = ++asked;
    const found = lines.map(async ({ alias, units }): Promise<[string, Limits | undefined]> => {
      const own = all[alias] as Limits;
      return [
        alias,
        units === undefined ? own : await limitsIn(panel.server, alias, own, units).catch(() => undefined),
      ];
    });
    void Promise.all(found).then((each) => {
      if (question !== asked) return;
      const known = each.filter((one): one is [string, Limits] => one[1] !== undefined);
      if (known.length > 0 || state.limits.peek().size > 0) state.limits.value = new Map(known);
    });
  });
  return () => {
    asked++;
    stop();
  };
}
