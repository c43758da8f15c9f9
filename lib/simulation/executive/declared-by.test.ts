// Declared memory is deleted, resized and named by who declared it, and by the operator.
import { expect } from 'chai';
import type { ClientOrOperator } from '../../model/state/fair-share.js';
import { TestRun } from '../../testing/aids/simulation-run.js';
import type { Request } from './request.js';

describe('memory that somebody has declared', () => {
  const first: ClientOrOperator = { address: '10.0.0.1', session: 1 };
  const second: ClientOrOperator = { address: '10.0.0.1', session: 2 };
  const other: ClientOrOperator = { address: '10.0.0.2', session: 3 };
  let run: TestRun;
  beforeEach(async () => {
    run = await TestRun.start({});
  });

  const ask = (request: Request) => run.ask(request)[0] as { readonly error?: string; readonly value?: number };
  const declare = (by: ClientOrOperator, declaration: string): number =>
    ask({ kind: 'declare', declaration, by }).value as number;
  const remove = (what: string | number, by: ClientOrOperator) => ask({ kind: 'delete-memory', what, by }).error;
  const resize = (what: string | number, by: ClientOrOperator) => ask({ kind: 'resize', what, extents: [5], by }).error;
  const name = (address: number, by: ClientOrOperator) =>
    ask({ kind: 'name-memory', address, declaration: 'double named[3]', by }).error;

  const OF_INPUT = 'was declared by the input file: this client may only read and write it';
  const OF_ANOTHER = 'was declared by a client of another address: this client may only read and write it';

  it('is not deleted, resized or named by clients when the operator has declared it', () => {
    const address = declare('operator', 'double opmem[3]');
    const unnamed = declare('operator', 'double[3]');
    for (const act of [remove, resize]) {
      expect(act('opmem', first)).to.equal(`opmem ${OF_INPUT}`);
      expect(act(address, first)).to.equal(`opmem ${OF_INPUT}`);
      expect(act(unnamed, first)).to.equal(`the memory ${OF_INPUT}`);
    }
    expect(name(unnamed, first)).to.equal(`the memory ${OF_INPUT}`);
    expect(run.catalog.find('opmem')?.offsetBytes).to.equal(address);
    expect(run.last.value('opmem')).to.deep.equal([0, 0, 0]);
  });

  it('is not deleted, resized or named by clients of another address', () => {
    const address = declare(first, 'double mine[3]');
    const unnamed = declare(first, 'double[3]');
    for (const act of [remove, resize]) {
      expect(act('mine', other)).to.equal(`mine ${OF_ANOTHER}`);
      expect(act(address, other)).to.equal(`mine ${OF_ANOTHER}`);
    }
    expect(name(unnamed, other)).to.equal(`the memory ${OF_ANOTHER}`);
  });

  it('is deleted, resized and named by clients of the same address', () => {
    const unnamed = declare(first, 'double[3]');
    expect([name(unnamed, second), resize('named', second), remove('named', second)]).to.deep.equal(
      Array(3).fill(undefined),
    );
    expect(run.catalog.find('named')).to.equal(undefined);
  });

  it('is deleted, resized and named by the operator, whoever has declared it', () => {
    for (const by of ['operator', first] as const) {
      const unnamed = declare(by, 'double[3]');
      expect([name(unnamed, 'operator'), resize('named', 'operator'), remove('named', 'operator')]).to.deep.equal(
        Array(3).fill(undefined),
      );
    }
  });

  it('is written and set to zero by all', () => {
    declare('operator', 'double opmem[3]');
    expect(run.write('opmem', [1, 2, 3])).to.not.have.property('error');
    expect(ask({ kind: 'clear-memory', what: 'opmem' })).to.not.have.property('error');
    expect(run.last.value('opmem')).to.deep.equal([0, 0, 0]);
  });
});
