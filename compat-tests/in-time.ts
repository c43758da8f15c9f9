// What a server does while it keeps pace: on a busy machine it leaves frames out for lack of time, and counts them.
import { setTimeout as wait } from 'node:timers/promises';
import { ask } from './asking.js';

const POLL_MILLIS = 50;

/** What a server leaves out: frames for all of its clients, or cycles of one. */
type LeftOut = 'frames' | 'cycles';

const SKIPPED: Readonly<Record<LeftOut, string>> = {
  frames: 'varwire_frames_skipped{of="frames"}',
  cycles: 'varwire_frames_skipped{of="cycles"}',
};

/** The sum of some samples of a server's metrics. */
async function sumOf(port: number, samples: readonly string[]): Promise<number> {
  const { text } = await ask({ port, path: '/metrics' });
  const lines = text.split('\n').map((line) => line.split(' '));
  const counts = samples.map((sample) => lines.find(([name]) => name === sample)?.[1]);
  if (counts.includes(undefined)) throw new Error(`no count of what was left out:\n${text}`);
  return counts.reduce((sum, count) => sum + Number(count), 0);
}

/** How many of them a server has left out so far because there was no time for them. */
export const leftOut = (port: number, kinds: readonly LeftOut[]): Promise<number> =>
  sumOf(
    port,
    kinds.map((kind) => SKIPPED[kind]),
  );

/** The same of all kinds, with the frames that were written over before the server read them. */
export const lackOfTime = (port: number): Promise<number> =>
  sumOf(port, [...Object.values(SKIPPED), 'varwire_frames_lapped_total']);

/** What `/healthz` says with a status; on a busy machine the server may first say that it came too late. */
export async function healthOf(
  status: number,
  ask: () => Promise<{ readonly status: number; readonly text: string }>,
): Promise<string> {
  for (;;) {
    const answer = await ask();
    if (answer.status === status && !answer.text.includes('too late')) return answer.text;
    await wait(POLL_MILLIS);
  }
}

/** The result of the first attempt during which the server has left nothing out. */
export async function inTime<Result>(
  port: number,
  attempt: () => Promise<Result>,
  kinds: readonly LeftOut[] = ['frames', 'cycles'],
): Promise<Result> {
  for (;;) {
    const before = await leftOut(port, kinds);
    const result = await attempt();
    if ((await leftOut(port, kinds)) === before) return result;
  }
}

/**
 * So many steps in seconds from one time to the next, after the first step that is as long as is wanted; others while the
 * server has left some out.
 */
export async function stepsInTime(
  port: number,
  wanted: number,
  count: number,
  nextTime: () => Promise<number>,
): Promise<number[]> {
  const isExact = (step: number): boolean => Math.abs(step - wanted) <= 1e-5;
  for (;;) {
    let [before, last] = [await nextTime(), await nextTime()];
    while (!isExact(last - before)) [before, last] = [last, await nextTime()];
    const steps: number[] = [];
    for (; steps.length < count; steps.push(last - before)) [before, last] = [last, await nextTime()];
    if (steps.every(isExact) || (await leftOut(port, ['frames', 'cycles'])) === 0) return steps;
  }
}
