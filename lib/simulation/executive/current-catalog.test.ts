// How the simulation's thread keeps its catalog while clients make objects: never by describing all that there is.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { double } from '../../model/state/declare.js';
import { TestRun } from '../../testing/aids/simulation-run.js';
import type { Request } from './request.js';

describe('the catalog on the thread of the simulation', () => {
  let directory: string;
  let run: TestRun;
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'varwire-catalog-'));
    run = await TestRun.start(
      {},
      (sim) => {
        sim.object('o').component('x', double(), 1);
      },
      directory,
    );
    run.running.state.describe = () => {
      throw new Error('all objects were described');
    };
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  const MANY = 500;
  const spawnMany = (first: number): void => {
    const numbers = Array.from({ length: MANY }, (_, k) => first + k);
    run.ask(...numbers.map((k): Request => ({ kind: 'spawn', object: `made${k}`, components: [] })));
  };

  it('follows what clients make, however much it is before somebody asks', () => {
    for (let first = 0; first < 10_000; first += MANY) spawnMany(first);
    expect(run.running.catalog.objects.length).to.be.above(10_000);
    expect(run.running.catalog.object('made9999')?.name).to.equal('made9999');
  });

  it('is the one that checkpoints are written and read by', () => {
    spawnMany(0);
    run.ask({ kind: 'declare', declaration: 'double list[4]' });
    expect(run.ask({ kind: 'checkpoint', file: 'one' })[0]).to.have.property('frame');
    run.ask({ kind: 'delete-memory', what: 'list' });
    expect(run.catalog.find('list')).to.equal(undefined);
    expect(run.ask({ kind: 'load-checkpoint', file: 'one' })[0]).to.have.property('frame');
    expect(run.catalog.find('list[3]')).to.not.equal(undefined);
  });
});
