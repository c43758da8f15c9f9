// Events of models: the same run gives the same states at the same times, in a test, as fast as possible, and served.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { run, serve } from '../lib/index.js';
import { start } from '../lib/testing/index.js';
import models from './fixture/model-events.js';

const FIXTURE = fileURLToPath(new URL('./fixture/model-events.js', import.meta.url));

describe('events of a model', () => {
  let directory: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'varwire-models-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  /** All rows of a run. */
  const rowsIn = (name: string): string => {
    const [file = ''] = readdirSync(join(directory, name)).filter((each) => each.endsWith('.trk'));
    return readFileSync(join(directory, name, file)).toString('hex');
  };

  for (const model of ['tank', 'counter', 'ball'])
    it(`${model} gives the same states at the same times, bit for bit, however it runs`, async () => {
      const runDirectory = (name: string): string => join(directory, name);
      await run(models, { arguments: [model], runDirectory: runDirectory('run') });
      const tested = await start(models, { arguments: [model], runDirectory: runDirectory('test') });
      while (!tested.end) tested.step();
      tested.close();
      const served = await serve(FIXTURE, {
        port: 0,
        discovery: false,
        arguments: [model],
        runDirectory: runDirectory('served'),
      });
      await served.ended;
      await served.close();
      const rows = rowsIn('run');
      expect(rows.length).to.be.above(20_000);
      for (const name of ['test', 'served']) expect(rowsIn(name) === rows, name).to.equal(true);
    });
});
