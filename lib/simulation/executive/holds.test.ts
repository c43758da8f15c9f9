// When the simulation asks the server, and how it waits within a frame.
import { expect } from 'chai';
import fc from 'fast-check';
import { double } from '../../model/state/declare.js';
import { TestRun } from '../../testing/aids/simulation-run.js';
import type { Control, ServerControl } from './request.js';
import type { Outcome } from './request-queue.js';
import type { Sim } from './simulation.js';

type Hold = Omit<Extract<ServerControl, { readonly action: 'hold' }>, 'action'>;

describe('holds', () => {
  let run: TestRun;
  /** What was answered, and simulation time in tics. */
  let asked: (readonly [what: string, timeTics: number, decisions?: unknown])[];

  const start = async (options: Parameters<typeof TestRun.start>[0], build?: (sim: Sim) => void): Promise<void> => {
    asked = [];
    run = await TestRun.start({ realTime: false, ...options }, build, 'RUN_test', { waitsForInput: true });
  };
  const control = (action: Control | ServerControl, respond: (outcome: Outcome) => void = () => undefined): void =>
    run.running.submit({ kind: 'control', control: action }, respond);
  /** Notes when it is asked, and does then what the server does. */
  const hold = (what: string, held: Hold, done: () => void = () => control({ action: 'let-go', id: held.id })): void =>
    control({ action: 'hold', ...held }, (outcome) => {
      const { value } = outcome as { readonly value?: unknown };
      if (value === undefined) return;
      asked.push([what, run.running.executive.timeTics, value]);
      done();
    });
  /** An event that is held again after each time. */
  const event = (what: string, held: Hold): void => hold(what, held, () => event(what, held));
  const begin = (): void => control({ action: 'start' });
  const turns = (count: number): void => {
    for (let turn = 0; turn < count; turn++) run.running.turn();
  };
  const times = (what: string): number[] => asked.filter(([name]) => name === what).map(([, tics]) => tics);

  it('come at their exact times within a frame, before the jobs of that time, and are shown by a frame', async () => {
    let jobs = 0;
    await start({ frameSeconds: 0.1 }, (sim) => sim.job(0.01, () => void jobs++));
    const seen: unknown[] = [];
    hold('read', { id: 1, atTics: 230_000 }, () => {
      seen.push(jobs, run.last.header.timeTics, run.last.header.tick, run.running.executive.isInTick);
      control({ action: 'let-go', id: 1 });
    });
    begin();
    turns(20);
    expect(seen).to.deep.equal([23, 230_000, 2, true]);
    expect(jobs).to.equal(Math.round(run.running.executive.timeTics / 10_000));
  });

  it('of events come at every multiple of their cycle from the first frame on, whatever the frame', () =>
    fc.assert(
      fc.asyncProperty(fc.integer({ min: 10, max: 300 }), fc.integer({ min: 1, max: 200 }), async (cycle, frame) => {
        await start({ frameSeconds: frame / 1000, terminateSeconds: (4 * frame) / 1000 });
        event('event', { id: -1, everyTics: 1000 * cycle });
        begin();
        while (!run.running.isOver) turns(1);
        const expected = Array.from({ length: Math.floor((4 * frame) / cycle) + 1 }, (_, at) => 1000 * cycle * at);
        expect(times('event')).to.deep.equal(expected);
      }),
      { numRuns: 20 },
    ));

  it('of one time are asked in order: reads first, then events as they came to that time, each after the one before', async () => {
    await start({ frameSeconds: 0.1 });
    event('half', { id: -1, everyTics: 50_000 });
    event('whole', { id: -2, everyTics: 100_000 });
    hold('read', { id: 1, atTics: 100_000 });
    begin();
    turns(20);
    expect(asked.slice(0, 6).map(([what, tics]) => `${what} ${tics}`)).to.deep.equal([
      'half 0',
      'whole 0',
      'half 50000',
      'read 100000',
      'whole 100000',
      'half 100000',
    ]);
  });

  it('that are changed before their first frame begin once, as they are by then', async () => {
    await start({ frameSeconds: 0.1 });
    event('before', { id: -1, everyTics: 50_000 });
    event('after', { id: -1, everyTics: 50_000 });
    begin();
    turns(5);
    expect(times('before')).to.deep.equal([]);
    expect(times('after').slice(0, 2)).to.deep.equal([0, 50_000]);
  });

  it('with conditions are asked only when one holds or cannot be decided, and see what those before them did', async () => {
    const x = { value: 0 };
    await start({ frameSeconds: 0.1 }, (sim) => {
      sim.job(0.01, function move() {
        x.value = sim.timeSeconds;
      });
      sim.event('is_late', { conditions: () => x.value > 0.2 && x.value < 0.23, actions: () => {}, added: false });
      sim.event('is_marked', { conditions: () => x.value === 77, actions: () => {}, added: false });
    });
    const conditions = [{ call: 'is_late.conditions[0]' }];
    hold('late', { id: -1, everyTics: 10_000, conditions }, () => {
      x.value = 77;
      event('late', { id: -1, everyTics: 10_000, conditions: [] });
    });
    event('marked', { id: -2, everyTics: 10_000, conditions: [{ call: 'is_marked.conditions[0]' }] });
    event('unknown', { id: -3, everyTics: 250_000, conditions: [{ expression: 'what nobody compiles' }] });
    begin();
    turns(20);
    expect(asked.slice(0, 4)).to.deep.equal([
      ['unknown', 0, [null]],
      ['late', 220_000, [true]],
      ['marked', 220_000, [true]],
      ['unknown', 250_000, [null]],
    ]);
  });

  it('that throw are answered with what was thrown', async () => {
    await start({}, (sim) => {
      sim.event('bad', {
        conditions: () => {
          throw new Error('no');
        },
        actions: () => {},
        added: false,
      });
    });
    event('bad', { id: -1, everyTics: 1e6, conditions: [{ call: 'bad.conditions[0]' }, { call: 'nosuch' }] });
    begin();
    turns(3);
    expect(asked).to.deep.equal([['bad', 0, ['no', false]]]);
  });

  it('of an event are over when it has no cycle and comes after time 0, and its conditions may change meanwhile', async () => {
    await start({ frameSeconds: 0.1 });
    event('first', { id: -1, everyTics: 0 });
    begin();
    turns(3);
    event('late', { id: -2, everyTics: 0 });
    event('changed', { id: -3, everyTics: 200_000, conditions: [] });
    turns(4);
    const { timeTics } = run.running.executive;
    event('changed', { id: -3, everyTics: 200_000 });
    turns(6);
    expect(times('first')).to.deep.equal([0]);
    expect(asked.filter(([what]) => what === 'late').map(([, , value]) => value)).to.deep.equal(['over']);
    expect(times('changed')[0]).to.be.within(timeTics, timeTics + 200_000);
  });

  it('begin again where simulation time goes back', async () => {
    await start({ frameSeconds: 0.1 });
    event('event', { id: -1, everyTics: 250_000 });
    begin();
    turns(30);
    asked = [];
    run.running.executive.continueFrom(100_000, 1);
    turns(20);
    expect(times('event').slice(0, 3)).to.deep.equal([100_000, 350_000, 600_000]);
  });

  it('let a checkpoint be made within a frame, from which the run goes on to the end of that frame', async () => {
    const ends: number[] = [];
    await start({ frameSeconds: 0.1 }, (sim) => void sim.job('end_of_frame', () => void ends.push(sim.timeSeconds)));
    begin();
    turns(4);
    run.running.executive.continueFrom(155_000, 1);
    ends.length = 0;
    turns(3);
    expect(ends).to.deep.equal([0.2, 0.3, 0.4]);
  });

  it('in the middle of a frame let it come to its end before a freeze, and end a run at once', async () => {
    let jobs = 0;
    await start({ frameSeconds: 0.1 }, (sim) => sim.job(0.05, () => void jobs++));
    hold('read', { id: 1, atTics: 120_000 }, () => {
      control({ action: 'freeze' });
      control({ action: 'let-go', id: 1 });
    });
    hold('last', { id: 2, atTics: 320_000 }, () => {
      control({ action: 'terminate', code: 0, reason: 'it is over' });
      control({ action: 'let-go', id: 2 });
    });
    begin();
    turns(10);
    expect([run.last.header.timeTics, run.last.header.mode, jobs]).to.deep.equal([200_000, 1, 4]);
    control({ action: 'run' });
    turns(10);
    expect([run.last.header.timeTics, run.running.isOver, jobs]).to.deep.equal([320_000, true, 7]);
  });

  it('are waited for no longer than ten seconds, and missed while the server is not done', async () => {
    await start({ frameSeconds: 0.1 });
    hold('slow', { id: -1, everyTics: 20_000 }, () => undefined);
    begin();
    turns(3);
    expect([run.last.header.timeTics, run.running.turn()]).to.deep.equal([0, 10_000]);
    run.nowMillis += 10_000;
    turns(5);
    expect(run.last.header.timeTics).to.be.above(100_000);
    expect(run.said.join()).to.contain('did not end in time');
    expect(times('slow')).to.deep.equal([0]);
  });

  it('come in real time too, before the wall time of the next frame', async () => {
    await start({ frameSeconds: 0.1, realTime: true }, (sim) => void sim.object('fx').component('x', double()));
    event('event', { id: -1, everyTics: 30_000 });
    begin();
    for (let passed = 0; passed < 300; passed++) run.pass(1);
    expect(times('event')).to.include.members([0, 30_000, 60_000, 90_000, 120_000, 150_000]);
  });
});
