// Events that the simulation's own code makes, as Trick's texts and its event viewer see them.
import { expect } from 'chai';
import { SimulationRun } from '../../../run/headless/simulation-run.js';
import type { Sim } from '../../../simulation/executive/simulation.js';
import { simulation } from '../../../simulation/executive/simulation.js';
import { startTrickFixture, type TrickFixture } from '../../../testing/aids/trick-server.js';

describe('events of a simulation', () => {
  let fixture: TrickFixture;
  let acted: string[];
  const start = async (build: (sim: Sim) => void): Promise<(text: string) => Promise<string>> => {
    acted = [];
    fixture = await startTrickFixture({ build });
    const client = fixture.connect();
    return (text) => fixture.ask(client, `${text}\n`);
  };
  afterEach(() => fixture.close());

  const note = (what: string) => () => {
    acted.push(what);
  };

  it('call their functions, run their texts and fire once', async () => {
    let isLow = false;
    const ask = await start((sim) =>
      sim.event('fx.low', { conditions: () => isLow, actions: [note('low'), 'fx.all.i = 99'], cycleSeconds: 0.01 }),
    );
    await fixture.pass(30);
    expect(acted).to.deep.equal([]);
    isLow = true;
    await fixture.pass(50);
    expect(acted).to.deep.equal(['low']);
    expect(await ask('trick.var_send_once("fx.all.i")')).to.equal('5\t99\n');
    const comment = 'trick_ip.mtv.mtv_list[0][0].condition_list[0][0].comment';
    expect(await ask(`trick.var_send_once("${comment}")`)).to.equal('5\tfx.low.conditions[0]\n');
    await ask('fx.low.activate()');
    await fixture.pass(50);
    expect(acted).to.deep.equal(['low', 'low']);
  });

  it('fire again and again when they repeat, until somebody holds them', async () => {
    const ask = await start((sim) =>
      sim.event('again', { conditions: 'fx.all.i == 5', actions: note('again'), cycleSeconds: 0.02, repeats: true }),
    );
    for (let turn = 0; turn < 4; turn++) await fixture.pass(20);
    // At 0, 0.02 ... 0.08 s.
    expect(acted).to.have.length(5);
    await ask('again.deactivate()');
    await fixture.pass(20);
    acted = [];
    for (let turn = 0; turn < 4; turn++) await fixture.pass(20);
    expect(acted).to.deep.equal([]);
  });

  it('need all conditions if they are told so, and wait for add_event and activate', async () => {
    const conditions = [() => true, () => false];
    const ask = await start((sim) => {
      sim.event('fx.all_of', { conditions, actions: note('all'), cycleSeconds: 0.01, needsAll: true });
      sim.event('fx.any_of', { conditions, actions: note('any'), cycleSeconds: 0.01, active: false, added: false });
    });
    await fixture.pass(30);
    expect(acted).to.deep.equal([]);
    await ask('trick.add_event(fx.any_of)');
    await fixture.pass(30);
    expect(acted).to.deep.equal([]);
    await ask('fx.any_of.activate()');
    await fixture.pass(30);
    expect(acted).to.deep.equal(['any']);
  });

  it('are in the viewer by their name, with what they wait for', async () => {
    const ask = await start((sim) =>
      sim.event('fx.event0', {
        name: 'SDEFINE_event',
        conditions: [
          function isHigh() {
            return false;
          },
          'fx.all.i > 100',
        ],
        actions: 'fx.all.i = 0',
        added: false,
      }),
    );
    expect(await ask('trick.var_send_once("trick_ip.mtv.mtv_count")')).to.equal('5\t0\n');
    await ask('trick.add_event(fx.event0)');
    await fixture.pass(20);
    const event = 'trick_ip.mtv.mtv_list[0][0]';
    const paths = [
      `${event}.name`,
      `${event}.condition_list[0][0].comment`,
      `${event}.condition_list[0][0].cond_type`,
      `${event}.condition_list[1][0].str`,
      `${event}.cycle`,
    ];
    expect(await ask(`trick.var_send_once("${paths}", ${paths.length})`)).to.equal(
      '5\tSDEFINE_event\tisHigh\t2\tfx.all.i > 100\t1\n',
    );
    await ask('trick.var_set_send_stdio(True)');
    const printed = await ask('print(trick.get_event("SDEFINE_event").get_name(), SDEFINE_event.is_active())');
    expect(printed.replace(/4 1 \d+\n/g, '')).to.equal('SDEFINE_event 1\n');
    expect(await ask('fx.event0.nonsense()')).to.contain('AttributeError');
  });

  it('that throw, or give a promise, hold nothing up and are in the log once', async () => {
    await start((sim) => {
      const broken = (): boolean => {
        throw new Error('no fuel gauge');
      };
      sim.event('fx.broken', { conditions: broken, actions: note('broken'), cycleSeconds: 0.01 });
      sim.event('fx.later', { conditions: (async () => true) as never, actions: note('later'), cycleSeconds: 0.01 });
    });
    await fixture.pass(60);
    expect(acted).to.deep.equal([]);
    const said = (what: string) => fixture.log.filter((line) => line.includes(what));
    expect(said('no fuel gauge')).to.have.length(1);
    expect(said('returned a promise')).to.have.length(1);
  });

  it("become the client's that changes what they do", async () => {
    const ask = await start((sim) =>
      sim.event('fx.mine', { conditions: () => true, actions: note('mine'), cycleSeconds: 0.01, active: false }),
    );
    await ask('fx.mine.action(0, "fx.all.i = 1234")\nfx.mine.activate()');
    await fixture.pass(40);
    expect(acted).to.deep.equal([]);
    expect(await ask('trick.var_send_once("fx.all.i")')).to.equal('5\t1234\n');
  });
});

describe('sim.event', () => {
  const nothing = (): void => {};
  const plain = { conditions: 'True', actions: nothing };
  const failure = async (build: (sim: Sim) => void): Promise<string> => {
    const definition = simulation({ name: 'test', frameSeconds: 0.1 }, (sim) => {
      build(sim);
    });
    return SimulationRun.start(definition).then(
      () => 'nothing',
      (error: Error) => error.message,
    );
  };
  const refusal = (path: string, options: Parameters<Sim['event']>[1]): Promise<string> =>
    failure((sim) => sim.event(path, options));

  it('refuses what cannot be an event, with a sentence', async () => {
    expect(await refusal('no such path', plain)).to.contain('an event has a path such as');
    expect(await refusal('nope.event', plain)).to.equal('event nope.event has no object: nope comes first');
    expect(await refusal('e', { ...plain, cycleSeconds: -1 })).to.contain('is a time in seconds from 0 up');
    expect(await refusal('e', { ...plain, name: 'two\nlines' })).to.contain('is named by up to 100 characters');
    expect(await refusal('e', { ...plain, actions: [5 as never] })).to.contain('are functions or texts');
    expect(await refusal('e', { ...plain, actions: 'x'.repeat(10_001) })).to.contain('at most 10000 characters');
    expect(await refusal('e', { ...plain, conditions: Array(101).fill('True') })).to.contain('at most 100 conditions');
    const twice = (sim: Sim) => [sim.event('one', plain), sim.event('two', { ...plain, name: 'one' })];
    expect(await failure(twice)).to.equal('there is an event one named one already');
  });
});
