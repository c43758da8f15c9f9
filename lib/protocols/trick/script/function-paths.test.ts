// Functions of the simulation whose path goes through names of nothing else, in Trick's texts.
import { expect } from 'chai';
import { int, struct } from '../../../model/state/declare.js';
import type { MemoryConnection } from '../../../testing/aids/memory-connection.js';
import { startTrickFixture, type TrickFixture } from '../../../testing/aids/trick-server.js';

const PATHS = [
  'dyn.go',
  'dyn.plan.clear',
  'dyn.plan.deep.er.act',
  'dyn.body.a.up',
  'dyn.body.go',
  'lone.clear',
  'lone.a.b',
];

describe('a function at a path', () => {
  let fixture: TrickFixture;
  let client: MemoryConnection;
  let called: string[];

  beforeEach(async () => {
    called = [];
    fixture = await startTrickFixture({
      build: (sim) => {
        sim.object('dyn').component('body', struct('Body', { a: int(), b: int() }), { a: 3 });
        for (const path of PATHS) sim.function(path, () => called.push(path));
        sim.function('dyn.plan.add', { takes: { x: int() }, gives: int() }, ({ x }) => x + 1);
        sim.function('dyn.plan.state.ready', () => true);
        sim.event('late', {
          conditions: 'dyn.plan.state.ready()',
          actions: ['dyn.plan.clear()', 'lone.clear()'],
          cycleSeconds: 0.01,
          active: false,
        });
      },
    });
    client = fixture.connect();
    await fixture.ask(client, 'trick.var_set_send_stdio(True)\n');
  });
  afterEach(() => fixture.close());

  const ask = (line: string): Promise<string> => fixture.ask(client, `${line}\n`);

  for (const path of PATHS)
    it(`is called as ${path}()`, async () => {
      expect(await ask(`${path}()`)).to.equal('');
      expect(called).to.deep.equal([path]);
    });

  it('takes and gives values, and what leads to it may have a name', async () => {
    expect(await ask('plan = dyn.plan\nprint(plan.add(dyn.body.a), lone.a.b())')).to.match(/^4 1 1\n4/);
    expect(
      await ask('print(str(hasattr(dyn, "plan")) + str(hasattr(dyn.plan, "clear")) + str(hasattr(dyn, "plans")))'),
    ).to.match(/TrueTrueFalse/);
  });

  it('is called by conditions and actions of events', async () => {
    await ask('late.activate()');
    await fixture.pass(50);
    expect(called).to.deep.equal(['dyn.plan.clear', 'lone.clear']);
  });

  it('hides nothing: members, units and names of clients stay what they are', async () => {
    expect(await ask('print(dyn.body.a, dyn.body.a.units)')).to.match(/^4 1 1\n3/);
    expect(await ask('lone = 5\nprint(lone)')).to.match(/^4 1 1\n5/);
    expect(await ask('dyn.body.b.up()')).to.match(/AttributeError: 'swig_int' object has no attribute 'up'/);
    expect(await ask('dyn.plan.cleer()')).to.match(/has no attribute 'cleer'; did you mean clear\?/);
    expect(await ask('dyn.plans.clear()')).to.match(/AttributeError: dyn has no member plans/);
  });
});
