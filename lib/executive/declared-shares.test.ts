// Memory that clients declare: a client leaves others as much as it takes, also when it has gone.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { AskedBy } from '../model/fair-share.js';
import { TestRun } from '../testing/aids/simulation-run.js';

describe('memory that clients declare', () => {
  const of = (address: string, client: number): AskedBy => ({ address, client });
  let run: TestRun;
  let last = 0;
  beforeEach(async () => {
    run = await TestRun.start({});
  });

  const declare = (by: AskedBy, type = 'double', extent = '') =>
    run.ask({ kind: 'declare', declaration: `${type} h${last++}${extent}`, by })[0] as {
      error?: string;
      value?: number;
    };
  const most = (by: AskedBy): number => {
    let count = 0;
    while (!declare(by).error) count++;
    return count;
  };

  it('is shared by number among clients and addresses, and connecting anew renews nothing', () => {
    expect(most(of('10.0.0.1', 1))).to.equal(750);
    expect(declare(of('10.0.0.1', 1)).error).to.equal('a client may have 750 declared variables now, not one more');
    expect(most(of('10.0.0.1', 2))).to.equal(375);
    let ofAddress = 1125;
    for (let client = 3; client < 30; client++) ofAddress += most(of('10.0.0.1', client));
    expect(ofAddress).to.be.within(1490, 1500);
    expect(most(of('10.0.0.2', 40))).to.equal(250);
    expect(declare('operator').error).to.equal(undefined);
  });

  it('is shared by bytes, of which memory that gets another length counts once', () => {
    const by = of('10.0.0.1', 1);
    const { value } = declare(by, 'double', `[${2 ** 20}]`);
    const resize = (megabytes: number) =>
      run.ask({ kind: 'resize', what: value as number, extents: [megabytes * 2 ** 17], by })[0] as {
        error?: string;
        value?: number;
      };
    expect(resize(25).error).to.equal("a client's declared variables may take 25165824 bytes now, not 26214400");
    expect(resize(20).error).to.equal(undefined);
    expect(declare(by, 'double', `[${2 ** 20}]`).error).to.match(/may take 25165824 bytes now/);
    expect(declare(of('10.0.0.1', 2), 'double', `[${2 ** 20}]`).error).to.equal(undefined);
  });

  it('is free for others when it has been deleted, by whomever', () => {
    const made = declare(of('10.0.0.1', 1));
    expect(most(of('10.0.0.1', 1))).to.equal(749);
    run.ask({ kind: 'delete-memory', what: made.value as number });
    expect(declare(of('10.0.0.1', 1)).error).to.equal(undefined);
    expect(declare(of('10.0.0.1', 1)).error).to.match(/750/);
  });

  it('counts for who has loaded the checkpoint that declares it', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'varwire-declared-'));
    try {
      run = await TestRun.start({}, () => {}, directory);
      const made = Array.from({ length: 600 }, () => declare(of('10.0.0.1', 1)).value as number);
      expect(run.ask({ kind: 'checkpoint', file: 'many' })[0]).to.not.have.property('error');
      for (const address of made) run.ask({ kind: 'delete-memory', what: address });
      expect(run.running.vitals.shared.get('declaredVariables')?.held).to.equal(0);
      expect(run.ask({ kind: 'load-checkpoint', file: 'many', by: of('10.0.0.2', 2) })[0]).to.not.have.property(
        'error',
      );
      expect(run.running.vitals.shared.get('declaredVariables')?.held).to.equal(600);
      expect(most(of('10.0.0.2', 2))).to.equal(150);
      expect(most(of('10.0.0.1', 1))).to.equal(625);
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  it('shows what is held, and how often more was refused', () => {
    const held = most(of('10.0.0.1', 1));
    declare(of('10.0.0.1', 2), 'double', '[4000000]');
    const { shared } = run.running.vitals;
    expect(shared.get('declaredVariables')).to.deep.include({ held, refusals: 1 });
    expect(shared.get('declaredBytes')).to.deep.include({ held: 8 * held, refusals: 1 });
  });
});
