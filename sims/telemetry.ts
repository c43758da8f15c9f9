// A source that is not a simulation: a CSV file of telemetry, each row served at its own time.
//   node build/sims/telemetry.js flight.csv
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { double, type Feed, feed, serveSource } from 'varwire';

/** A column's name and units, as in `height [m]`. */
const COLUMN = /^\s*(\w+)\s*(?:\[(.*)\])?\s*$/;

/** All columns of the file but the first, which is time in seconds, as variables `telemetry.<name>`. */
export function telemetry(file: string): { readonly source: Feed; readonly replay: () => Promise<void> } {
  const [titles = '', ...lines] = readFileSync(file, 'utf8').trim().split('\n');
  const rows = lines.map((line) => line.split(',').map(Number));
  const frameSeconds = (rows[1]?.[0] ?? 1) - (rows[0]?.[0] ?? 0);
  const cells: { value: number }[] = [];
  const source = feed({ name: 'telemetry', what: 'a file of telemetry', frameSeconds, file }, (objects) => {
    const object = objects.object('telemetry');
    for (const title of titles.split(',').slice(1)) {
      const [, name = '', units = '1'] = COLUMN.exec(title) ?? [];
      cells.push(object.component(name, double({ units })));
    }
  });

  async function replay(): Promise<void> {
    const startMillis = performance.now();
    for (const [seconds = 0, ...values] of rows) {
      await sleep(1000 * seconds - (performance.now() - startMillis));
      for (const [index, cell] of cells.entries()) cell.value = values[index] ?? Number.NaN;
      if (!source.publish(seconds)) return;
    }
  }
  return { source, replay };
}

const [, program = '', file] = process.argv;
if (file !== undefined && import.meta.url === pathToFileURL(program).href) {
  const { source, replay } = telemetry(file);
  const { port } = await serveSource(source, { port: 7000 });
  console.log(`${file} is served on port ${port}`);
  await replay();
  source.finish('the file has come to its end');
}
