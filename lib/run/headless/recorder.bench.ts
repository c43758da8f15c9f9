// What recording 1000 doubles at 100 Hz takes of the simulation's thread, in processor time: under 2 % of a frame is meant.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { double } from '../../model/state/declare.js';
import { simulation } from '../../simulation/executive/simulation.js';
import { run } from './run.js';

const [SECONDS, FRAME_MICROS] = [20, 10_000];

const recording = (format: 'ascii' | 'csv' | 'binary' | 'mcap' | undefined) =>
  simulation({ name: 'recorded', frameSeconds: 0.01 }, (sim) => {
    const o = sim.object('o').components({ a: double(1000) });
    sim.job(0.01, () => {
      for (let index = 0; index < 1000; index++) o.a[index] = Math.sin(index + sim.timeSeconds);
    });
    if (format) sim.record('a', { format, cycleSeconds: 0.01, variables: ['o.a'] });
  });

const runDirectory = mkdtempSync(join(tmpdir(), 'varwire-bench-'));
const microsOf = async (format: Parameters<typeof recording>[0]): Promise<number> => {
  const times: number[] = [];
  for (let round = 0; round < 3; round++) {
    const start = process.cpuUsage();
    await run(recording(format), { untilSeconds: SECONDS, runDirectory });
    const { user, system } = process.cpuUsage(start);
    times.push(user + system);
  }
  return Math.min(...times) / (SECONDS * 100);
};

await microsOf('binary');
const without = await microsOf(undefined);
for (const format of ['binary', 'mcap', 'ascii', 'csv'] as const) {
  const micros = (await microsOf(format)) - without;
  const part = ((100 * micros) / FRAME_MICROS).toFixed(2);
  console.log(`${format.padEnd(8)} ${micros.toFixed(0).padStart(5)} us a row, ${part} % of a frame`);
}
rmSync(runDirectory, { recursive: true });
