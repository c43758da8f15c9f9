// How costs grow with the size of the state, the number of variables and the number of sessions; as tables and bars.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { coresTaken } from './process-cost.js';
import { type Bench, startServer } from './rows.js';
import { doubles, trickSetUp } from './set-ups.js';

interface Point {
  readonly size: number;
  readonly cost: number;
}

const BUILD = fileURLToPath(new URL('../../', import.meta.url));
const SESSION_COUNTS = [1, 10, 100, 1000, 10_000];
const BAR_CHARACTERS = 40;

/** Bars of equal length per decade: a cost proportional to the size grows by one such length with each tenfold size. */
function plot(title: string, size: string, cost: string, points: readonly Point[]): string {
  // Less than the idle server's time: the cost is too small to measure.
  const logs = points.map((point) => (point.cost > 0 ? Math.log10(point.cost) : Number.NaN));
  const known = logs.filter((log) => !Number.isNaN(log));
  const [least, most] = [Math.floor(Math.min(...known)), Math.ceil(Math.max(...known))];
  const lines = points.map((point, i) => {
    if (!(point.cost > 0)) return `${point.size.toLocaleString('en').padStart(12)}  below the noise`;
    const share = ((logs[i] as number) - least) / Math.max(1, most - least);
    const each = (point.cost / point.size).toPrecision(3);
    const shown = [
      point.size.toLocaleString('en').padStart(12),
      point.cost.toPrecision(3).padStart(10),
      each.padStart(12),
    ];
    return `${shown.join('')}  ${'#'.repeat(Math.max(1, Math.round(share * BAR_CHARACTERS)))}`;
  });
  const head = `${size.padStart(12)}${cost.padStart(10)}${'each'.padStart(12)}`;
  return ['```', `${title} (bars: logarithmic)`, head, ...lines, '```'].join('\n');
}

/** Runs a bench beside the code that it measures; it prints `size cost` lines. */
function pointsOf(file: string, ...given: string[]): Point[] {
  const output = execFileSync(process.execPath, [`${BUILD}${file}`, ...given], { encoding: 'utf8' });
  return output
    .trim()
    .split('\n')
    .map((line) => {
      const [size, cost] = line.split(/\s+/).map(Number) as [number, number];
      return { size, cost };
    });
}

/** CPU time of one cycle of so many sessions with one double each, in microseconds. */
async function costOfSessions({ client, seconds }: Bench): Promise<Point[]> {
  const server = await startServer();
  const idleCores = await coresTaken(server.processId, 3, 3);
  const points: Point[] = [];
  for (const sessions of SESSION_COUNTS) {
    const setUps = [trickSetUp(doubles(1), 1, 'ascii')];
    const result = await client.fan(server, { sessions, seconds, cut: 'line', valuesInUpdate: 1, setUps });
    const cpuSeconds = result.cpuSeconds - idleCores * result.seconds;
    points.push({ size: sessions, cost: (cpuSeconds / result.seconds) * 1e6 });
  }
  await server.stop();
  return points;
}

export async function growthText(bench: Bench): Promise<string> {
  const snapshots = pointsOf('lib/model/frame/snapshot.bench.js', 'all');
  const looks = pointsOf('lib/model/frame/snapshot.bench.js', 'one');
  const catalogs = pointsOf('lib/model/state/catalog.bench.js');
  const sessions = await costOfSessions(bench);
  return [
    plot('one snapshot written and read, all of it asked for, by the size of the state', 'bytes', 'us', snapshots),
    plot('the same, one value asked for', 'bytes', 'us', looks),
    plot('one catalog described and indexed, by its variables', 'variables', 'us', catalogs),
    plot('one cycle of sessions of one double, 1 Hz', 'sessions', 'us', sessions),
  ].join('\n\n');
}
