// What docs/recordings.md is about: its blocks, and the recordings that its commands take.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run, simulation } from '../lib/index.js';
import ball from '../sims/ball.js';

export const recordingsPage = (): string => readFileSync(new URL('../../docs/recordings.md', import.meta.url), 'utf8');

/** The blocks of a page in one language. */
export const blocks = (page: string, language: string): string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'))].map(([, block = '']) => block);

/** Writes log_flight.trk, and log_windy.trk of the same ball as if the wind had moved it. */
export async function recordFlight(directory: string): Promise<void> {
  const recorded = simulation({ ...ball.options }, (sim) => {
    ball.build(sim);
    const variables = ['ball.position[0]', 'ball.position[1]'];
    sim.record('flight', { format: 'binary', cycleSeconds: 0.1, variables });
  });
  await run(recorded, { untilSeconds: 2, runDirectory: directory });
  const windy = readFileSync(join(directory, 'log_flight.trk'));
  for (let row = 0; row < 20; row++) windy.writeDoubleLE(row + 0.5, windy.length - 24 * row - 16);
  writeFileSync(join(directory, 'log_windy.trk'), windy);
}
