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

  it('gives the same states at the same times, bit for bit, however it runs', async () => {
    const each = ['tank', 'counter', 'ball', 'stopped'].map(async (model) => {
      const given = (name: string) => ({ arguments: [model], runDirectory: join(directory, `${model} ${name}`) });
      const served = await serve(FIXTURE, { port: 0, discovery: false, ...given('served') });
      await run(models, given('run'));
      const tested = await start(models, given('test'));
      while (!tested.end) tested.step();
      tested.close();
      await served.ended;
      await served.close();
      const rows = rowsIn(`${model} run`);
      expect(rows.length).to.be.above(20_000);
      for (const name of ['test', 'served']) expect(rowsIn(`${model} ${name}`) === rows, name).to.equal(true);
    });
    await Promise.all(each);
  });
});
