// Memory that clients declare: a client leaves others as much as it takes, also when it has gone.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { ClientOrOperator } from '../../model/state/fair-share.js';
import { TestRun } from '../../testing/aids/simulation-run.js';
import type { Request } from './request.js';
import type { Outcome } from './request-queue.js';

describe('memory that clients declare', () => {
  const of = (address: string, session: number): ClientOrOperator => ({ address, session });
  let run: TestRun;
  let last = 0;
  beforeEach(async () => {
    run = await TestRun.start({});
  });

  const declare = (by: ClientOrOperator, type = 'double', extent = '') =>
    run.ask({ kind: 'declare', declaration: `${type} h${last++}${extent}`, by })[0] as {
      error?: string;
      value?: number;
    };
  const most = (by: ClientOrOperator): number => {
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

  describe('and a checkpoint declares', () => {
    let directory: string;
    beforeEach(async () => {
      directory = mkdtempSync(join(tmpdir(), 'varwire-declared-'));
      run = await TestRun.start({}, () => {}, directory);
    });
    afterEach(() => rmSync(directory, { recursive: true }));

    /** A large state is copied after a frame. */
    const askBetweenFrames = (request: Request): Outcome | undefined => {
      let outcome: Outcome | undefined;
      run.running.submit(request, (one) => {
        outcome = one;
      });
      for (let frames = 0; frames < 10 && !outcome; frames++) {
        run.running.applyRequests();
        run.ticks(1);
      }
      return outcome;
    };

    /** Writes a checkpoint with variables that are deleted then. */
    const dump = (declarations: readonly [ClientOrOperator, type: string, extent: string][]): void => {
      const made = declarations.map((one) => declare(...one).value as number);
      expect(askBetweenFrames({ kind: 'checkpoint', file: 'many' })).to.not.have.property('error');
      for (const address of made) run.ask({ kind: 'delete-memory', what: address });
    };
    const load = (by: ClientOrOperator) =>
      askBetweenFrames({ kind: 'load-checkpoint', file: 'many', by }) as { error?: string };
    const held = (what: 'declaredVariables' | 'declaredBytes') => run.running.vitals.shared.get(what)?.held;

    it('counts for who has loaded it', () => {
      dump(Array.from({ length: 600 }, () => [of('10.0.0.1', 1), 'double', '']));
      expect(held('declaredVariables')).to.equal(0);
      expect(load(of('10.0.0.2', 2)).error).to.equal(undefined);
      expect(held('declaredVariables')).to.equal(600);
      expect(most(of('10.0.0.2', 2))).to.equal(150);
      expect(most(of('10.0.0.1', 1))).to.equal(625);
    });

    it('is refused above the number that is the share of who loads it, and the operator has no share', () => {
      dump(Array.from({ length: 800 }, () => ['operator', 'double', '']));
      expect(load(of('10.0.0.1', 1)).error).to.equal('a client may have 750 declared variables now, not 800 more');
      expect(held('declaredVariables')).to.equal(0);
      expect(load('operator').error).to.equal(undefined);
      expect(held('declaredVariables')).to.equal(800);
    });

    it('is refused above the bytes that are the share of who loads it, and then changes nothing', () => {
      dump([
        [of('10.0.0.1', 1), 'double', `[${2 ** 21}]`],
        [of('10.0.0.2', 2), 'double', `[${2 ** 21}]`],
      ]);
      expect(load(of('10.0.0.1', 1)).error).to.equal(
        "a client's declared variables may take 25165824 bytes now, not 33554432",
      );
      expect(held('declaredBytes')).to.equal(0);
      expect(load('operator').error).to.equal(undefined);
      expect(held('declaredBytes')).to.equal(2 ** 25);
    });

    it('takes nothing more of a share when all of it is there', () => {
      const by = of('10.0.0.1', 1);
      for (let count = 0; count < 700; count++) declare(by);
      expect(run.ask({ kind: 'checkpoint', file: 'many' })[0]).to.not.have.property('error');
      expect(load(by).error).to.equal(undefined);
      expect(most(by)).to.equal(50);
    });
  });

  it('shows what is held, and how often more was refused', () => {
    const held = most(of('10.0.0.1', 1));
    declare(of('10.0.0.1', 2), 'double', '[4000000]');
    const { shared } = run.running.vitals;
    expect(shared.get('declaredVariables')).to.deep.include({ held, refusals: 1 });
    expect(shared.get('declaredBytes')).to.deep.include({ held: 8 * held, refusals: 1 });
  });
});
