// What a condition of an event costs the simulation each time that it is due, and frames a second with one that is due in each.
import { tmpdir } from 'node:os';
import { double } from '../../../model/state/declare.js';
import { simulation } from '../../../simulation/executive/simulation.js';
import { startServedSource } from '../../../testing/aids/local-source.js';
import { parseText } from './block-text.js';

const CONDITIONS = [
  'p.x >= 1e9',
  'p.x >= 1e9 or trick.exec_get_sim_time() == 5000.5',
  'abs(p.x - 5) < 1e-3 and p.v > 0 and not p.x == 7',
];
const TIMES = 100_000;
const FRAMES = 100_000;

const point = simulation({ name: 'point', frameSeconds: 0.01, realTime: false }, (sim) => {
  const p = sim.object('p').components({ x: double(), v: double() }, { v: 1 });
  sim.job(0.01, (deltaSeconds) => {
    p.x += p.v * deltaSeconds;
  });
});

const started = () =>
  startServedSource(point, { arguments: [], directory: '/', file: 'point', runDirectory: tmpdir() });
const expressionOf = (text: string): unknown => {
  const [statement] = parseText(text).body;
  return statement?.kind === 'expression-statement' ? statement.value : undefined;
};
const cpuMicros = (run: () => void): number => {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return user + system;
};

const { host, source } = await started();
for (const text of CONDITIONS) {
  const decide = host.running.conditions.decider({ expression: expressionOf(text) });
  const micros = [0, 1, 2].map(() =>
    cpuMicros(() => {
      for (let time = 0; time < TIMES; time++) decide();
    }),
  );
  console.log(`${text}: ${(Math.min(...micros) / TIMES).toFixed(2)} us`);
}
const frames = (): string => (FRAMES / (cpuMicros(() => runFrames()) / 1e6)).toFixed(0);
const runFrames = (): void => {
  for (let frame = 0; frame < FRAMES; frame++) host.running.turn();
};
runFrames();
console.log(`${frames()} frames a second of processor time without an event`);
const conditions = [{ expression: expressionOf(CONDITIONS[1] as string) }];
source
  .submit({ kind: 'control', control: { action: 'hold', id: -1, everyTics: 10_000, conditions } })
  .catch(() => undefined);
runFrames();
console.log(`${frames()} with one that is due in each`);
process.exit();
