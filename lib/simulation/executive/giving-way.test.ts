// A name that a client has taken gives way to the simulation's own code, and to what the operator declares.
import { expect } from 'chai';
import { double, pointer, struct } from '../../model/state/declare.js';
import type { ClientOrOperator } from '../../model/state/fair-share.js';
import type { ObjectHandle } from '../../model/state/object-handle.js';
import { TestRun } from '../../testing/aids/simulation-run.js';
import type { NewComponent, Request } from './request.js';

const Body = struct('Body', { mass: double() });

describe('what a client has added under a name', () => {
  const client: ClientOrOperator = { address: '10.0.0.1', session: 1 };
  const body: NewComponent = { alias: 'body', type: 'Body' };
  let run: TestRun;
  let o: ObjectHandle;
  let aim: { readonly isNull: boolean };
  /** What the simulation's own job does in the next tick. */
  let act: () => void;

  beforeEach(async () => {
    act = () => {};
    run = await TestRun.start({}, (sim) => {
      sim.type(Body);
      o = sim.object('o');
      aim = o.component('aim', pointer(double()));
      sim.job(0.01, () => act(), { name: 'late' });
    });
  });

  const ask = (request: Request) => run.ask(request)[0] as { readonly error?: string; readonly value?: number };
  const declare = (by: ClientOrOperator, declaration: string) => ask({ kind: 'declare', declaration, by });
  const spawn = (object: string, by: ClientOrOperator = client) =>
    ask({ kind: 'spawn', object, components: [body], by });
  const inJob = (what: () => void): void => {
    act = () => {
      act = () => {};
      what();
    };
    run.ticks(1);
  };
  const warnings = () => run.said.filter((line) => line.includes(' warning: ')).map((line) => line.split(': ', 2)[1]);
  const errors = () => run.said.filter((line) => line.includes(' error: ')).map((line) => line.split(' error: ')[1]);
  const held = (what: 'declaredVariables' | 'objects' | 'objectBytes') => run.running.vitals.shared.get(what)?.held;

  it('goes when it is a variable and the simulation makes an object', () => {
    declare(client, 'double stage2[3]');
    ask({ kind: 'aim', path: 'o.aim', to: { address: run.catalog.find('stage2')?.offsetBytes as number } });
    expect([aim.isNull, held('declaredVariables')]).to.deep.equal([false, 1]);
    inJob(() => run.sim.object('stage2').component('mass', double(), 7));
    expect(errors()).to.deep.equal([]);
    expect(run.last.value('stage2.mass')).to.equal(7);
    expect([aim.isNull, held('declaredVariables')]).to.deep.equal([true, 0]);
    expect(run.said.filter((line) => line.includes('stage2'))).to.deep.equal([
      '0 warning: the variable stage2, which a client declared, was deleted: the simulation makes an object of that name',
    ]);
  });

  it('goes when it is an object and the simulation makes another, and the objects below it stay', () => {
    spawn('stage2');
    ask({ kind: 'spawn', object: 'flap', parent: 'stage2', components: [], by: client });
    inJob(() => run.sim.object('stage2').component('mass', double(), 7));
    expect(errors()).to.deep.equal([]);
    expect([run.last.value('stage2.mass'), run.catalog.find('stage2.body')]).to.deep.equal([7, undefined]);
    expect(run.catalog.object('stage2')).not.to.have.property('isAdded');
    expect(run.catalog.object('flap')?.parent).to.equal(null);
    expect([held('objects'), held('objectBytes')]).to.deep.equal([1, 0]);
    expect(run.said).to.include(
      '0 warning: the object stage2, which a client spawned, was removed: the simulation makes an object of that name',
    );
  });

  it('goes when it is a component and the simulation adds one, mirrored or not', () => {
    for (const alias of ['one', 'two']) {
      expect(ask({ kind: 'insert', object: 'o', components: [{ ...body, alias }], by: client })).to.not.have.key(
        'error',
      );
    }
    inJob(() => {
      o.component('one', double(), 5);
      o.mirror('two', double(), { get: () => 6 });
    });
    expect(errors()).to.deep.equal([]);
    expect([run.last.value('o.one'), run.last.value('o.two')]).to.deep.equal([5, 6]);
    expect(held('objectBytes')).to.equal(0);
    expect(run.said).to.include(
      '0 warning: the component o.one, which a client added, was removed: the simulation makes one of that name',
    );
  });

  it('goes when it is the object of the random streams', () => {
    spawn('random');
    inJob(() => run.sim.random('noise'));
    expect(errors()).to.deep.equal([]);
    expect(run.catalog.object('random')).not.to.have.property('isAdded');
    inJob(() => run.sim.random('wind'));
    expect(run.catalog.find('random.noise')).to.not.equal(undefined);
  });

  it('stays when the simulation cannot make its own', () => {
    declare(client, 'double stage2');
    inJob(() => {
      const gone = run.sim.object('gone');
      run.sim.removeObject('gone');
      run.sim.object('stage2', { parent: gone });
    });
    expect(errors()).to.deep.equal(['job late failed: object gone has been removed; the simulation is frozen']);
    expect(run.running.state.allocations.has('stage2')).to.equal(true);
    expect(warnings()).to.deep.equal([]);
  });

  const CLASHES: readonly [string, () => void, string][] = [
    ['an object of its own', () => run.sim.object('o'), 'there is an object o already'],
    ['a component of its own', () => o.component('aim', double()), 'object o has a component aim already'],
    ["the operator's variable", () => run.sim.object('opmem'), 'there is a variable opmem already'],
  ];
  for (const [what, clash, sentence] of CLASHES) {
    it(`is another matter than ${what}, with which the simulation clashes`, () => {
      declare('operator', 'double opmem');
      inJob(clash);
      expect(errors()).to.deep.equal([`job late failed: ${sentence}; the simulation is frozen`]);
      expect(warnings()).to.deep.equal([]);
    });
  }

  it('gives way to memory that the operator declares or names', () => {
    declare(client, 'double late_mem[3]');
    spawn('pod');
    expect(declare('operator', 'int late_mem[2]')).to.not.have.property('error');
    const address = declare('operator', 'int[2]').value as number;
    ask({ kind: 'name-memory', address, declaration: 'int pod[2]', by: 'operator' });
    expect(run.last.value('late_mem')).to.deep.equal([0, 0]);
    expect(run.last.value('pod')).to.deep.equal([0, 0]);
    expect([held('declaredVariables'), held('objects')]).to.deep.equal([2, 0]);
    expect(run.said.filter((line) => line.includes('warning'))).to.deep.equal([
      '0 warning: the variable late_mem, which a client declared, was deleted: the input file declares a variable of that name',
      '0 warning: the object pod, which a client spawned, was removed: the input file declares a variable of that name',
    ]);
  });

  it("gives way to the operator's memory where there is no room beside it", () => {
    declare({ address: '10.0.0.1', session: 1 }, `double large[${2 ** 21}]`);
    declare('operator', `double most[${2 ** 23 - 2 ** 21}]`);
    expect(declare('operator', `double large[${2 ** 21}]`)).to.not.have.property('error');
    expect(declare('operator', 'char more')).to.have.property('error');
  });

  it('stays beside declarations that are refused, and those of other clients', () => {
    declare(client, 'double late_mem');
    expect(declare('operator', `double late_mem[${2 ** 24}]`)).to.have.property('error');
    for (const by of [client, { address: '10.0.0.2', session: 2 }])
      expect(declare(by, 'double late_mem')).to.have.property('error', 'there is a variable late_mem already');
    expect(run.catalog.find('late_mem')).to.not.equal(undefined);
    expect(warnings()).to.deep.equal([]);
  });

  it("does not displace the operator's memory of that name", () => {
    declare('operator', 'double opmem');
    expect(declare('operator', 'int opmem')).to.have.property('error', 'there is a variable opmem already');
  });
});
