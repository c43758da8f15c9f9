// The tool that watches variables until something happens.
import { z } from 'zod';
import { type CallMethod, defineTool } from './tool.js';

/** Between two looks at the simulation time: half of what is left of it, within these. */
const PAUSE_MILLIS = { least: 20, most: 1000 };

interface Now {
  readonly sim_time: { readonly sec_si: number };
}

interface Status extends Now {
  /** Null for as fast as possible. */
  readonly clock_ratio: number | null;
}

const takes = z.object({
  names: z.array(z.string()).min(1).max(20).describe('Single numbers to watch'),
  condition: z
    .string()
    .optional()
    .describe('Until this holds, such as "lander.altitude < 10"; a variable, an operator and a value'),
  seconds: z.number().positive().max(3600).optional().describe('Or for so many seconds of simulation time'),
  timeout_seconds: z
    .number()
    .positive()
    .max(600)
    .default(30)
    .describe('Seconds of wall time after which it ends anyway'),
  samples: z.number().int().min(2).max(200).default(20).describe('At most so many of each variable'),
});

export const watch = defineTool({
  name: 'watch_until',
  about:
    'Watches variables until a condition holds, or for some simulation time, and answers with the first, last, least and greatest value of each, with their times in seconds, and some samples.',
  takes,
  next: 'A condition is a name, an operator and a value; find_variables tells names.',
  async run(call, { names: aliases, condition, seconds, timeout_seconds, samples: points }) {
    if ((condition === undefined) === (seconds === undefined))
      throw new Error('watch_until: give either condition or seconds');
    // Asking for the past begins it.
    const begun = (await call('var/history', { aliases, points: 2 })) as Now;
    const from = begun.sim_time.sec_si;
    const endMillis = performance.now() + 1000 * timeout_seconds;
    const isMet = await (condition === undefined
      ? untilTime(call, from + (seconds ?? 0), endMillis)
      : untilHeld(call, condition, endMillis));
    const past = (await call('var/history', { aliases, points, from })) as Now & { series: object };
    const { series } = (await call('var/statistics', { aliases, from, to: past.sim_time.sec_si })) as {
      series: object;
    };
    return {
      ended_by: isMet ? (condition === undefined ? 'time' : 'condition') : 'timeout',
      from_seconds: from,
      to_seconds: past.sim_time.sec_si,
      statistics: series,
      samples: past.series,
    };
  },
});

async function untilHeld(call: CallMethod, condition: string, endMillis: number): Promise<boolean> {
  try {
    await call('var/wait', { condition, timeout_ms: Math.max(0, endMillis - performance.now()) });
    return true;
  } catch (error) {
    if (/did not hold within/.test((error as Error).message)) return false;
    throw error;
  }
}

async function untilTime(call: CallMethod, seconds: number, endMillis: number): Promise<boolean> {
  for (;;) {
    const { sim_time, clock_ratio } = (await call('sim/status', {})) as Status;
    const leftSeconds = seconds - sim_time.sec_si;
    if (leftSeconds <= 0) return true;
    const leftMillis = endMillis - performance.now();
    if (leftMillis <= 0) return false;
    const half = (500 * leftSeconds) / Math.max(clock_ratio ?? Number.POSITIVE_INFINITY, 1e-3);
    const pause = Math.min(Math.max(half, PAUSE_MILLIS.least), PAUSE_MILLIS.most, leftMillis);
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
