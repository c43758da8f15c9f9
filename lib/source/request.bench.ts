// Microseconds from a request to its frame, with an idle simulation: `node build/lib/source/request.bench.js`.
import { startWorkerSource } from './worker-source.js';

const REQUESTS = 2000;
/** Long enough for both threads to go to sleep again. */
const PAUSE_MILLIS = 2;

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, PAUSE_MILLIS));

const entry = new URL('../run/serve/simulation-worker.js', import.meta.url);
const ball = new URL('../../sims/ball.js', import.meta.url);
const source = await startWorkerSource(entry, ball.href, {
  arguments: [],
  directory: '.',
  file: 'ball.js',
  runDirectory: '.',
});

async function measure(title: string): Promise<void> {
  const micros: number[] = [];
  for (let i = 0; i < REQUESTS; i++) {
    await pause();
    const start = performance.now();
    const { frame } = await source.submit({ kind: 'write', writes: [{ path: 'ball.position[0]', value: i }] });
    micros.push(1000 * (performance.now() - start));
    if (source.frame.header.number < frame) throw new Error('the answer came before its frame');
  }
  micros.sort((a, b) => a - b);
  const at = (share: number): string => (micros[Math.floor(share * (REQUESTS - 1))] as number).toFixed(0).padStart(6);
  console.log(`${title.padEnd(44)} p50 ${at(0.5)} us   p99 ${at(0.99)} us   worst ${at(1)} us`);
}

await measure('request to visible frame, running at 100 Hz');
await source.submit({ kind: 'control', control: { action: 'freeze' } });
await measure('request to visible frame, frozen');
await source.close();
