// For whom the file of a checkpoint counts: for who has written it last, whoever else has tried meanwhile.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { Catalog } from '../../model/state/catalog.js';
import { double } from '../../model/state/declare.js';
import { State } from '../../model/state/state.js';
import { DiskQuota, quotaFigures } from '../files/disk-quota.js';
import { RunDirectory } from '../files/run-directory.js';
import { type Checkpointed, saveCheckpoint } from './checkpoint.js';
import { newMemory } from './copy-memory.js';
import { type Desk, doTask } from './desk.js';

const BLOCK = 4096;

describe('the account of a checkpoint', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'varwire-accounts-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  it('is that of who has written it, also when somebody was refused before it', () => {
    const quota = new DiskQuota(100 * BLOCK);
    const state = new State();
    state.addObject('o').component('x', double(1000), new Array(1000).fill(1 / 3));
    const waiting: (() => void)[] = [];
    const there = new RunDirectory(directory, new DiskQuota(quota.limitBytes, quota.words));
    const clientFiles = new RunDirectory(directory, quota);
    const desk: Desk = {
      prepare: () => true,
      memoryFor: newMemory,
      submit: (task, done) => void waiting.push(() => done(doTask(task, there))),
      worksForClients: false,
      isBehind: false,
      collect: () => undefined,
      close: async () => undefined,
    };
    const running = {
      state,
      catalog: new Catalog(state.describe()),
      clientFiles,
      executive: { clockSeconds: 0, timeSeconds: 0 },
      desk,
      say: () => undefined,
    } as unknown as Checkpointed;
    let refused = 0;
    const save = (by: { readonly address: string; readonly session: number }): void => {
      saveCheckpoint(running, { file: 'same', by }, (act) => {
        try {
          act();
        } catch {
          refused++;
        }
      });
    };
    const all = (): void => {
      for (const work of waiting.splice(0)) work();
    };
    const [victim, full, other] = [
      { address: '10.0.0.1', session: 1 },
      { address: '10.0.0.2', session: 2 },
      { address: '10.0.0.2', session: 3 },
    ];
    save(victim);
    all();
    const fileBlocks = quotaFigures(quota.words).held / BLOCK;
    expect(fileBlocks).to.be.above(2);
    const ofFull = quota.accountOf(full);
    quota.change(0, 37 * BLOCK, ofFull);
    for (let round = 1; round <= 5; round++) {
      save(full);
      save(other);
      save(victim);
      all();
      expect(refused).to.equal(round);
    }
    expect(quotaFigures(quota.words).held).to.equal((37 + fileBlocks) * BLOCK);
    // The victim has the one file, and nobody has less than nothing.
    quota.change(37 * BLOCK, 0, ofFull);
    expect(() => quota.change(0, (37 - fileBlocks + 1) * BLOCK, quota.accountOf(victim))).to.throw("a client's files");
    quota.change(0, (37 - fileBlocks) * BLOCK, quota.accountOf(victim));
    expect(() => quota.change(0, 38 * BLOCK, ofFull)).to.throw("a client's files");
  });
});
